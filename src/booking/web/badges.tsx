import type { ComponentProps } from 'react'
import { formatDate } from '#foundation/dates.ts'
import { Badge } from '#ui/badge.tsx'
import { WholeWords } from '#ui/whole-words.tsx'
import type { Booking } from '../contract.ts'
import { CREDIT_WORDS } from '../rules.ts'

type BadgeProps = ComponentProps<typeof Badge>

const STATUS: { [status: string]: BadgeProps } = {
  confirmed: { tone: 'ok', children: 'Confirmed' },
  completed: { tone: 'sand', children: 'Completed' },
  cancelled: { tone: 'err', children: 'Cancelled' },
  no_show: { tone: 'err', children: 'No show' },
}

const PAYMENT: { [status: string]: BadgeProps } = {
  paid: { tone: 'sand', children: CREDIT_WORDS.paid },
  refunded: { tone: 'info', children: CREDIT_WORDS.refunded },
  forfeited: { tone: 'err', children: CREDIT_WORDS.forfeited },
}

/** A status that this page does not know is shown by its name, in red. */
const unknown = (status: string): BadgeProps => ({ tone: 'err', children: status })

export function StatusBadge({ status }: { status: string }) {
  return <Badge {...(STATUS[status] ?? unknown(status))} />
}

export function PaymentBadge({ status }: { status: string }) {
  return <Badge {...(PAYMENT[status] ?? unknown(status))} />
}

/** `Individual session` for one, otherwise `Duo`. */
export function participants(booking: Booking): string {
  return (booking.participantCount ?? booking.participants) === 1 ? 'Individual session' : 'Duo'
}

export function HistoryLines({ bookings }: { bookings: readonly Booking[] }) {
  return (
    <ul className="border-t border-line">
      {bookings.map((booking) => (
        <li
          key={booking.id}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line py-2.5 last:border-b-0 sm:py-4"
        >
          <p className="line-clamp-2 font-medium wrap-break-word" title={booking.class.title}>
            <WholeWords text={booking.class.title} />
          </p>
          <p className="text-small text-ink-soft max-sm:order-1 max-sm:col-span-2 sm:row-start-2">
            {formatDate(booking.class.date)}, {booking.class.startTime} - {booking.class.endTime} ·{' '}
            {participants(booking)}
            <span className="block text-ink-mute">{CREDIT_WORDS[booking.paymentStatus]}</span>
          </p>
          <span className="sm:row-span-2">
            <StatusBadge status={booking.status} />
          </span>
        </li>
      ))}
    </ul>
  )
}
