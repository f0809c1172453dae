import { formatDate } from '#foundation/dates.ts'
import type { Booking } from '../contract.ts'
import { participants, StatusBadge } from './badges.tsx'

/** Bookings as short lines: what, when, how it ended. */
export function HistoryLines({ bookings }: { bookings: readonly Booking[] }) {
  return (
    <ul className="border-t border-line">
      {bookings.map((booking) => (
        <li
          key={booking.id}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line py-2.5 sm:py-4"
        >
          <p className="line-clamp-2 font-medium break-words" title={booking.class.title}>
            {booking.class.title}
          </p>
          <p className="text-[0.9375rem] text-ink-soft max-sm:order-1 max-sm:col-span-2 sm:row-start-2">
            {formatDate(booking.class.date)}, {booking.class.startTime} - {booking.class.endTime} ·{' '}
            {participants(booking)}
          </p>
          <span className="sm:row-span-2">
            <StatusBadge status={booking.status} />
          </span>
        </li>
      ))}
    </ul>
  )
}
