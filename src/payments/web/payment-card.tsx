import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { endSession } from '#accounts/web/end-session.tsx'
import { useSession } from '#accounts/web/session.ts'
import { CallError, errorMessage } from '#foundation/call.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { packageQueries } from '#packages/web/packages.ts'
import { passQueries } from '#passes/web/passes.ts'
import { Button } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { dismissToasts, toast } from '#ui/toast.ts'
import type { Gift } from '#vouchers/contract.ts'
import { paymentsApi } from './api.ts'
import {
  activateIfPaid,
  DECLINED,
  forgetPayment,
  isAlreadyActivated,
  isPaymentPending,
  isRefused,
  NOT_ACTIVATED,
  NOT_INITIALIZED,
  NOT_SENT,
  type PaymentResult,
  rememberPayment,
  useActivate,
  type usePayment,
  type useQuote,
} from './checkout.ts'
import { forgetOrder, tabKey } from './kept-order.ts'
import { useRenewal } from './renewal.ts'
import { ConfirmPrice, Disabled, NotActivated, OutcomeUnknown, PriceChanged, Stopped } from './stopped.tsx'

// Only what every checkout shows at once is in its first scripts.
const BeginBox = lazy(() => import('./begin-box.tsx'))
const FreeOrder = lazy(() => import('./free-order.tsx'))
const FORMS = {
  stripe: lazy(() => import('./stripe-form.tsx')),
  sandbox: lazy(() => import('./sandbox-form.tsx')),
}

/**
 * Starts a payment, has the member confirm it with the provider, and turns it into a pass or a gift voucher. After a
 * reload during the confirmation, it first checks whether that payment succeeded.
 */
export function PaymentCard({
  sold,
  amount,
  quote,
  gift,
  payment: { setup, found, intent },
}: {
  sold: Package
  /** The package's price. */
  amount: number
  quote: ReturnType<typeof useQuote>
  gift: Gift | undefined
  payment: ReturnType<typeof usePayment>
}) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { user } = useSession()
  const provider = setup.data?.provider
  const [paid, setPaid] = useState<string>()
  const [uncertainPayment, setUncertainPayment] = useState<string>()
  const total = quote.total ?? amount
  const isGift = gift !== undefined
  const finish = (bought: 'pass' | 'voucher') => {
    forgetPayment()
    forgetOrder()
    navigate('/dashboard', { state: { purchased: bought }, replace: true })
  }
  const onItsWay = () => {
    forgetPayment()
    forgetOrder()
    navigate('/dashboard', { replace: true })
  }
  const activate = useActivate({
    onActivated: finish,
    onFailed: (error) => (isPaymentPending(error) ? onItsWay() : toast(NOT_ACTIVATED)),
  })
  const check = usePaymentCheck(sold.id, { onPaid: finish, onItsWay })
  const [isAsked, setAsked] = useState(false)
  const [notConfirmed, setNotConfirmed] = useState<string>()
  const offered = intent.isPlaceholderData || paid || uncertainPayment ? undefined : intent.data
  const renewal = useRenewal(
    offered && { id: offered.paymentIntentId, total },
    { quote, intent },
    async (id) => (await check.run(id)) === 'no',
  )
  const isThere = found.bought !== undefined || isAlreadyActivated(intent.error)
  const isUnknown = found.error !== null && !isPaymentPending(found.error)
  // A form that is there stays while the server cannot be reached.
  const failed = setup.error ?? found.error ?? (intent.data && !isRefused(intent.error) ? null : intent.error)
  const isDisabled = provider === 'disabled'
  // Until the provider is known, the failure may mean that payments are disabled.
  useFailedStart(setup.isPending || isDisabled || isUnknown ? null : failed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the response is there
  useEffect(() => {
    if (isThere) finish(found.bought ?? (isGift ? 'voucher' : 'pass'))
  }, [isThere])

  if (activate.failure && paid && !isPaymentPending(activate.failure)) {
    return (
      <NotActivated
        error={activate.failure}
        busy={activate.isPending}
        onAgain={() => activate.mutate({ packageId: sold.id, paymentIntentId: paid })}
      />
    )
  }
  if (isDisabled) return <Disabled />
  if (uncertainPayment) {
    const checkAgain = async () => {
      const result = await check.run(uncertainPayment)
      if (result !== 'no') return
      setUncertainPayment(undefined)
      toast(DECLINED)
    }
    return <OutcomeUnknown busy={check.isChecking} onAgain={checkAgain} />
  }
  if (isThere) return <Spinner label={isGift ? 'Preparing your voucher' : 'Activating your pass'} visible />
  if (isUnknown) return <OutcomeUnknown busy={found.isFetching} onAgain={() => found.refetch()} />
  if (!(amount > 0)) return <ConfirmPrice sold={sold} isGift={isGift} />
  // The price has changed.
  if (failed && Number(sold.price) !== amount) return <PriceChanged sold={sold} isGift={isGift} />
  if (failed && !setup.isPending) {
    const again = setup.error ? setup : intent
    const isRefused = failed instanceof CallError && failed.status < 500
    return (
      <Stopped>
        {errorMessage(failed, NOT_INITIALIZED.description)}
        {!isRefused && (
          <Button variant="secondary" busy={again.isFetching} onClick={() => again.refetch()}>
            Try again
          </Button>
        )}
      </Stopped>
    )
  }
  if (total === 0)
    return (
      <Suspense fallback={<Preparing />}>
        <FreeOrder sold={sold} order={{ code: quote.code, gift }} onDone={() => finish(isGift ? 'voucher' : 'pass')} />
      </Suspense>
    )
  if (!provider || !intent.data) return <Preparing />

  const { clientSecret, paymentIntentId } = intent.data
  const confirm = async () => {
    dismissToasts()
    renewal.forget()
    setNotConfirmed(undefined)
    try {
      const { message, sendOn } = gift ?? {}
      const body = { tab: tabKey(), isBeginRequested: isAsked, gift: gift && { message, sendOn } }
      await paymentsApi.confirmOrder.call({ params: { id: paymentIntentId }, body })
      rememberPayment({ packageId: sold.id, paymentIntentId })
      return true
    } catch (error) {
      if (error instanceof CallError && error.status === 401) endSession()
      else if (isAlreadyActivated(error)) finish(isGift ? 'voucher' : 'pass')
      else if (isPaymentPending(error)) onItsWay()
      else if (paymentsApi.confirmOrder.isRefusal(error, 'payment_ended')) await renewal.renew()
      else setNotConfirmed(errorMessage(error, NOT_SENT))
      return false
    }
  }
  const Form = FORMS[provider as keyof typeof FORMS]
  return (
    <Suspense fallback={<Preparing />}>
      <div data-toasts-above>
        {renewal.before && <Renewed total={total} before={renewal.before.total} />}
        <Form
          clientSecret={clientSecret}
          publishableKey={setup.data?.publishableKey ?? null}
          returnUrl={`${location.origin}/dashboard?packageId=${sold.id}`}
          amountPence={Math.round(total * 100)}
          label={`Complete Payment - ${formatMoney(total)}`}
          busy={activate.isPending || activate.isSuccess}
          isPreparing={intent.isPlaceholderData}
          notConfirmed={notConfirmed}
          onConfirming={confirm}
          onGone={renewal.renew}
          onResponseLost={async () => {
            const result = await check.run(paymentIntentId)
            if (result === 'unknown') setUncertainPayment(paymentIntentId)
            return result
          }}
          payer={user && { name: `${user.firstName} ${user.lastName}`.trim(), email: user.email }}
          onPending={async () => {
            // Settle it before the dashboard asks for pending payments.
            const bought = await activateIfPaid(queries, { packageId: sold.id, paymentIntentId }).catch(
              () => false as const,
            )
            if (bought) finish(bought)
            else onItsWay()
          }}
          onPaid={(id) => {
            setPaid(id)
            activate.mutate({ packageId: sold.id, paymentIntentId: id })
          }}
          onDeclined={() => toast(DECLINED)}
          asked={
            isGift ? null : (
              <div className="border-t border-line pt-4">
                <BeginBox isAsked={isAsked} onChange={setAsked} help="You can also decide this when you book." />
              </div>
            )
          }
        />
      </div>
    </Suspense>
  )
}

/** The order was started again, because its payment was gone. */
function Renewed({ total, before }: { total: number; before: number }) {
  return (
    <p role="alert" className="mb-5 rounded-row bg-info-tint px-4 py-3 text-small/normal text-info">
      Your order was no longer open, so we have started it again. Nothing was paid.
      {total !== before && ` The total is now ${formatMoney(total)}.`} Please check it and press the button again.
    </p>
  )
}

/** As tall as the form, because on a phone the summary is below it. */
function Preparing() {
  return (
    <div className="max-lg:min-h-[39rem] max-sm:min-h-[46rem]">
      <Spinner label="Preparing your payment" visible />
    </div>
  )
}

/** Checks a payment with a lost response. If it is paid or pending, the member continues. */
function usePaymentCheck(
  packageId: number,
  { onPaid, onItsWay }: { onPaid: (bought: 'pass' | 'voucher') => void; onItsWay: () => void },
) {
  const queries = useQueryClient()
  const [isChecking, setChecking] = useState(false)
  const run = async (paymentIntentId: string): Promise<PaymentResult> => {
    setChecking(true)
    try {
      const bought = await activateIfPaid(queries, { packageId, paymentIntentId })
      if (bought) onPaid(bought)
      return bought ? 'paid' : 'no'
    } catch (error) {
      if (error instanceof CallError && error.status === 401) endSession()
      if (!isPaymentPending(error)) return 'unknown'
      onItsWay()
      return 'paid'
    } finally {
      setChecking(false)
    }
  }
  return { run, isChecking }
}

/** Shows that the payment could not start, and refetches prices and passes, which may be the cause. */
function useFailedStart(failed: Error | null): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!failed || isPaymentPending(failed) || (failed instanceof CallError && failed.status === 401)) return
    if (!isAlreadyActivated(failed)) toast(NOT_INITIALIZED)
    if (!(failed instanceof CallError)) return
    for (const { key } of [...packageQueries, ...passQueries]) void queries.invalidateQueries({ queryKey: key })
  }, [failed, queries])
}
