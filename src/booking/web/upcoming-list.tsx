import type { ReactNode } from 'react'
import { formatLongDate } from '../../foundation/london.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Booking } from '../contract.ts'
import { BookingActions, CancelButton } from './cancel-button.tsx'
import { RescheduleButton } from './reschedule-button.tsx'

/** Bookings to come, one row each, with Reschedule and Cancel. */
export function UpcomingList({ bookings, badge = false }: { bookings: readonly Booking[]; badge?: boolean }) {
  return (
    <ul className="border-t border-line">
      {bookings.map((booking) => (
        <li
          key={booking.id}
          className="grid gap-x-6 gap-y-3 border-b border-line py-5 sm:grid-cols-[96px_minmax(0,1fr)]"
        >
          <p className="figure text-[1.75rem]">
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
            <p className="mb-3 text-[0.9375rem] text-ink-soft">{formatLongDate(booking.class.date)}</p>
            <BookingActions>
              <RescheduleButton booking={booking} />
              <CancelButton booking={booking} />
            </BookingActions>
          </div>
        </li>
      ))}
    </ul>
  )
}

const STATUS = {
  confirmed: { tone: 'ok', word: 'Confirmed' },
  completed: { tone: 'sand', word: 'Completed' },
  cancelled: { tone: 'err', word: 'Cancelled' },
  no_show: { tone: 'err', word: 'No show' },
} as const

export function StatusBadge({ status }: { status: Booking['status'] }): ReactNode {
  const { tone, word } = STATUS[status]
  return <Badge tone={tone}>{word}</Badge>
}

/** `Individual session` for one, otherwise `Duo`. */
export function participants(booking: Booking): string {
  return (booking.participantCount ?? booking.participants) === 1 ? 'Individual session' : 'Duo'
}
