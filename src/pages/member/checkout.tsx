import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { MembersOnly } from '../../accounts/web/members-only.tsx'
import { useIsGuest } from '../../accounts/web/session.ts'
import { privateMeta } from '../../content/seo.ts'
import { sentenceOf } from '../../foundation/call.ts'
import type { Package } from '../../packages/contract.ts'
import { usePackages } from '../../packages/web/packages.ts'
import { usePayment } from '../../payments/web/checkout.ts'
import { OrderSummary } from '../../payments/web/order-summary.tsx'
import { PaymentCard } from '../../payments/web/payment-card.tsx'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { keepPackage } from '../unfinished/unfinished.ts'

export const meta = () => privateMeta('Checkout')

/** One second, so that the toast can be read (specification, section 2). */
const LOGIN_FIRST = {
  title: 'Unauthorized',
  description: 'You need to be logged in to make a purchase.',
  afterMs: 1000,
}

/** What it needs is asked for together with the session, not after it. */
export default function Checkout() {
  const [query] = useSearchParams()
  const packageId = Number(query.get('packageId'))
  const packages = usePackages()
  const sold = packages.data?.find((p) => p.id === packageId)
  // Without an amount in the address it is the server's price.
  const amount = Number(query.get('amount') ?? sold?.price)
  const payment = usePayment(packageId, amount)
  const isGuest = useIsGuest()
  useEffect(() => {
    if (isGuest && packageId > 0) keepPackage(packageId)
  }, [isGuest, packageId])
  return (
    <MembersOnly otherwise={LOGIN_FIRST}>
      {() => <CheckoutPage sold={sold} amount={amount} packages={packages} payment={payment} />}
    </MembersOnly>
  )
}

function CheckoutPage({
  sold,
  amount,
  packages,
  payment,
}: {
  sold: Package | undefined
  amount: number
  packages: ReturnType<typeof usePackages>
  payment: ReturnType<typeof usePayment>
}) {
  if (packages.isPending) return <PageSpinner label="Loading your order" />
  if (packages.isError || !sold || !(amount > 0)) {
    return (
      <div className="grid min-h-[70vh] place-items-center">
        <EmptyState
          page
          title={packages.isError ? sentenceOf(packages.error, 'The order could not be loaded.') : 'Package not found.'}
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
  return (
    <div className="wrap max-w-[1120px] pt-6 pb-section lg:pt-10">
      <Breadcrumb items={[{ label: 'Pricing', to: '/pricing' }, { label: 'Checkout' }]} />
      <h1 className="mt-5 mb-8 font-serif text-[2.5rem]/[1.05] tracking-[-0.01em] sm:text-5xl">
        Complete your purchase
      </h1>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:gap-10">
        <section aria-labelledby="payment" className="card order-2 p-6 sm:p-8 lg:order-1">
          <h2 id="payment" className="mb-6 text-[1.0625rem] font-medium">
            Payment
          </h2>
          <PaymentCard sold={sold} amount={amount} payment={payment} />
        </section>
        <div className="order-1 lg:order-2 lg:h-full">
          <OrderSummary sold={sold} />
        </div>
      </div>
    </div>
  )
}
