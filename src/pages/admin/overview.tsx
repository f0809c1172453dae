import type { Booking } from '../../booking/contract.ts'
import { StatusBadge } from '../../booking/web/upcoming-list.tsx'
import { formatDate, londonMonth } from '../../foundation/london.ts'
import { formatPounds } from '../../foundation/money.ts'
import { useAllBookings, useAllUsers, useAnalytics } from '../../insights/web/admin-lists.ts'
import { Read } from '../../ui/read.tsx'
import { present } from '../../ui/use-now.ts'
import { Figures } from './figures.tsx'

/** Recent Bookings shows this many (specification, section 9). */
const RECENT = 5

export default function OverviewTab() {
  const users = useAllUsers()
  const analytics = useAnalytics()
  return (
    <Read of={useAllBookings()} failed="The bookings could not be loaded.">
      {(bookings) => {
        const month = bookings.filter(bookedThisMonth)
        return (
          <>
            <Figures
              figures={[
                ['Total Users', users.data?.length ?? '…'],
                ["This Month's Bookings", month.length],
                ['Confirmed This Month', month.filter(({ status }) => status === 'confirmed').length],
                ["This Month's Revenue", analytics.data ? formatPounds(analytics.data.monthlyRevenue) : '…'],
              ]}
            />
            <h2 className="title mt-12 mb-4">Recent Bookings</h2>
            <ul className="border-t border-line">
              {bookings.slice(0, RECENT).map((booking) => (
                <li key={booking.id} className="flex items-center justify-between gap-4 border-b border-line py-4">
                  <div>
                    <p className="font-medium">
                      {booking.user.firstName} {booking.user.lastName}
                    </p>
                    <p className="text-[0.9375rem] text-ink-soft">
                      {formatDate(booking.class.date)}, {booking.class.startTime}
                    </p>
                  </div>
                  <StatusBadge status={booking.status} />
                </li>
              ))}
            </ul>
          </>
        )
      }}
    </Read>
  )
}

/** Whether a booking was made in this calendar month, London time. */
function bookedThisMonth({ bookedAt }: Booking): boolean {
  const { from, until } = londonMonth(present())
  const at = Temporal.Instant.from(bookedAt)
  return Temporal.Instant.compare(from, at) <= 0 && Temporal.Instant.compare(at, until) < 0
}
