import { Badge } from '#ui/badge.tsx'
import type { Booking } from '../contract.ts'

const STATUS = {
  confirmed: { tone: 'ok', word: 'Confirmed' },
  completed: { tone: 'sand', word: 'Completed' },
  cancelled: { tone: 'err', word: 'Cancelled' },
  no_show: { tone: 'err', word: 'No show' },
} as const

/** What became of a booking. */
export function StatusBadge({ status }: { status: Booking['status'] }) {
  const { tone, word } = STATUS[status]
  return <Badge tone={tone}>{word}</Badge>
}

const PAYMENT = {
  paid: { tone: 'ok', word: 'Paid' },
  refunded: { tone: 'info', word: 'Refunded' },
  forfeited: { tone: 'err', word: 'Forfeited' },
} as const

/** What became of its credit. */
export function PaymentBadge({ status }: { status: Booking['paymentStatus'] }) {
  const { tone, word } = PAYMENT[status]
  return <Badge tone={tone}>{word}</Badge>
}

/** `Individual session` for one, otherwise `Duo`. */
export function participants(booking: Booking): string {
  return (booking.participantCount ?? booking.participants) === 1 ? 'Individual session' : 'Duo'
}
