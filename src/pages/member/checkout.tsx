import check from '@lucide/icons/icons/check'
import lock from '@lucide/icons/icons/lock'
import { useEffect } from 'react'
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
import { PageSpinner } from '#ui/spinner.tsx'
import { keepPackage } from '../unfinished/unfinished.ts'

export const meta = (args: MetaArguments) => privateMeta(args, 'Checkout')

/** Time to read the toast (specification, section 2). */
const LOGIN_FIRST = {
  title: 'Unauthorized',
  description: 'You need to be logged in to make a purchase.',
  afterMs: 1000,
}

export default function Checkout() {
  const [query] = useSearchParams()
  const packageId = Number(query.get('packageId'))
  const packages = usePackages()
  const sold = packages.data?.find((p) => p.id === packageId)
  // Without an amount in the address, the server's price.
  const amount = Number(query.get('amount') ?? sold?.price)
  const quote = useQuote(packageId, query.get('code'))
  const payment = usePayment(packageId, quote.isChecking ? undefined : (quote.total ?? amount), quote.code)
  const isGuest = useIsGuest()
  useEffect(() => {
    if (isGuest && packageId > 0) keepPackage(packageId)
  }, [isGuest, packageId])
  return (
    <MembersOnly refusal={LOGIN_FIRST}>
      {() => <CheckoutPage sold={sold} amount={amount} packages={packages} quote={quote} payment={payment} />}
    </MembersOnly>
  )
}

function CheckoutPage({
  sold,
  amount,
  packages,
  quote,
  payment,
}: {
  sold: Package | undefined
  amount: number
  packages: ReturnType<typeof usePackages>
  quote: ReturnType<typeof useQuote>
  payment: ReturnType<typeof usePayment>
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
  return (
    <div className="wrap pt-2 pb-section sm:pt-6 lg:pt-10">
      <Breadcrumb items={[{ label: 'Pricing', to: '/pricing' }, { label: 'Checkout' }]} />
      <h1 className="mt-1 mb-3 font-serif text-[2rem]/[1.05] tracking-[-0.01em] sm:mt-5 sm:mb-8 sm:text-5xl">
        Complete your purchase
      </h1>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:gap-10">
        <section aria-labelledby="payment" className="card p-5 sm:p-8">
          <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 sm:mb-6">
            <h2 id="payment" className="text-[1.0625rem] font-medium">
              Payment
            </h2>
            <p className="text-ink-soft lg:hidden">
              {sold.name}, <span className="whitespace-nowrap">{formatMoney(total)}</span>
            </p>
          </div>
          <PromotionCodeField quote={quote} />
          <PaymentCard sold={sold} amount={amount} quote={quote} payment={payment} />
        </section>
        <div className="lg:h-full">
          <OrderSummary sold={sold} price={price} discounts={quote.discounts} total={total} />
        </div>
      </div>
    </div>
  )
}

const NOTES = [
  'Secure payment via the card provider',
  'Your pass is activated immediately after payment',
  `All classes are ${studio.session.minutes}-minute duo sessions of up to 2 participants`,
  studio.session.credit,
]

function OrderSummary({
  sold,
  price,
  discounts,
  total,
}: {
  sold: Package
  price: number
  discounts: readonly { label: string; amount: string }[]
  total: number
}) {
  const facts = [
    ['Classes included', sold.classCount],
    ['Validity', `${sold.validityMonths} month${sold.validityMonths === 1 ? '' : 's'}`],
    ['Max participants per class', sold.maxParticipants],
  ] as const
  return (
    <section aria-labelledby="order" className="rounded-card bg-linen p-6 sm:p-8 lg:sticky lg:top-28">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="order" className="text-[1.0625rem] font-medium">
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
        {discounts.length > 0 &&
          [{ label: 'Price', amount: String(price) }, ...discounts].map(({ label, amount }) => (
            <div key={label} className="flex justify-between gap-4 border-b border-line py-3 text-base">
              <dt className="text-ink-soft">{label}</dt>
              <dd className="font-medium whitespace-nowrap">{formatMoney(amount)}</dd>
            </div>
          ))}
        <div className="flex items-baseline justify-between gap-4 pt-5">
          <dt>Total</dt>
          <dd className="figure text-[2.75rem]">{formatMoney(total)}</dd>
        </div>
      </dl>
      <ul className="mt-6 grid gap-2.5 border-t border-line pt-6 text-[0.9375rem]/[1.45] text-ink-soft">
        {NOTES.map((note, i) => {
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
