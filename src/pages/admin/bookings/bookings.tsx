import { hashKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { fullName } from '#accounts/rules.ts'
import type { ManagedBooking } from '#booking/contract.ts'
import { type BookingQuery, useAllBookings } from '#booking/web/admin-bookings.ts'
import { PaymentBadge, participants, StatusBadge } from '#booking/web/badges.tsx'
import { addDays, formatDate } from '#foundation/dates.ts'
import { dateOr, today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { DayHeading } from '#ui/day-heading.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import {
  Filters,
  PagedView,
  type Paging,
  pageParams,
  SearchBox,
  SelectFilter,
  useFirstFew,
  usePaging,
} from '#ui/pager.tsx'
import { type Column, RowButton, Rows } from '#ui/rows.tsx'
import { present } from '#ui/use-now.ts'
import { WholeWords } from '#ui/whole-words.tsx'
import { DateRange } from '../date-range.tsx'
import { MemberLink } from '../users/member-details.tsx'
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
  ['', 'Most recently booked'],
  ['class', 'Today’s classes first'],
] as const

type Filter = Pick<BookingQuery, 'search' | 'status' | 'from' | 'to'>

/** The filters in the address: `?status=no_show&from=2026-12-01`. */
function useFilter(): Filter {
  const [query] = useSearchParams()
  const status = STATUSES.find(([value]) => value && value === query.get('status'))?.[0] || undefined
  const date = (name: string) => dateOr(query.get(name), '') || undefined
  return { search: query.get('search') || undefined, status, from: date('from'), to: date('to') }
}

export default function BookingsTab() {
  const paging = usePaging()
  const filter = useFilter()
  const [query] = useSearchParams()
  const order = query.get('order') === 'class' ? 'class' : ''
  const [booking, setBooking] = useState(false)
  const list = {
    filter,
    paging,
    empty: 'No bookings yet',
    noMatches: Object.values(filter).some(Boolean) && 'No bookings match',
    onClear: () => paging.filter({ search: undefined, status: undefined, from: undefined, to: undefined }),
  }
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-x-2 gap-y-3">
        <SearchBox label="Search by member or class" search={paging.search} onSearch={paging.setSearch} />
        <Filters count={[filter.status, filter.from, filter.to, order].filter(Boolean).length}>
          <SelectFilter
            label="Status"
            value={filter.status ?? ''}
            options={STATUSES}
            onChange={(status) => paging.filter({ status })}
          />
          <DateRange
            {...filter}
            labels={['Classes from', 'Classes to']}
            onChange={(name, date) => paging.filter({ [name]: date })}
          />
          <SelectFilter
            label="Order"
            value={order}
            options={ORDERS}
            onChange={(chosen) => paging.filter({ order: chosen })}
          />
        </Filters>
        <div className="contents gap-2 sm:ml-auto sm:flex">
          <a href={csvOf(filter)} download className={buttonClass({ variant: 'secondary', small: true })}>
            CSV
          </a>
          <Button small className="grow" onClick={() => setBooking(true)}>
            Book for a member
          </Button>
        </div>
      </div>
      {order === 'class' ? (
        <ByClass {...list} />
      ) : (
        <>
          <p className="text-caption text-ink-mute sm:hidden">Most recently booked first</p>
          <BookingList label="Bookings" bookings={{ ...filter, order: 'booked' }} {...list} />
        </>
      )}
      {booking && <BookForMemberDialog onClose={() => setBooking(false)} />}
    </>
  )
}

type Listed = { paging: Paging; empty: ReactNode; noMatches?: string | false; onClear?: () => void }

/** Bookings from today; earlier ones are folded, unless there are no others. */
function ByClass({ filter, paging, ...list }: Listed & { filter: Filter }) {
  const { page } = paging
  const day = today(present())
  const yesterday = addDays(day, -1)
  const { from = day, to = yesterday } = filter
  const ahead: BookingQuery = { ...filter, from: from > day ? from : day, order: 'earliest' }
  const before: BookingQuery = { ...filter, to: to < yesterday ? to : yesterday, order: 'latest' }
  const upcoming = useAllBookings({ ...ahead, ...pageParams(page) })
  const [turned, setTurned] = useState({ before, page: 1 })
  // Another filter starts on the first page.
  const pastPage = hashKey([turned.before]) === hashKey([before]) ? turned.page : 1
  const past = (
    <BookingList
      label="Bookings before today"
      bookings={before}
      paging={{ page: pastPage, setPage: (to) => setTurned({ before, page: to }) }}
      {...list}
    />
  )
  if (upcoming.data?.rows.length === 0 && page === 1) return past
  return (
    <>
      <BookingList label="Bookings" bookings={ahead} paging={paging} empty={null} />
      {upcoming.isSuccess && (filter.from ?? '') < day && (
        <Disclosure label="Before today" className="mt-8 border-b pb-2">
          {past}
        </Disclosure>
      )}
    </>
  )
}

function csvOf(filter: Filter): string {
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return `/api/admin/bookings.csv?${new URLSearchParams(given)}`
}

/** Bookings a page at a time, each with its dialog; grouped by day unless ordered by when they were booked. */
function BookingList({ label, bookings, ...list }: Listed & { label: string; bookings: BookingQuery }) {
  const { firstFew, rowClass } = useFirstFew()
  const [managed, setManaged] = useState<ManagedBooking>()
  const query = useAllBookings({ ...bookings, ...pageParams(list.paging.page) })
  const groupOf = ({ class: { date } }: ManagedBooking) => ({ key: date, heading: <DayHeading date={date} /> })
  return (
    <>
      <PagedView query={query} failed="The bookings could not be loaded." firstFew={firstFew} {...list}>
        {(rows) => (
          <Rows
            label={label}
            rowClass={rowClass}
            groupOf={bookings.order === 'booked' ? undefined : groupOf}
            rows={rows}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            actions={(booking) => (
              <RowButton
                label="Manage"
                variant="quiet"
                name={`Manage the booking of ${fullName(booking.user)}, ${formatDate(booking.class.date)} ${booking.class.startTime}`}
                onClick={() => setManaged(booking)}
              />
            )}
          />
        )}
      </PagedView>
      {managed && (
        <ManageBookingDialog
          booking={query.data?.rows.find(({ id }) => id === managed.id) ?? managed}
          onChange={(changed) => setManaged((now) => (now?.id === changed.id ? { ...now, ...changed } : now))}
          onClose={() => setManaged(undefined)}
        />
      )}
    </>
  )
}

const COLUMNS: readonly Column<ManagedBooking>[] = [
  { head: 'Member', cell: ({ user, userId }) => <MemberLink id={userId}>{fullName(user)}</MemberLink> },
  {
    head: 'Class',
    cell: ({ class: studioClass }) => (
      <span className="max-lg:line-clamp-1 xl:inline-block xl:min-w-52">
        <WholeWords text={studioClass.title} />
      </span>
    ),
    place: 'max-lg:basis-full',
  },
  {
    head: 'When',
    cell: ({ class: studioClass }) => (
      <span className="min-[90rem]:whitespace-nowrap">
        <span className="whitespace-nowrap">{formatDate(studioClass.date)},</span>{' '}
        <span className="whitespace-nowrap">
          {studioClass.startTime} - {studioClass.endTime}
        </span>
      </span>
    ),
  },
  {
    head: 'Participants',
    cell: (booking) => <span className="min-[90rem]:whitespace-nowrap">{participants(booking)}</span>,
    // The amount starts the next line.
    place: 'max-lg:min-w-[45%]',
  },
  { head: 'Amount', cell: (booking) => formatMoney(booking.totalAmount), numeric: true },
  { head: 'Status', cell: (booking) => <StatusBadge status={booking.status} />, aside: true },
  {
    head: 'Payment',
    cell: (booking) => <PaymentBadge status={booking.paymentStatus} />,
    place:
      'max-lg:[&_.badge]:bg-transparent max-lg:[&_.badge]:p-0 max-lg:[&_.badge]:before:hidden max-lg:[&_.badge]:font-normal',
  },
]
