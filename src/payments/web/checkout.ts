import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { useMemberQuery } from '#accounts/web/session.ts'
import { CallError } from '#foundation/call.ts'
import { keptAfterWrites, refetchShown } from '#ui/refetch-shown.ts'
import type { Gift } from '#vouchers/contract.ts'
import { paymentsApi } from './api.ts'
import { forgetCode, keepCode, keptCode, tabKey } from './kept-order.ts'

/**
 * Fetches the payment setup and starts a payment, unless one interrupted by a reload turns out to be paid. `amount` is
 * the total with the code; undefined until that is known. `gift` is null until it is known who the gift is for.
 */
export function usePayment(
  packageId: number,
  amount: number | undefined,
  { code, gift }: { code: string; gift?: Gift | null | undefined },
) {
  const setup = useQuery(paymentsApi.getPaymentSetup.queryOptions())
  const found = useInterruptedPayment(packageId)
  const body = { packageId, amount: amount ?? 0, ...(code && { code }), ...(gift && { gift }) }
  const intent = usePaymentIntent(body, found.isNone && gift !== null)
  return { setup, found, intent }
}

/** A promotion code at the checkout, and what it takes off. A code that is refused is left out of the order. */
export function useQuote(packageId: number, linked: string | null, isGift: boolean) {
  const [code, setCode] = useState(() => {
    keepCode(linked)
    return keptCode()
  })
  const quote = useMemberQuery({
    ...paymentsApi.getQuote.queryOptions({ query: { packageId, code, gift: isGift ? 'true' : undefined } }),
    enabled: code !== '' && packageId > 0,
    gcTime: 0,
    ...keptAfterWrites,
  })
  const isUsed = code !== '' && quote.data !== undefined && !isRefused(quote.error)
  return {
    /** In the order; empty if there is none, or it was refused. */
    code: isUsed ? code : '',
    total: isUsed ? Number(quote.data.total) : undefined,
    discounts: isUsed ? quote.data.lines.slice(1) : [],
    isChecking: code !== '' && quote.isFetching && !isUsed,
    error: code !== '' && !isUsed ? quote.error : null,
    /** Looks whether the code still counts. Returns whether the order stays as it is. */
    check: async () => code === '' || !isRefused((await quote.refetch()).error),
    apply: (typed: string) => {
      const wanted = typed.trim().toUpperCase()
      if (wanted === code) void quote.refetch()
      keepCode(wanted)
      setCode(wanted)
    },
    remove: () => {
      forgetCode()
      setCode('')
    },
  }
}

/**
 * Starts a payment. Fetched again on every visit. An order that is corrected here ends the former one; the form stays
 * while the new payment is fetched.
 */
function usePaymentIntent(body: { packageId: number; amount: number; code?: string; gift?: Gift }, enabled: boolean) {
  const former = useRef<string>(undefined)
  return useMemberQuery({
    ...paymentsApi.createPaymentIntent.queryOptions({ body }),
    queryFn: async () => {
      const intent = await paymentsApi.createPaymentIntent.call({ body })
      const id = former.current
      former.current = intent.paymentIntentId
      // If it cannot be ended, it ends by itself within a day.
      if (id && id !== former.current) endOrder(id).catch(() => {})
      return intent
    },
    enabled: enabled && body.packageId > 0 && body.amount > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    ...keptAfterWrites,
  })
}

const endOrder = (id: string) => paymentsApi.endOrder.call({ params: { id }, query: { tab: tabKey() } })

/** Whether the server said no; otherwise it could not be asked. */
export const isRefused = (error: unknown) => error instanceof CallError && error.status < 500

export const VOUCHER_READY = 'Your gift voucher is ready, and a receipt has been sent to you by email.'

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

export const NOT_SENT = 'The payment could not be sent. Please check your connection and try again.'

/** Paid by a method that takes days; nothing to pay again. */
export const isPaymentPending = (error: unknown) => paymentsApi.purchasePackage.isRefusal(error, 'payment_processing')

/** Already paid, in another tab or before a reload, and active. */
export const isAlreadyActivated = (error: unknown) => error instanceof CallError && error.status === 410

/** The payment was not completed, was refunded, or is not the member's. */
const NOT_PAID = [400, 404]

type Payment = { packageId: number; paymentIntentId: string }
const registerPurchase = (body: Payment) => paymentsApi.purchasePackage.call({ body })

/** What a payment has bought. */
type Bought = 'pass' | 'voucher'
const boughtIn = (response: Awaited<ReturnType<typeof registerPurchase>>): Bought =>
  'recipientName' in response ? 'voucher' : 'pass'

/** Turns a successful payment into a pass or voucher. Idempotent. `failure` stays during a retry. */
export function useActivate({
  onActivated,
  onFailed,
}: {
  onActivated: (bought: Bought) => void
  onFailed: (error: Error) => void
}) {
  const [failure, setFailure] = useState<Error>()
  const activate = useMemberMutation({
    mutationFn: registerPurchase,
    // Don't wait for the refetch.
    onDone: (response) => onActivated(boughtIn(response)),
    onError: (error) => {
      setFailure(error)
      onFailed(error)
    },
  })
  return { ...activate, failure }
}

/**
 * Checks whether a payment with a lost response was made; if so, activates it. Idempotent.
 *
 * @throws the error if there was neither a yes nor a no
 */
export async function activateIfPaid(queries: QueryClient, payment: Payment): Promise<Bought | false> {
  let bought: Bought
  try {
    bought = boughtIn(await registerPurchase(payment))
  } catch (error) {
    if (error instanceof CallError && NOT_PAID.includes(error.status)) return false
    throw error
  }
  void refetchShown(queries)
  return bought
}

/**
 * Checks whether the payment that a reload interrupted has succeeded. After a clear no, the form continues the same
 * payment; while it is uncertain, the payment stays remembered.
 */
function useInterruptedPayment(packageId: number) {
  const [payment] = useState(() => rememberedPayment(packageId))
  const found = useMemberQuery({
    queryKey: ['payment-underway', payment?.paymentIntentId],
    queryFn: async ({ client }) => {
      const bought = payment !== undefined && (await activateIfPaid(client, payment))
      if (!bought) forgetPayment()
      return bought
    },
    enabled: payment !== undefined,
    gcTime: 0,
    ...keptAfterWrites,
  })
  const { error, isFetching, refetch } = found
  return { bought: found.data || undefined, isNone: !payment || found.data === false, error, isFetching, refetch }
}

/** A payment that this tab sent without a response. After a reload it is activated, instead of being offered again. */
const KEY = 'payment-underway'

type RememberedPayment = { packageId: number; paymentIntentId: string }

function rememberedPayment(packageId: number): RememberedPayment | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return kept?.packageId === packageId && typeof kept.paymentIntentId === 'string' ? kept : undefined
  } catch {
    return undefined
  }
}

export function rememberPayment(payment: RememberedPayment): void {
  sessionStorage.setItem(KEY, JSON.stringify(payment))
}

export function forgetPayment(): void {
  sessionStorage.removeItem(KEY)
}

/** The interface of both card forms. A form that needs the bank's page leaves for `returnUrl` itself. */
export type PaymentFormProps = {
  clientSecret: string
  publishableKey: string | null
  returnUrl: string
  amountPence: number
  label: string
  /** What is above the button: an optional request, and why an order was started again. */
  asked: ReactNode
  /** Stores what was typed and ticked, before the provider is asked; false if the payment must not go on. */
  onConfirming: () => Promise<boolean>
  /** Called if the provider says that the payment has been cancelled. */
  onGone: () => Promise<void>
  /** Called if the provider's response is lost. The form itself handles only `no`. */
  onResponseLost: () => Promise<PaymentResult>
  payer: { name: string; email: string } | undefined
  onPending: (paymentIntentId: string) => Promise<void>
  onPaid: (paymentIntentId: string) => void
  /** Called if it was declined or could not be sent. `reason` is for the member. */
  onDeclined: (reason?: string) => void
  busy: boolean
  /** The payment is being fetched. */
  isPreparing: boolean
  /** Why the studio did not let the payment go on. */
  notConfirmed: string | undefined
}

/** The checkout handles `paid` and `unknown`. */
export type PaymentResult = 'paid' | 'no' | 'unknown'

/** `pi_1` of `pi_1_secret_2`. */
export function intentIdOf(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] as string
}
