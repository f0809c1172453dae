import type { ReactNode } from 'react'
import type { Booking } from '#booking/contract.ts'
import type { PaidPlace } from '#booking/contract-companions.ts'
import type { RegularBooking } from '#booking/contract-regular.ts'
import type { WaitingEntry } from '#booking/contract-waiting.ts'
import { CreditsAreUsedTonight } from '#booking/web/can-book.tsx'
import { SubscribeButton } from '#calendar/web/subscribe-button.tsx'
import type { Pass } from '#passes/contract.ts'
import { PassLine } from '#passes/web/pass-line.tsx'
import { studio } from '#studio.ts'
import { ButtonLink } from '#ui/button.tsx'
import { dialogButton } from '#ui/dialog-button.tsx'

/** What both layouts of the dashboard show. */
export type DashboardData = {
  isAdmin: boolean
  upcoming: Booking[]
  waiting: WaitingEntry[]
  paid: PaidPlace[]
  regulars: RegularBooking[]
  passes: Pass[]
  steps?: ReactNode
}

const ViewHistory = dialogButton(() => import('#booking/web/history.tsx'), 'View History')

const CreditHistory = dialogButton(
  () => import('#passes/web/credit-history-dialog.tsx'),
  'Credit history',
  'link sm:mt-3 inline-flex min-h-11 items-center text-small',
)

const Receipts = dialogButton(
  () => import('#payments/web/receipts-dialog.tsx'),
  'Receipts',
  'link sm:mt-3 inline-flex min-h-11 items-center text-small',
)

const Redeem = dialogButton(
  () => import('#vouchers/web/redeem-dialog.tsx'),
  'Use a voucher',
  'link sm:mt-3 inline-flex min-h-11 items-center text-small',
)

/** Active passes. The credit history needs a pass, receipts do not: a voucher has one too. */
export function ActivePasses({
  active,
  hasAny,
  empty,
  bordered = false,
}: {
  active: readonly Pass[]
  hasAny: boolean
  empty: ReactNode
  bordered?: boolean
}) {
  return (
    <>
      {active.length ? (
        <>
          <ul className={`divide-y divide-line ${bordered ? 'border-y border-line' : ''}`}>
            {active.map((pass) => (
              <li key={pass.id}>
                <PassLine pass={pass} />
              </li>
            ))}
          </ul>
          <p className={`text-caption/snug text-ink-mute max-sm:hidden ${bordered ? 'mt-3' : ''}`}>
            {studio.session.credit}
          </p>
          <CreditsAreUsedTonight />
        </>
      ) : (
        empty
      )}
      <div className="flex flex-wrap gap-x-6">
        {hasAny && <CreditHistory />}
        <Receipts />
        <Redeem />
      </div>
    </>
  )
}

export function QuickActions({
  isAdmin,
  book,
  isBookPrimary,
  className = '',
}: {
  isAdmin: boolean
  /** The label of the link to the booking page. */
  book: string
  isBookPrimary: boolean
  className?: string
}) {
  return (
    <div
      className={`grid grid-cols-2 gap-2 max-sm:[&>.btn]:min-h-11 max-sm:[&>.btn]:px-3 sm:gap-3 lg:grid-cols-1 ${className}`}
    >
      <ButtonLink to="/booking" variant={isBookPrimary ? 'primary' : 'secondary'}>
        {book}
      </ButtonLink>
      <ButtonLink to="/pricing" variant="secondary">
        Buy Class Pass
      </ButtonLink>
      <ViewHistory />
      <SubscribeButton isAdmin={isAdmin} />
    </div>
  )
}
