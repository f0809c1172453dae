import { formatLongDate } from '../../foundation/dates.ts'
import type { Booking } from '../contract.ts'
import { AddToCalendar } from './add-to-calendar.tsx'
import { StatusBadge } from './badges.tsx'
import { BookingActions, CancelButton } from './cancel-button.tsx'
import { RescheduleButton } from './reschedule-button.tsx'

/**
 * Bookings to come, one row each, with Reschedule and Cancel.
 *
 * @param props.badge with the status beside each
 * @param props.nextLarge the next one stands out as a card
 */
export function UpcomingList({
  bookings,
  badge = false,
  nextLarge = false,
}: {
  bookings: readonly Booking[]
  badge?: boolean
  nextLarge?: boolean
}) {
  return (
    <ul className={nextLarge ? '' : 'border-t border-line'}>
      {bookings.map((booking, i) => (
        <li
          key={booking.id}
          className={`grid grid-cols-[84px_minmax(0,1fr)] gap-x-4 gap-y-4 sm:grid-cols-[104px_minmax(0,1fr)] sm:gap-x-6 ${
            nextLarge && i === 0 ? 'mb-2 rounded-card bg-linen p-5 sm:p-7' : 'border-b border-line py-5'
          }`}
        >
          <p className={`figure ${nextLarge && i === 0 ? 'text-[2.25rem]' : 'text-[1.75rem]'}`}>
            {booking.class.startTime}
            <span className="block font-sans text-[0.875rem]/[1.4] tracking-normal text-ink-mute">
              to {booking.class.endTime}
            </span>
          </p>
          <div className="min-w-0">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="font-medium break-words">{booking.class.title}</p>
              {badge && <StatusBadge status={booking.status} />}
            </div>
            <p className="text-[0.9375rem] text-ink-soft">{formatLongDate(booking.class.date)}</p>
            <p className="text-[0.9375rem] text-ink-mute">with {booking.class.instructorName}</p>
            {booking.movedFrom && <MovedNote from={booking.movedFrom} />}
          </div>
          <div className="max-sm:col-span-2 sm:col-start-2">
            <BookingActions>
              <RescheduleButton booking={booking} />
              <CancelButton booking={booking} />
              <AddToCalendar booking={booking} />
            </BookingActions>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What the studio did to a class that somebody had booked, and what they may do about it. */
function MovedNote({ from }: { from: NonNullable<Booking['movedFrom']> }) {
  return (
    <p className="mt-2 max-w-[60ch] text-[0.9375rem]/[1.45] text-clay">
      Moved by the studio from {formatLongDate(from.date)}, {from.startTime} - {from.endTime}. You can cancel with your
      credit back until it starts.
    </p>
  )
}
