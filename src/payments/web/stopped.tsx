import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { EmailLink, PhoneLink } from '#content/web/facts.tsx'
import { CallError, errorMessage } from '#foundation/call.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { checkoutOf } from '#packages/web/packages.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { NOT_ACTIVATED, NOT_INITIALIZED } from './checkout.ts'

type Again = { busy: boolean; onAgain: () => void }
/**
 * `no_price`: the amount in the address is invalid. `unknown`: whether the payment was made is uncertain, so no second
 * one is offered. `not_activated`: paid, but there is no pass yet, and trying again does not charge again.
 */
type Why =
  | { why: 'disabled' }
  | { why: 'price_changed' | 'no_price'; sold: Package; isGift: boolean }
  | ({ why: 'unknown' } & Again)
  | ({ why: 'not_activated' | 'failed'; error: Error } & Again)

/** Why no payment can be made or is offered, and what the member can do. */
export default function Stopped(props: Why) {
  switch (props.why) {
    case 'disabled':
      return (
        <Linen>
          <p>Payment processing is temporarily disabled.</p>
          <p className="text-base text-ink-soft">
            To buy a pass now, call us: <PhoneLink />
          </p>
        </Linen>
      )
    case 'price_changed':
      return (
        <Linen>
          <p>The price of this package has changed. It is {formatMoney(props.sold.price)} now.</p>
          <ButtonLink to={checkoutOf(props.sold, props.isGift)} replace>
            Try again with {formatMoney(props.sold.price)}
          </ButtonLink>
        </Linen>
      )
    case 'no_price':
      return (
        <Linen>
          <p>The link that led here has no valid price. This package costs {formatMoney(props.sold.price)}.</p>
          <Continue {...props} />
        </Linen>
      )
    case 'unknown':
      return (
        <Linen>
          <p>We do not know yet whether your payment was made. Please look again in a moment.</p>
          <p className="text-base text-ink-soft">You will not be charged twice.</p>
          <TryAgain {...props} />
        </Linen>
      )
    case 'failed':
      return (
        <Linen>
          {errorMessage(props.error, NOT_INITIALIZED.description)}
          {!(props.error instanceof CallError && props.error.status < 500) && <TryAgain {...props} />}
        </Linen>
      )
    case 'not_activated':
      return <NotActivated {...props} />
  }
}

function Linen({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-5 rounded-row bg-linen px-6 py-6">
      {children}
      <ButtonLink to="/pricing" variant="quiet" small className="-ml-5">
        Back to Pricing
      </ButtonLink>
    </div>
  )
}

function Continue({ sold, isGift }: { sold: Package; isGift: boolean }) {
  const navigate = useNavigate()
  return (
    <Button onClick={() => navigate(checkoutOf(sold, isGift), { replace: true })}>
      Continue with {formatMoney(sold.price)}
    </Button>
  )
}

function TryAgain({ busy, onAgain }: Again) {
  return (
    <Button variant="secondary" busy={busy} onClick={onAgain}>
      Try again
    </Button>
  )
}

function NotActivated({ error, busy, onAgain }: { error: Error } & Again) {
  const reason = errorMessage(error, '')
  return (
    <div role="alert" className="flex flex-col items-start gap-4 rounded-row bg-err-tint px-6 py-6">
      <p className="text-err">{NOT_ACTIVATED.description}</p>
      {reason && <p className="text-base text-ink-soft">{reason}</p>}
      <p className="text-base text-ink-soft">
        <PhoneLink /> or <EmailLink />
      </p>
      <Button busy={busy} onClick={onAgain}>
        Try again
      </Button>
      <p className="text-small text-ink-soft">You will not be charged again.</p>
    </div>
  )
}
