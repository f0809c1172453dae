import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { endSession } from '#accounts/web/end-session.tsx'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { useSession } from '#accounts/web/session.ts'
import { CallError, sentenceOf } from '#foundation/call.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { packageQueries } from '#packages/web/packages.ts'
import { passQueries } from '#passes/web/passes.ts'
import { Button } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { dismissToasts, toast } from '#ui/toast.ts'
import { paymentsApi } from './api.ts'
import { NOT_NOTED, REQUEST } from './begin-request.ts'
import {
  DECLINED,
  dropUnderway,
  type Heard,
  hasArrived,
  isOnItsWay,
  keepUnderway,
  NOT_ACTIVATED,
  NOT_INITIALIZED,
  turnsOutPaid,
  useActivate,
  type usePayment,
} from './checkout.ts'
import { ConfirmPrice, Disabled, NotActivated, NotKnown, PriceChanged, Stopped } from './stopped.tsx'

const FORMS = {
  stripe: lazy(() => import('./stripe-form.tsx')),
  sandbox: lazy(() => import('./sandbox-form.tsx')),
}

/**
 * The payment: begun on arrival, confirmed by the member with the provider, then turned into a pass. A reload while
 * the provider was being asked first looks whether that payment succeeded, and only then offers the form again.
 */
export function PaymentCard({
  sold,
  amount,
  payment: { setup, found, intent },
}: {
  sold: Package
  amount: number
  payment: ReturnType<typeof usePayment>
}) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { user } = useSession()
  const provider = setup.data?.provider
  const [paid, setPaid] = useState<string>()
  const [unheard, setUnheard] = useState<string>()
  const thank = () => {
    dropUnderway()
    navigate('/dashboard', { state: { purchased: true }, replace: true })
  }
  const onItsWay = () => {
    dropUnderway()
    navigate('/dashboard', { replace: true })
  }
  const activate = useActivate({
    onActivated: thank,
    onFailed: (error) => (isOnItsWay(error) ? onItsWay() : toast(NOT_ACTIVATED)),
  })
  const look = useLook(sold.id, { onPaid: thank, onItsWay })
  const isThere = found.isPaid || hasArrived(intent.error)
  const isUnknown = found.error !== null && !isOnItsWay(found.error)
  const failed = setup.error ?? found.error ?? intent.error
  const isDisabled = provider === 'disabled'
  // Until it is known who takes the money, a payment that cannot begin may be one that nobody takes.
  useFailedStart(setup.isPending || isDisabled || isUnknown ? null : failed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the answer is there
  useEffect(() => {
    if (isThere) thank()
  }, [isThere])

  if (activate.failure && paid && !isOnItsWay(activate.failure)) {
    return (
      <NotActivated
        error={activate.failure}
        busy={activate.isPending}
        onAgain={() => activate.mutate({ packageId: sold.id, paymentIntentId: paid })}
      />
    )
  }
  if (isDisabled) return <Disabled />
  if (unheard) {
    const lookAgain = async () => {
      const heard = await look.ask(unheard)
      if (heard !== 'no') return
      setUnheard(undefined)
      toast(DECLINED)
    }
    return <NotKnown busy={look.isLooking} onAgain={lookAgain} />
  }
  if (isThere) return <Spinner label="Activating your pass" visible />
  if (isUnknown) return <NotKnown busy={found.isFetching} onAgain={() => found.refetch()} />
  if (!(amount > 0)) return <ConfirmPrice sold={sold} />
  // The price that was chosen is no longer the one that was read again after the refusal.
  if (failed && Number(sold.price) !== amount) return <PriceChanged sold={sold} />
  if (failed && !setup.isPending) {
    const again = failed instanceof CallError && failed.status < 500 ? undefined : setup.error ? setup : intent
    return (
      <Stopped>
        {sentenceOf(failed, NOT_INITIALIZED.description)}
        {again && (
          <Button variant="secondary" busy={again.isFetching} onClick={() => again.refetch()}>
            Try again
          </Button>
        )}
      </Stopped>
    )
  }
  if (!provider || !intent.data) return <Preparing />

  const { clientSecret, paymentIntentId } = intent.data
  const Form = FORMS[provider as keyof typeof FORMS]
  return (
    <Suspense fallback={<Preparing />}>
      <div data-toasts-above>
        <Form
          clientSecret={clientSecret}
          publishableKey={setup.data?.publishableKey ?? null}
          returnUrl={`${location.origin}/dashboard?packageId=${sold.id}`}
          label={`Complete Payment - ${formatMoney(amount)}`}
          busy={activate.isPending || activate.isSuccess}
          onConfirming={() => {
            dismissToasts()
            keepUnderway({ packageId: sold.id, paymentIntentId })
          }}
          onUnheard={async () => {
            const heard = await look.ask(paymentIntentId)
            if (heard === 'unknown') setUnheard(paymentIntentId)
            return heard
          }}
          payer={user && { name: `${user.firstName} ${user.lastName}`.trim(), email: user.email }}
          onUnderway={async () => {
            // The studio hears of it before the dashboard asks what is on its way.
            const isPaid = await turnsOutPaid(queries, { packageId: sold.id, paymentIntentId }).catch(() => false)
            if (isPaid) thank()
            else onItsWay()
          }}
          onPaid={(id) => {
            setPaid(id)
            activate.mutate({ packageId: sold.id, paymentIntentId: id })
          }}
          onDeclined={() => toast(DECLINED)}
          asked={<BeginWithPayment paymentIntentId={paymentIntentId} />}
        />
      </div>
    </Suspense>
  )
}

/** As high as the form that comes in its place: on a phone the summary stands below it. */
function Preparing() {
  return (
    <div className="max-lg:min-h-[39rem] max-sm:min-h-[46rem]">
      <Spinner label="Preparing your payment" visible />
    </div>
  )
}

/** Looks whether a payment was made of which nobody heard the end. Paid, or on its way, the member is taken further. */
function useLook(packageId: number, { onPaid, onItsWay }: { onPaid: () => void; onItsWay: () => void }) {
  const queries = useQueryClient()
  const [isLooking, setLooking] = useState(false)
  const ask = async (paymentIntentId: string): Promise<Heard> => {
    setLooking(true)
    try {
      const isPaid = await turnsOutPaid(queries, { packageId, paymentIntentId })
      if (isPaid) onPaid()
      return isPaid ? 'paid' : 'no'
    } catch (error) {
      if (error instanceof CallError && error.status === 401) endSession()
      if (!isOnItsWay(error)) return 'unknown'
      onItsWay()
      return 'paid'
    } finally {
      setLooking(false)
    }
  }
  return { ask, isLooking }
}

/** Says that the payment could not begin. What it was refused for may be news: prices and passes are read again. */
function useFailedStart(failed: Error | null): void {
  const queries = useQueryClient()
  useEffect(() => {
    // An ended session is answered elsewhere.
    if (!failed || isOnItsWay(failed) || (failed instanceof CallError && failed.status === 401)) return
    if (!hasArrived(failed)) toast(NOT_INITIALIZED)
    if (!(failed instanceof CallError)) return
    for (const { key } of [...packageQueries, ...passQueries]) void queries.invalidateQueries({ queryKey: key })
  }, [failed, queries])
}

/** At the checkout, above the button that pays and never a condition of it: ticked or not, it can be paid. */
function BeginWithPayment({ paymentIntentId }: { paymentIntentId: string }) {
  const [isAsked, setAsked] = useState(false)
  const ask = useMemberMutation({
    mutationFn: (asked: boolean) =>
      paymentsApi.askToBeginPayment.call({ params: { id: paymentIntentId }, body: { isAsked: asked } }),
    onError: (_error, asked) => setAsked(!asked),
  })
  return (
    <div className="border-t border-line pt-4">
      <Tick
        checked={isAsked}
        onChange={({ target }) => {
          setAsked(target.checked)
          ask.mutate(target.checked)
        }}
        label={REQUEST}
        help="Optional. You can also decide this when you book."
        error={ask.isError ? sentenceOf(ask.error, NOT_NOTED) : undefined}
      />
    </div>
  )
}
