import download from '@lucide/icons/icons/download'
import plus from '@lucide/icons/icons/plus'
import { hashKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Booking } from '#booking/contract.ts'
import { type BookingQuery, useAllBookings } from '#booking/web/admin-bookings.ts'
import { PaymentBadge, participants, StatusBadge } from '#booking/web/badges.tsx'
import { formatDate, weekdayOf } from '#foundation/dates.ts'
import { dateOr, today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { DateFilter } from '#ui/date-field.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Icon } from '#ui/icon.tsx'
import { PagedView, type Paging, pageParams, SearchBox, SelectFilter, usePaging } from '#ui/pager.tsx'
import { Rows } from '#ui/rows.tsx'
import { present } from '#ui/use-now.ts'
import { useShowAll } from '../tab-state.ts'
import { BookForMemberDialog } from './book-for-member.tsx'
import { ManageBookingDialog } from './manage-booking.tsx'

const STATUSES = [
  ['', 'All'],
  ['confirmed', 'Confirmed'],
  ['completed', 'Completed'],
  ['cancelled', 'Cancelled'],
  ['no_show', 'No show'],
] as const

const ORDERS = [
  ['', 'Last booked first'],
  ['class', 'Today first'],
] as const

/** The filters in the address: `?status=no_show&from=2026-12-01`. */
function useFilter(): Pick<BookingQuery, 'status' | 'from' | 'to'> {
  const [query] = useSearchParams()
  const status = STATUSES.find(([value]) => value && value === query.get('status'))?.[0] || undefined
  const date = (name: string) => dateOr(query.get(name), '') || undefined
  return { status, from: date('from'), to: date('to') }
}

export default function BookingsTab() {
  const paging = usePaging()
  const filter = useFilter()
  const [query] = useSearchParams()
  const isByClass = query.get('order') === 'class'
  const [booking, setBooking] = useState(false)
  const asked = { search: paging.search || undefined, ...filter }
  const isFiltered = Object.values(asked).some(Boolean)
  const list = {
    asked,
    paging,
    empty: 'No bookings yet',
    noMatches: isFiltered && 'No bookings match',
    onClear: () => paging.filter({ search: undefined, status: undefined, from: undefined, to: undefined }),
  }
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
          <SelectFilter
            label="Order"
            value={isByClass ? 'class' : ''}
            options={ORDERS}
            onChange={(order) => paging.filter({ order })}
          />
        </div>
        <div className="flex w-full flex-wrap gap-2 sm:ml-auto sm:w-auto">
          <a href={fileOf(asked)} download className={buttonClass({ variant: 'secondary', small: true })}>
            <Icon of={download} aria-hidden strokeWidth={1.5} /> CSV
          </a>
          <Button small onClick={() => setBooking(true)}>
            <Icon of={plus} aria-hidden strokeWidth={1.5} /> Book for a member
          </Button>
        </div>
      </div>
      {isByClass ? <ByClass {...list} /> : <ByBooking {...list} />}
      {booking && <BookForMemberDialog onClose={() => setBooking(false)} />}
    </>
  )
}

type Asked = Pick<BookingQuery, 'search' | 'status' | 'from' | 'to'>
type Listed = {
  asked: Asked
  paging: Paging
  empty: ReactNode
  noMatches?: string | false
  onClear?: () => void
}

function ByBooking({ asked, ...list }: Listed) {
  return <BookingList label="Bookings" bookings={{ ...asked, order: 'booked' }} {...list} />
}

/** Bookings from today; earlier ones are folded, unless there are no others. */
function ByClass({ asked, paging, ...list }: Listed) {
  const { page } = paging
  const day = today(present())
  const yesterday = Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
  const { from = day, to = yesterday } = asked
  const ahead: BookingQuery = { ...asked, from: from > day ? from : day, order: 'earliest' }
  const before: BookingQuery = { ...asked, to: to < yesterday ? to : yesterday, order: 'latest' }
  const toCome = useAllBookings({ ...ahead, ...pageParams(page) })
  const [turned, setTurned] = useState({ before, page: 1 })
  const past = (
    <BookingList
      label="Bookings before today"
      bookings={before}
      // Another filter starts on the first page.
      paging={{
        page: hashKey([turned.before]) === hashKey([before]) ? turned.page : 1,
        setPage: (to) => setTurned({ before, page: to }),
      }}
      {...list}
    />
  )
  if (toCome.data?.rows.length === 0 && page === 1) return past
  return (
    <>
      <BookingList label="Bookings" bookings={ahead} paging={paging} empty={null} />
      {toCome.isSuccess && (asked.from ?? '') < day && (
        <Disclosure label="Before today" className="mt-8 border-b pb-2">
          {past}
        </Disclosure>
      )}
    </>
  )
}

/** The address of the same bookings as a file, all pages. */
function fileOf(filter: Record<string, string | undefined>): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = new URLSearchParams(given).toString()
  return `/api/admin/bookings.csv${query ? `?${query}` : ''}`
}

/** Rows of a page that a phone shows at first. */
const FIRST_FEW = 8

/** Bookings a page at a time, each with its dialog; grouped by the day of the class unless ordered by when they were booked. */
function BookingList({ label, bookings, ...list }: Omit<Listed, 'asked'> & { label: string; bookings: BookingQuery }) {
  const [isAll, showAll] = useShowAll()
  const [managed, setManaged] = useState<Booking>()
  const query = useAllBookings({ ...bookings, ...pageParams(list.paging.page) })
  return (
    <>
      <PagedView query={query} failed="The bookings could not be loaded." {...list}>
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

type ListedRows = {
  label: string
  rows: readonly Booking[]
  order: BookingQuery['order']
  isAll: boolean
  onManage: (booking: Booking) => void
}

function BookingRows({ label, rows, order, isAll, onManage }: ListedRows) {
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
