import check from '@lucide/icons/icons/check'
import lock from '@lucide/icons/icons/lock'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { MembersOnly } from '#accounts/web/members-only.tsx'
import { useIsGuest } from '#accounts/web/session.ts'
import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { errorMessage } from '#foundation/call.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { usePackages } from '#packages/web/packages.ts'
import { usePayment, useQuote } from '#payments/web/checkout.ts'
import { PaymentCard } from '#payments/web/payment-card.tsx'
import { PromotionCodeField } from '#payments/web/promotion-code.tsx'
import { studio } from '#studio.ts'
import { Arches, canDrawArches } from '#ui/arches.tsx'
import { Badge } from '#ui/badge.tsx'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState } from '#ui/query-view.tsx'
import { PageSpinner, Spinner } from '#ui/spinner.tsx'
import type { Gift } from '#vouchers/contract.ts'
import { keepPackage } from '../resume/resumable.ts'

const GiftStep = lazy(() => import('#payments/web/gift-step.tsx'))
const GiftDetails = lazy(() => import('#payments/web/gift-details.tsx'))

export const meta = (args: MetaArguments) =>
  privateMeta(args, 'Checkout', 'Pay for your class pass by card. It is active as soon as the payment is made.')

/** Time to read the toast. */
const LOGIN_FIRST = {
  title: 'Unauthorized',
  description: 'You need to be logged in to make a purchase.',
  afterMs: 1000,
}

export default function Checkout() {
  const [query, setQuery] = useSearchParams()
  const [typed, setTyped] = useState<Gift>()
  const [isEditing, setEditing] = useState(true)
  const gift = isEditing ? undefined : typed
  const packageId = Number(query.get('packageId'))
  const packages = usePackages()
  const sold = packages.data?.find((p) => p.id === packageId)
  // Without an amount in the address, the server's price.
  const amount = Number(query.get('amount') ?? sold?.price)
  // A package that is sold once per member cannot be given.
  const isGift = query.get('gift') === 'true' && !sold?.purchaseOncePerUser
  const quote = useQuote(packageId, query.get('code'), isGift)
  const payment = usePayment(packageId, quote.isChecking ? undefined : (quote.total ?? amount), {
    code: quote.code,
    gift: isGift ? (gift ?? null) : undefined,
  })
  const giving = {
    isGift,
    gift: isGift ? gift : undefined,
    typed,
    set: (given: Gift) => {
      setTyped(given)
      setEditing(false)
    },
    edit: () => setEditing(true),
    toggle: () =>
      setQuery(
        (before) => {
          if (isGift) before.delete('gift')
          else before.set('gift', 'true')
          return before
        },
        { replace: true, preventScrollReset: true },
      ),
  }
  const isGuest = useIsGuest()
  useEffect(() => {
    if (isGuest && packageId > 0) keepPackage(packageId, isGift)
  }, [isGuest, packageId, isGift])
  return (
    <MembersOnly refusal={LOGIN_FIRST}>
      {({ id: userId }) => (
        <CheckoutPage
          userId={userId}
          sold={sold}
          amount={amount}
          packages={packages}
          quote={quote}
          payment={payment}
          giving={giving}
        />
      )}
    </MembersOnly>
  )
}

function CheckoutPage({
  userId,
  sold,
  amount,
  packages,
  quote,
  payment,
  giving,
}: {
  userId: string
  sold: Package | undefined
  amount: number
  packages: ReturnType<typeof usePackages>
  quote: ReturnType<typeof useQuote>
  payment: ReturnType<typeof usePayment>
  giving: Giving
}) {
  if (packages.isPending) return <PageSpinner label="Loading your order" />
  if (packages.isError || !sold) {
    return (
      <div className="grid min-h-[70vh] place-items-center">
        <EmptyState
          page
          title={
            packages.isError ? errorMessage(packages.error, 'The order could not be loaded.') : 'Package not found.'
          }
        >
          {packages.isError && (
            <Button variant="secondary" onClick={() => packages.refetch()}>
              Try again
            </Button>
          )}
          <ButtonLink to="/pricing">Back to Pricing</ButtonLink>
        </EmptyState>
      </div>
    )
  }
  // A payment that was started before the price changed keeps its price for a while.
  const price = payment.intent.data ? amount : Number(sold.price)
  const total = quote.total ?? price
  const { isGift, gift } = giving
  const isAsking = isGift && !gift && payment.found.isNone && payment.setup.data?.provider !== 'disabled'
  return (
    <div className="wrap pt-2 pb-section sm:pt-6 lg:pt-10">
      <Breadcrumb items={[{ label: 'Pricing', to: '/pricing' }, { label: 'Checkout' }]} />
      <h1 className="mt-1 mb-3 font-serif text-[2rem]/[1.05] tracking-[-0.01em] sm:mt-5 sm:mb-8 sm:text-5xl">
        Complete your purchase
      </h1>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:gap-10">
        <section aria-labelledby="payment" className="card p-5 sm:p-8">
          <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 sm:mb-6">
            <h2 id="payment" className="text-body font-medium">
              {isAsking ? 'Your gift' : 'Payment'}
            </h2>
            <p className="text-ink-soft lg:hidden">
              {sold.name}, <span className="whitespace-nowrap">{formatMoney(total)}</span>
            </p>
          </div>
          {gift && (
            <Suspense>
              <GiftDetails gift={gift} onChange={() => giving.edit()} />
            </Suspense>
          )}
          <div className="flex flex-wrap gap-x-8">
            <PromotionCodeField quote={quote} />
            {!sold.purchaseOncePerUser && (
              <Button variant="quiet" small className="mb-3 -ml-4" onClick={giving.toggle}>
                {isGift ? 'Buy it for myself' : 'Give as a gift'}
              </Button>
            )}
          </div>
          {isAsking ? (
            <Suspense fallback={<Spinner label="Loading the form" visible />}>
              <GiftStep userId={userId} gift={giving.typed} onDone={giving.set} />
            </Suspense>
          ) : (
            <PaymentCard sold={sold} amount={amount} quote={quote} gift={gift} payment={payment} />
          )}
        </section>
        <div className="lg:h-full">
          <OrderSummary
            sold={sold}
            price={price}
            discounts={quote.discounts}
            total={total}
            isGift={isGift}
            isUsedTonight={payment.setup.data?.isUsedTonight}
          />
        </div>
      </div>
    </div>
  )
}

type Giving = {
  isGift: boolean
  /** Undefined until it is known who it is for. */
  gift: Gift | undefined
  typed: Gift | undefined
  set: (gift: Gift) => void
  edit: () => void
  toggle: () => void
}

const NOTES = [
  'Secure payment via the card provider',
  'Your pass is activated immediately after payment',
  `All classes are ${studio.session.minutes}-minute duo sessions of up to 2 participants`,
  studio.session.credit,
]

const GIFT_NOTES = [
  NOTES[0],
  `The voucher can be redeemed for ${studio.policies.voucher.validityMonths} months`,
  'The pass is valid from the day it is redeemed',
  `You can get your money back for ${studio.policies.refundDays} days, unless it has been redeemed`,
]

function OrderSummary({
  sold,
  price,
  discounts,
  total,
  isGift,
  isUsedTonight = false,
}: {
  sold: Package
  price: number
  discounts: readonly { label: string; amount: string }[]
  total: number
  isGift: boolean
  /** Regular bookings use the credits from tonight. */
  isUsedTonight: boolean | undefined
}) {
  const notes = isGift ? GIFT_NOTES : NOTES
  const facts = [
    ['Classes included', sold.classCount],
    ['Validity', `${sold.validityMonths} month${sold.validityMonths === 1 ? '' : 's'}`],
    ['Max participants per class', sold.maxParticipants],
  ] as const
  return (
    <section aria-labelledby="order" className="rounded-card bg-linen p-6 sm:p-8 lg:sticky lg:top-28">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="order" className="text-body font-medium">
          Order summary
        </h2>
        {sold.isLimitedOffer && <Badge tone="clay">Limited time offer</Badge>}
      </div>
      <p className="mt-6 font-serif text-[1.75rem]/[1.1]">{sold.name}</p>
      {canDrawArches(sold.classCount) && (
        <div className="mt-3">
          <Arches count={sold.classCount} filled={sold.classCount} />
        </div>
      )}
      <dl className="mt-5 border-t border-line">
        {facts.map(([term, value]) => (
          <div key={term} className="flex justify-between gap-4 border-b border-line py-3 text-base">
            <dt className="text-ink-soft">{term}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
        {(isGift || discounts.length > 0) &&
          [{ label: isGift ? `Gift voucher: ${sold.name}` : 'Price', amount: String(price) }, ...discounts].map(
            ({ label, amount }) => (
              <div key={label} className="flex justify-between gap-4 border-b border-line py-3 text-base">
                <dt className="min-w-0 text-ink-soft wrap-anywhere">{label}</dt>
                <dd className="font-medium whitespace-nowrap">{formatMoney(amount)}</dd>
              </div>
            ),
          )}
        <div className="flex items-baseline justify-between gap-4 pt-5">
          <dt>Total</dt>
          <dd className="figure text-[2.75rem]">{formatMoney(total)}</dd>
        </div>
      </dl>
      <ul className="mt-6 grid gap-2.5 border-t border-line pt-6 text-small/even text-ink-soft">
        {[...notes, ...(isUsedTonight && !isGift ? [studio.session.creditsTonight] : [])].map((note, i) => {
          const icon = i === 0 ? lock : check
          return (
            <li key={note} className="flex gap-3">
              <Icon of={icon} size={18} className="mt-0.5 flex-none text-sage" /> {note}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
