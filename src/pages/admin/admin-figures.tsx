import type { ReactNode } from 'react'
import type { Booking } from '../../booking/contract.ts'
import { StatusBadge } from '../../booking/web/upcoming-list.tsx'
import { formatDate, londonMonth } from '../../foundation/london.ts'
import { formatPounds } from '../../foundation/money.ts'
import { useAllBookings, useAllUsers, useAnalytics } from '../../insights/web/admin-lists.ts'
import { Read } from '../../ui/read.tsx'
import { present } from '../../ui/use-now.ts'

/** Recent Bookings shows this many (specification, section 9). */
const RECENT = 5

export function OverviewTab() {
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

export function AnalyticsTab() {
  return (
    <Read of={useAnalytics()} failed="The figures could not be loaded.">
      {(all) => (
        <>
          <Figures
            figures={[
              ['Registered Students', all.registeredStudents],
              ['Monthly Revenue', formatPounds(all.monthlyRevenue)],
              ['Total Revenue', formatPounds(all.totalRevenue)],
              ['Active Packages', all.activePackages],
            ]}
          />
          <h2 className="title mt-12 mb-4">Booking Analytics</h2>
          <Figures
            figures={[
              ['Total Bookings', all.totalBookings],
              ['Confirmed Bookings', all.confirmedBookings],
              ['Completed Classes', all.completedBookings],
            ]}
          />
          <h2 className="title mt-12 mb-4">Package Sales</h2>
          <Figures
            figures={[
              ['Total Packages', all.totalPackages],
              ['Active Packages', all.activePackages],
              [
                'Revenue per Student',
                formatPounds(all.registeredStudents ? Number(all.totalRevenue) / all.registeredStudents : 0),
              ],
            ]}
          />
        </>
      )}
    </Read>
  )
}

/** Whether a booking was made in this calendar month, London time. */
function bookedThisMonth({ bookedAt }: Booking): boolean {
  const { from, until } = londonMonth(present())
  const at = Temporal.Instant.from(bookedAt)
  return Temporal.Instant.compare(from, at) <= 0 && Temporal.Instant.compare(at, until) < 0
}

function Figures({ figures }: { figures: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-8 border-y border-line lg:grid-cols-4">
      {figures.map(([term, value]) => (
        <div key={term} className="py-6">
          <dt className="text-[0.9375rem] text-ink-mute">{term}</dt>
          <dd className="figure mt-2 text-[2.25rem]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
