import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { EmailLink, PhoneLink } from '#content/web/facts.tsx'
import { errorMessage } from '#foundation/call.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { checkoutOf } from '#packages/web/packages.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { NOT_ACTIVATED } from './checkout.ts'

/** Why no payment can be made, and a link back. */
export function Stopped({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-5 rounded-row bg-linen px-6 py-6">
      {children}
      <ButtonLink to="/pricing" variant="quiet" small className="-ml-5">
        Back to Pricing
      </ButtonLink>
    </div>
  )
}

export function Disabled() {
  return (
    <Stopped>
      <p>Payment processing is temporarily disabled.</p>
      <p className="text-base text-ink-soft">
        To buy a pass now, call us: <PhoneLink />
      </p>
    </Stopped>
  )
}

/** The price has changed: the new price, with a button to pay it. */
export function PriceChanged({ sold, isGift }: { sold: Package; isGift: boolean }) {
  const price = formatMoney(sold.price)
  return (
    <Stopped>
      <p>The price of this package has changed. It is {price} now.</p>
      <ButtonLink to={checkoutOf(sold, isGift)} replace>
        Try again with {price}
      </ButtonLink>
    </Stopped>
  )
}

/** The amount in the address is invalid: the price, with a button to pay it. */
export function ConfirmPrice({ sold, isGift }: { sold: Package; isGift: boolean }) {
  const navigate = useNavigate()
  const price = formatMoney(sold.price)
  return (
    <Stopped>
      <p>The link that led here has no valid price. This package costs {price}.</p>
      <Button onClick={() => navigate(checkoutOf(sold, isGift), { replace: true })}>Continue with {price}</Button>
    </Stopped>
  )
}

/** Whether the payment was made is uncertain, so no second one is offered. */
export function OutcomeUnknown({ busy, onAgain }: { busy: boolean; onAgain: () => void }) {
  return (
    <Stopped>
      <p>We do not know yet whether your payment was made. Please look again in a moment.</p>
      <p className="text-base text-ink-soft">You will not be charged twice.</p>
      <Button variant="secondary" busy={busy} onClick={onAgain}>
        Try again
      </Button>
    </Stopped>
  )
}

/** Paid, but there is no pass yet. Trying again does not charge again. */
export function NotActivated({ error, busy, onAgain }: { error: Error; busy: boolean; onAgain: () => void }) {
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
