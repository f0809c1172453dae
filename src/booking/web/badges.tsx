import { formatDate } from '#foundation/dates.ts'
import { Badge } from '#ui/badge.tsx'
import type { Booking } from '../contract.ts'
import { CREDIT_WORDS } from '../rules.ts'

const STATUS = {
  confirmed: { tone: 'ok', word: 'Confirmed' },
  completed: { tone: 'sand', word: 'Completed' },
  cancelled: { tone: 'err', word: 'Cancelled' },
  no_show: { tone: 'err', word: 'No show' },
} as const

export function StatusBadge({ status }: { status: Booking['status'] }) {
  const { tone, word } = STATUS[status]
  return <Badge tone={tone}>{word}</Badge>
}

const PAYMENT_TONE = { paid: 'ok', refunded: 'info', forfeited: 'err' } as const

export function PaymentBadge({ status }: { status: Booking['paymentStatus'] }) {
  return <Badge tone={PAYMENT_TONE[status]}>{CREDIT_WORDS[status]}</Badge>
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
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line py-2.5 sm:py-4"
        >
          <p className="line-clamp-2 font-medium wrap-break-word" title={booking.class.title}>
            {booking.class.title}
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
