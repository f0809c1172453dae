import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { endSession } from '#accounts/web/end-session.tsx'
import { CallError } from '#foundation/call.ts'
import type { Package } from '#packages/contract.ts'
import { late, usePreload } from '#ui/late.tsx'
import { refetchShown } from '#ui/refetch-shown.ts'
import { Spinner } from '#ui/spinner.tsx'
import { toast } from '#ui/toast.ts'
import type { Gift } from '#vouchers/contract.ts'
import {
  activateIfPaid,
  DECLINED,
  forgetPayment,
  isAlreadyActivated,
  isPaymentPending,
  isRefused,
  NOT_ACTIVATED,
  NOT_INITIALIZED,
  type PaymentResult,
  useActivate,
  type usePayment,
  type useQuote,
} from './checkout.ts'
import { forgetOrder } from './kept-order.ts'

// Only what every checkout shows at once is in its first scripts.
const FreeOrder = lazy(() => import('./free-order.tsx'))
const [Stopped, fetchStopped] = late(() => import('./stopped.tsx'))
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
  // Also when the connection is lost.
  usePreload(fetchStopped)
  const navigate = useNavigate()
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
      <Stopped
        why="not_activated"
        error={activate.failure}
        busy={activate.isPending}
        onAgain={() => activate.mutate({ packageId: sold.id, paymentIntentId: paid })}
      />
    )
  }
  if (isDisabled) return <Stopped why="disabled" />
  if (uncertainPayment) {
    const checkAgain = async () => {
      const result = await check.run(uncertainPayment)
      if (result !== 'no') return
      setUncertainPayment(undefined)
      toast(DECLINED)
    }
    return <Stopped why="unknown" busy={check.isChecking} onAgain={checkAgain} />
  }
  if (isThere) return <Spinner label={isGift ? 'Preparing your voucher' : 'Activating your pass'} visible />
  if (isUnknown) return <Stopped why="unknown" busy={found.isFetching} onAgain={() => found.refetch()} />
  if (!(amount > 0)) return <Stopped why="no_price" sold={sold} isGift={isGift} />
  // The price has changed.
  if (failed && Number(sold.price) !== amount) return <Stopped why="price_changed" sold={sold} isGift={isGift} />
  if (failed && !setup.isPending) {
    const again = setup.error ? setup : intent
    return <Stopped why="failed" error={failed} busy={again.isFetching} onAgain={() => again.refetch()} />
  }
  if (total === 0)
    return (
      <Suspense fallback={<Preparing />}>
        <FreeOrder sold={sold} order={{ code: quote.code, gift }} onDone={() => finish(isGift ? 'voucher' : 'pass')} />
      </Suspense>
    )
  if (!provider || !intent.data) return <Preparing />

  const Form = FORMS[provider as keyof typeof FORMS]
  return (
    <Suspense fallback={<Preparing />}>
      <Form
        sold={sold}
        gift={gift}
        total={total}
        quote={quote}
        intent={intent}
        publishableKey={setup.data?.publishableKey ?? null}
        begin={{ isAsked, setAsked }}
        busy={paid !== undefined}
        check={check.run}
        onPaid={(id) => {
          setPaid(id)
          activate.mutate({ packageId: sold.id, paymentIntentId: id })
        }}
        onBought={finish}
        onItsWay={onItsWay}
        onUncertain={setUncertainPayment}
      />
    </Suspense>
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
    void refetchShown(queries)
  }, [failed, queries])
}
