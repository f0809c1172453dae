import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { useSession } from '#accounts/web/session.ts'
import { CallError } from '#foundation/call.ts'
import { packageQueries } from '#packages/web/packages.ts'
import { passQueries } from '#passes/web/passes.ts'
import { paymentsApi } from './api.ts'

/**
 * All that a payment on arrival asks for, at once: who takes the money, and the payment itself, unless one that a
 * reload interrupted turns out to be paid.
 */
export function usePayment(packageId: number, amount: number) {
  const { isLikely } = useSession()
  const setup = usePaymentSetup()
  const found = useFoundPaid(packageId, isLikely)
  const intent = usePaymentIntent(packageId, amount, isLikely && found.isNone)
  return { setup, found, intent }
}

/** Who takes the money: Stripe, the sandbox, or nobody at the moment. */
function usePaymentSetup() {
  return useQuery({
    ...paymentsApi.getPaymentSetup.queryOptions(),
  })
}

/** Begins the payment on arrival. Both are needed, the amount greater than 0. Asked anew on every visit. */
function usePaymentIntent(packageId: number, amount: number, enabled: boolean) {
  return useQuery({
    ...paymentsApi.createPaymentIntent.queryOptions({ body: { packageId, amount } }),
    enabled: enabled && packageId > 0 && amount > 0,
    gcTime: 0,
  })
}

export const DECLINED = {
  title: 'Payment Failed',
  description: 'Payment failed, Please try using a different card or method of payment',
  tone: 'error',
} as const

export const NOT_ACTIVATED = {
  title: 'Error',
  description: 'Payment successful but failed to activate pass. Please contact support.',
  tone: 'error',
} as const

export const NOT_INITIALIZED = {
  title: 'Error',
  description: 'Failed to initialize payment. Please try again.',
  tone: 'error',
} as const

/** Paid by a method that takes days: nothing failed, and nothing is to be paid again. */
export const isOnItsWay = (error: unknown) => error instanceof CallError && error.status === 409

/** Paid before, in another tab or just before a reload, and active now. */
export const hasArrived = (error: unknown) => error instanceof CallError && error.status === 410

/** Payments that are on their way, by methods that take days. */
export function usePaymentsUnderway() {
  const { isLikely } = useSession()
  return useQuery({
    ...paymentsApi.listPaymentsUnderway.queryOptions(),
    enabled: isLikely,
    // What was on its way at the last visit may have arrived.
    gcTime: 0,
  })
}

/** The studio's clear no: not completed, on its way back, or nobody's payment. */
const NOT_PAID = [400, 404]

type Payment = { packageId: number; paymentIntentId: string }
const registerPurchase = (body: Payment) => paymentsApi.purchasePackage.call({ body })

/**
 * Turns a payment that succeeded into a pass. Safe to repeat: the same payment is always the same pass.
 * `failure` stays while it is tried again.
 */
export function useActivate({ onActivated, onFailed }: { onActivated: () => void; onFailed: (error: Error) => void }) {
  const [failure, setFailure] = useState<Error>()
  const activate = useMemberMutation({
    mutationFn: registerPurchase,
    stale: [...passQueries, ...packageQueries, paymentsApi.listPaymentsUnderway],
    // The same payment is always the same pass, so asking once more is looking.
    lookAgain: registerPurchase,
    // Paid is paid: nobody waits for lists that are read again.
    onDone: onActivated,
    onError: (error) => {
      setFailure(error)
      onFailed(error)
    },
  })
  return { ...activate, failure }
}

/**
 * Whether a payment that nobody heard the end of was made; then it is activated. Safe to repeat.
 *
 * @throws what stood in the way where there was neither a yes nor a no
 */
export async function turnsOutPaid(queries: QueryClient, payment: Payment): Promise<boolean> {
  try {
    await registerPurchase(payment)
  } catch (error) {
    if (error instanceof CallError && NOT_PAID.includes(error.status)) return false
    throw error
  }
  for (const { key } of [...passQueries, ...packageQueries]) void queries.invalidateQueries({ queryKey: key })
  return true
}

/**
 * Whether the payment that a reload interrupted has succeeded. No call where nothing was interrupted. After a clear no
 * the form is next, where the same payment is taken up again; while nobody can tell, the payment stays remembered.
 */
function useFoundPaid(packageId: number, enabled: boolean) {
  const [underway] = useState(() => paymentUnderway(packageId))
  const found = useQuery({
    queryKey: ['payment-underway', underway?.paymentIntentId],
    queryFn: async ({ client }) => {
      const isPaid = underway !== undefined && (await turnsOutPaid(client, underway))
      if (!isPaid) dropUnderway()
      return isPaid
    },
    enabled: enabled && underway !== undefined,
    gcTime: 0,
  })
  const { error, isFetching, refetch } = found
  return { isPaid: found.data === true, isNone: !underway || found.data === false, error, isFetching, refetch }
}

/**
 * The payment this tab has asked the provider to make and not heard about: it outlives a reload, so that what was
 * paid meanwhile is activated instead of being offered a second time. Holds an id, no card.
 */
const KEY = 'payment-underway'

type Underway = { packageId: number; paymentIntentId: string }

function paymentUnderway(packageId: number): Underway | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return kept?.packageId === packageId && typeof kept.paymentIntentId === 'string' ? kept : undefined
  } catch {
    return undefined
  }
}

export function keepUnderway(payment: Underway): void {
  sessionStorage.setItem(KEY, JSON.stringify(payment))
}

export function dropUnderway(): void {
  sessionStorage.removeItem(KEY)
}

/**
 * What the checkout and a card form agree on. Stripe's Payment Element and the sandbox's own card form both keep to
 * it, so the page does not know which one it hosts. A form that needs the member's bank leaves for `returnUrl` itself.
 */
export type PaymentFormProps = {
  clientSecret: string
  publishableKey: string | null
  /** Where the browser comes back to after a bank's page. */
  returnUrl: string
  /** The words on the button. */
  label: string
  /** What is asked before paying. It stands above the button. */
  asked: ReactNode
  /** About to ask the provider. */
  onConfirming: () => void
  /** The provider's answer was lost: asks whether the payment was made all the same. Only a `no` is the form's to say. */
  onUnheard: () => Promise<Heard>
  /** Who pays, as far as we know: the provider is told. */
  payer: { name: string; email: string } | undefined
  /** The provider says: on its way, by a method that takes days. */
  onUnderway: (paymentIntentId: string) => Promise<void>
  /** The provider says: paid. */
  onPaid: (paymentIntentId: string) => void
  /** The provider says no, or could not be asked. `reason` is for the member. */
  onDeclined: (reason?: string) => void
  /** What follows a payment is under way. */
  busy: boolean
}

/** `paid` and `unknown` are answered by the checkout, which goes on or offers to look again. */
export type Heard = 'paid' | 'no' | 'unknown'

/** `pi_1` of `pi_1_secret_2`. */
export function intentIdOf(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] as string
}
