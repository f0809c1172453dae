import download from '@lucide/icons/icons/download'
import plus from '@lucide/icons/icons/plus'
import { hashKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type BookingQuery, useAllBookings } from '#booking/web/admin-bookings.ts'
import { dateOr, today } from '#foundation/instants.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { DateFilter } from '#ui/date-field.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Icon } from '#ui/icon.tsx'
import { NoMatches, pageParams, SearchBox, SelectFilter, usePaging } from '#ui/pager.tsx'
import { EmptyState } from '#ui/query-view.tsx'
import { present } from '#ui/use-now.ts'
import { BookForMemberDialog } from './book-for-member.tsx'
import { BookingList } from './booking-list.tsx'

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
  const [query] = useSearchParams()
  const isByClass = query.get('order') === 'class'
  const [booking, setBooking] = useState(false)
  const asked = { search: paging.search || undefined, ...filter }
  const isFiltered = Object.values(asked).some(Boolean)
  const clear = () => paging.filter({ search: undefined, status: undefined, from: undefined, to: undefined })
  const list = {
    asked,
    page: paging.page,
    onTurn: paging.setPage,
    empty: isFiltered ? (
      <NoMatches title="No bookings match" onClear={clear} />
    ) : (
      <EmptyState title="No bookings yet" />
    ),
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
type Listed = { asked: Asked; page: number; onTurn: (to: number) => void; empty: ReactNode }

function ByBooking({ asked, ...list }: Listed) {
  return <BookingList label="Bookings" bookings={{ ...asked, order: 'booked' }} {...list} />
}

/** Today and what is to come; what was before is folded, unless there is nothing else. */
function ByClass({ asked, page, onTurn, empty }: Listed) {
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
      // Whoever asks for something else begins with the first page.
      page={hashKey([turned.before]) === hashKey([before]) ? turned.page : 1}
      onTurn={(to) => setTurned({ before, page: to })}
      empty={empty}
    />
  )
  if (toCome.data?.rows.length === 0 && page === 1) return past
  return (
    <>
      <BookingList label="Bookings" bookings={ahead} page={page} onTurn={onTurn} empty={null} />
      {toCome.isSuccess && (asked.from ?? '') < day && (
        <Disclosure label="Before today" className="mt-8 border-b pb-2">
          {past}
        </Disclosure>
      )}
    </>
  )
}

/** The same bookings as a file, all pages of them. */
function fileOf(filter: Record<string, string | undefined>): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = new URLSearchParams(given).toString()
  return `/api/admin/bookings.csv${query ? `?${query}` : ''}`
}
