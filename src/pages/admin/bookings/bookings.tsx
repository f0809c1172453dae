import download from '@lucide/icons/icons/download'
import plus from '@lucide/icons/icons/plus'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Booking } from '../../../booking/contract.ts'
import { type BookingQuery, useAllBookings } from '../../../booking/web/admin-bookings.ts'
import { PaymentBadge, participants, StatusBadge } from '../../../booking/web/badges.tsx'
import { formatDate } from '../../../foundation/dates.ts'
import { dateOr } from '../../../foundation/instants.ts'
import { formatMoney } from '../../../foundation/money.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { DateFilter } from '../../../ui/date-field.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SelectFilter } from '../../../ui/filters.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PagedView, SearchBox, usePaging } from '../../../ui/pager.tsx'
import { Rows } from '../../../ui/rows.tsx'
import { useShowAll } from '../show-all.ts'
import { BookForMemberDialog } from './book-for-member.tsx'
import { ManageBookingDialog } from './manage-booking.tsx'

/** So many of a page a phone shows before it is asked for all of them. */
const FIRST_FEW = 8

const STATUSES = [
  ['', 'All'],
  ['confirmed', 'Confirmed'],
  ['completed', 'Completed'],
  ['cancelled', 'Cancelled'],
  ['no_show', 'No show'],
] as const

/** What the address asks for: `?status=no_show&from=2026-12-01`. */
function useFilter(): Pick<BookingQuery, 'status' | 'from' | 'to'> {
  const [query] = useSearchParams()
  const status = STATUSES.find(([value]) => value && value === query.get('status'))?.[0] || undefined
  const date = (name: string) => dateOr(query.get(name), '') || undefined
  return { status, from: date('from'), to: date('to') }
}

export default function BookingsTab() {
  const paging = usePaging()
  const filter = useFilter()
  const [isAll, showAll] = useShowAll()
  const [managed, setManaged] = useState<Booking>()
  const [booking, setBooking] = useState(false)
  const page = useAllBookings({ ...paging.params, ...filter })
  const isFiltered = Boolean(paging.search || filter.status || filter.from || filter.to)
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-3">
        <SearchBox label="Search by member or class" search={paging.search} onSearch={paging.setSearch} />
        <div className="grid w-full grid-cols-2 gap-3 sm:flex sm:w-auto">
          <SelectFilter
            label="Status"
            value={filter.status ?? ''}
            options={STATUSES}
            onChange={(status) => paging.filter({ status })}
          />
          <DateFilter
            label="Classes from"
            value={filter.from ?? ''}
            max={filter.to}
            onChange={(from) => paging.filter({ from })}
          />
          <DateFilter
            label="Classes to"
            value={filter.to ?? ''}
            min={filter.from}
            onChange={(to) => paging.filter({ to })}
          />
        </div>
        <div className="flex w-full flex-wrap gap-2 sm:ml-auto sm:w-auto">
          <a
            href={fileOf({ search: paging.search, ...filter })}
            download
            className={buttonClass({ variant: 'secondary', small: true })}
          >
            <Icon of={download} aria-hidden strokeWidth={1.5} /> CSV
          </a>
          <Button small onClick={() => setBooking(true)}>
            <Icon of={plus} aria-hidden strokeWidth={1.5} /> Book for a member
          </Button>
        </div>
      </div>
      <PagedView
        query={page}
        failed="The bookings could not be loaded."
        page={paging.page}
        onTurn={paging.setPage}
        empty={<EmptyState title={isFiltered ? 'No bookings match' : 'No bookings yet'} />}
      >
        {(rows) => (
          <>
            <BookingRows rows={rows} isAll={isAll} onManage={setManaged} />
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
          booking={page.data?.rows.find(({ id }) => id === managed.id) ?? managed}
          onClose={() => setManaged(undefined)}
        />
      )}
      {booking && <BookForMemberDialog onClose={() => setBooking(false)} />}
    </>
  )
}

type Listed = { rows: readonly Booking[]; isAll: boolean; onManage: (booking: Booking) => void }

function BookingRows({ rows, isAll, onManage }: Listed) {
  return (
    <Rows
      label="Bookings"
      compact
      rowClass={(index) => (isAll || index < FIRST_FEW ? '' : 'max-md:hidden')}
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
            <>
              <span className="whitespace-nowrap">{formatDate(c.date)},</span>{' '}
              <span className="whitespace-nowrap">
                {c.startTime} - {c.endTime}
              </span>
            </>
          ),
        },
        { head: 'Participants', cell: participants, wide: true },
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

/** The same bookings as a file, all pages of them. */
function fileOf(filter: Record<string, string | undefined>): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = new URLSearchParams(given).toString()
  return `/api/admin/bookings.csv${query ? `?${query}` : ''}`
}
