import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Booking } from '#booking/contract.ts'
import { type BookingQuery, useAllBookings } from '#booking/web/admin-bookings.ts'
import { PaymentBadge, participants, StatusBadge } from '#booking/web/badges.tsx'
import { formatDate, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { PagedView, pageParams } from '#ui/pager.tsx'
import { Rows } from '#ui/rows.tsx'
import { present } from '#ui/use-now.ts'
import { useShowAll } from '../show-all.ts'
import { ManageBookingDialog } from './manage-booking.tsx'

/** So many of a page a phone shows before it is asked for all of them. */
const FIRST_FEW = 8

/** Bookings a page at a time, each with its dialog; under the days of their classes unless they are ordered by when they were booked. */
export function BookingList({
  label,
  bookings,
  page,
  onTurn,
  empty,
}: {
  label: string
  bookings: BookingQuery
  page: number
  onTurn: (to: number) => void
  empty: ReactNode
}) {
  const [isAll, showAll] = useShowAll()
  const [managed, setManaged] = useState<Booking>()
  const query = useAllBookings({ ...bookings, ...pageParams(page) })
  return (
    <>
      <PagedView query={query} failed="The bookings could not be loaded." page={page} onTurn={onTurn} empty={empty}>
        {(rows) => (
          <>
            <BookingRows label={label} rows={rows} order={bookings.order} isAll={isAll} onManage={setManaged} />
            {!isAll && rows.length > FIRST_FEW && (
              <Button variant="secondary" className="mt-4 w-full md:hidden" onClick={showAll}>
                Show all {rows.length} of this page
              </Button>
            )}
          </>
        )}
      </PagedView>
      {managed && (
        <ManageBookingDialog
          booking={query.data?.rows.find(({ id }) => id === managed.id) ?? managed}
          onClose={() => setManaged(undefined)}
        />
      )}
    </>
  )
}

type Listed = {
  label: string
  rows: readonly Booking[]
  order: BookingQuery['order']
  isAll: boolean
  onManage: (booking: Booking) => void
}

function BookingRows({ label, rows, order, isAll, onManage }: Listed) {
  return (
    <Rows
      label={label}
      compact
      rowClass={(index) => (isAll || index < FIRST_FEW ? '' : 'max-md:hidden')}
      groupOf={
        order === 'booked' ? undefined : ({ class: { date } }) => ({ key: date, heading: <DayHeading date={date} /> })
      }
      rows={rows}
      keyOf={(booking) => booking.id}
      columns={[
        {
          head: 'Member',
          cell: ({ user, userId }) => (
            <Link
              to={`/admin?tab=Users&user=${userId}`}
              className="link inline-flex min-h-8 items-center max-lg:block max-lg:truncate max-lg:leading-8"
            >
              {user.firstName} {user.lastName}
            </Link>
          ),
        },
        { head: 'Class', cell: ({ class: c }) => <span className="max-lg:line-clamp-1">{c.title}</span> },
        {
          head: 'When',
          cell: ({ class: c }) => (
            <span className="min-[90rem]:whitespace-nowrap">
              <span className="whitespace-nowrap">{formatDate(c.date)},</span>{' '}
              <span className="whitespace-nowrap">
                {c.startTime} - {c.endTime}
              </span>
            </span>
          ),
        },
        {
          head: 'Participants',
          cell: (booking) => <span className="min-[90rem]:whitespace-nowrap">{participants(booking)}</span>,
          wide: 'xl',
        },
        { head: 'Amount', cell: (booking) => formatMoney(booking.totalAmount), numeric: true, wide: true },
        { head: 'Status', cell: (booking) => <StatusBadge status={booking.status} />, beside: true },
        { head: 'Payment', cell: (booking) => <PaymentBadge status={booking.paymentStatus} />, wide: true },
      ]}
      actions={(booking) => (
        <Button
          variant="quiet"
          small
          className="max-lg:-mr-5"
          aria-label={`Manage the booking of ${booking.user.firstName} ${booking.user.lastName}, ${formatDate(booking.class.date)} ${booking.class.startTime}`}
          onClick={() => onManage(booking)}
        >
          Manage
        </Button>
      )}
    />
  )
}

function DayHeading({ date }: { date: string }) {
  return (
    <span className="flex items-baseline gap-2">
      {weekdayOf(date)} <span className="font-normal text-ink-mute tabular-nums">{formatDate(date)}</span>
      {date === today(present()) && <Badge tone="clay">Today</Badge>}
    </span>
  )
}
