import circleAlert from '@lucide/icons/icons/circle-alert'
import clock from '@lucide/icons/icons/clock'
import x from '@lucide/icons/icons/x'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { CreditsAreUsedTonight } from '#booking/web/can-book.tsx'
import { formatMoney } from '#foundation/money.ts'
import { ArrowLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { ArchTick, Mark } from '#ui/mark.tsx'
import { toast } from '#ui/toast.ts'
import type { PaymentUnderway } from '../contract.ts'
import { DECLINED, forgetPayment, isPaymentPending, NOT_ACTIVATED, useActivate, VOUCHER_READY } from './checkout.ts'
import { forgetOrder } from './kept-order.ts'
import Stopped from './stopped.tsx'

type Stage =
  | { is: 'nothing' }
  | { is: 'activating' }
  | { is: 'thanks'; bought: 'pass' | 'voucher' }
  | { is: 'declined' }

const VoucherReady = lazy(() => import('./voucher-ready.tsx'))

/** The dashboard's message after a purchase: from the checkout, or from the bank's page by the address. */
export function PurchaseArrival({ onThanks }: { onThanks: () => void }) {
  const [query] = useSearchParams()
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const [stage, setStage] = useState<Stage>({ is: 'nothing' })
  const hasStarted = useRef(false)
  const [payment, setPayment] = useState<{ packageId: number; paymentIntentId: string }>()
  const { mutate, failure, isPending } = useActivate({
    onActivated: (bought) => {
      forgetPayment()
      forgetOrder()
      setStage({ is: 'thanks', bought })
    },
    onFailed: (error) => {
      if (!isPaymentPending(error)) return toast(NOT_ACTIVATED)
      forgetPayment()
      forgetOrder()
      setStage({ is: 'nothing' })
    },
  })

  const paymentIntentId = query.get('payment_intent')
  const packageId = Number(query.get('packageId'))
  const redirectStatus = query.get('redirect_status')
  const purchased: 'pass' | 'voucher' | undefined = state?.purchased
  useEffect(() => {
    if (hasStarted.current || (!paymentIntentId && !purchased)) return
    hasStarted.current = true
    navigate(pathname, { replace: true, state: null })
    if (!paymentIntentId) return setStage({ is: 'thanks', bought: purchased ?? 'pass' })
    if (redirectStatus === 'failed' || redirectStatus === 'canceled') {
      forgetPayment()
      toast(DECLINED)
      return setStage({ is: 'declined' })
    }
    setStage({ is: 'activating' })
    setPayment({ packageId, paymentIntentId })
    mutate({ packageId, paymentIntentId })
  }, [paymentIntentId, packageId, redirectStatus, purchased, pathname, navigate, mutate])

  const thanks = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (stage.is !== 'thanks') return
    onThanks()
    // The page may have been scrolled where the payment was made.
    scrollTo({ top: 0, behavior: 'instant' })
    thanks.current?.focus({ preventScroll: true })
  }, [stage.is, onThanks])

  if (stage.is === 'nothing') return null
  if (stage.is === 'activating' && failure && payment) {
    return (
      <div className="mb-8">
        <Stopped why="not_activated" error={failure} busy={isPending} onAgain={() => mutate(payment)} />
      </div>
    )
  }
  if (stage.is === 'activating') {
    return (
      <p role="status" className="mb-8 flex items-center gap-3 rounded-row bg-linen px-6 py-5 text-ink-soft">
        <Mark size={24} className="mark-drawing" /> Activating your pass…
      </p>
    )
  }
  const close = (
    <button
      type="button"
      aria-label="Close"
      onClick={() => setStage({ is: 'nothing' })}
      className="-mt-2 -mr-3 grid size-11 flex-none place-items-center rounded-full"
    >
      <Icon of={x} size={20} />
    </button>
  )
  if (stage.is === 'declined') {
    return (
      <div role="alert" className="mb-8 flex items-start gap-3 rounded-card bg-err-tint px-6 py-5 text-err">
        <Icon of={circleAlert} size={22} className="mt-0.5 flex-none" />
        <p className="flex-1">
          Nothing was paid. You can try again, with another card too.{' '}
          <Link className="font-medium whitespace-nowrap underline underline-offset-4" to="/pricing">
            Back to Pricing
          </Link>
        </p>
        {close}
      </div>
    )
  }
  return (
    <div
      ref={thanks}
      tabIndex={-1}
      role="status"
      className="mb-8 flex items-start gap-4 rounded-card bg-ok-tint px-6 py-6 text-ok outline-none sm:px-8"
    >
      <ArchTick size={44} className="mt-1" />
      <div className="flex-1">
        <p className="font-serif text-[1.75rem]/[1.15] text-ink">Thank You for Your Purchase!</p>
        {stage.bought === 'voucher' ? (
          <Suspense fallback={<p className="mt-1 text-ink-soft">{VOUCHER_READY}</p>}>
            <VoucherReady />
          </Suspense>
        ) : (
          <>
            <p className="mt-1 mb-3 text-ink-soft">
              Your pass is active, and a receipt has been sent to you by email. <CreditsAreUsedTonight />
            </p>
            <ArrowLink to="/booking">Choose a time</ArrowLink>
          </>
        )}
      </div>
      {close}
    </div>
  )
}

/** Payments by methods that take days. */
export function PaymentsUnderway({ underway }: { underway: readonly PaymentUnderway[] }) {
  return (
    <ul className="mb-8 grid gap-3">
      {underway.map(({ package: bought, isVoucher, amount, since }) => (
        <li key={since} className="flex items-start gap-3 rounded-row bg-info-tint px-6 py-5 text-info">
          <Icon of={clock} size={22} className="mt-0.5 flex-none" />
          <p>
            <span className="font-medium">Your payment is on its way.</span> {formatMoney(amount)} for {bought.name}.
            Your bank may take a few days to send it. We will email you when your{' '}
            {isVoucher ? 'gift voucher is ready' : 'pass is active'}, or if the payment fails.
          </p>
        </li>
      ))}
    </ul>
  )
}
