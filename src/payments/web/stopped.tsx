import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { EmailLink, PhoneLink } from '#content/web/facts.tsx'
import { sentenceOf } from '#foundation/call.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { checkoutOf } from '#packages/web/packages.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { NOT_ACTIVATED } from './checkout.ts'

/** Why no payment can be made here now, and the way back. */
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

/** Nobody takes money at the moment; the studio may sell the pass itself. */
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

/** The package costs something else than when it was chosen: what it costs now, and one tap to pay that. */
export function PriceChanged({ sold }: { sold: Package }) {
  const price = formatMoney(sold.price)
  return (
    <Stopped>
      <p>The price of this package has changed. It is {price} now.</p>
      <ButtonLink to={checkoutOf(sold)} replace>
        Try again with {price}
      </ButtonLink>
    </Stopped>
  )
}

/** The address has an amount that is no price: what the package costs, and one tap to pay that. */
export function ConfirmPrice({ sold }: { sold: Package }) {
  const navigate = useNavigate()
  const price = formatMoney(sold.price)
  return (
    <Stopped>
      <p>The link that led here has no valid price. This package costs {price}.</p>
      <Button onClick={() => navigate(checkoutOf(sold), { replace: true })}>Continue with {price}</Button>
    </Stopped>
  )
}

/** Nobody knows yet whether the payment was made: no second one is offered until it is known. */
export function NotKnown({ busy, onAgain }: { busy: boolean; onAgain: () => void }) {
  return (
    <Stopped>
      <p>We do not know yet whether your payment was made. Please look again in a moment.</p>
      <p className="text-base text-ink-soft">Looking again does not pay again.</p>
      <Button variant="secondary" busy={busy} onClick={onAgain}>
        Try again
      </Button>
    </Stopped>
  )
}

/** Paid, but no pass yet: what happened, whom to ask, and a 'Try again' that cannot pay twice. */
export function NotActivated({ error, busy, onAgain }: { error: Error; busy: boolean; onAgain: () => void }) {
  const reason = sentenceOf(error, '')
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
      <p className="text-[0.9375rem] text-ink-soft">You will not be charged again.</p>
    </div>
  )
}
