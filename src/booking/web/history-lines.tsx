import { formatDate } from '../../foundation/dates.ts'
import type { Booking } from '../contract.ts'
import { participants, StatusBadge } from './badges.tsx'

/** Bookings as short lines: what, when, how it ended. */
export function HistoryLines({ bookings }: { bookings: readonly Booking[] }) {
  return (
    <ul className="border-t border-line">
      {bookings.map((booking) => (
        <li
          key={booking.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-4"
        >
          <div className="min-w-0">
            <p className="font-medium break-words">{booking.class.title}</p>
            <p className="text-[0.9375rem] text-ink-soft">
              {formatDate(booking.class.date)}, {booking.class.startTime} - {booking.class.endTime} ·{' '}
              {participants(booking)}
            </p>
          </div>
          <StatusBadge status={booking.status} />
        </li>
      ))}
    </ul>
  )
}
