import { sentenceOf } from '../../foundation/call.ts'
import { formatDate } from '../../foundation/london.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { Booking } from '../contract.ts'
import { useBookings } from './bookings.ts'
import { participants, StatusBadge } from './upcoming-list.tsx'

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

/** The whole booking history. */
export default function HistoryDialog({ onClose }: { onClose: () => void }) {
  const { data, isPending, error, refetch } = useBookings()
  return (
    <Dialog open onClose={onClose} title="Booking History">
      <div className="mt-6">
        {isPending && <Spinner label="Loading your bookings" />}
        {error && (
          <EmptyState title={sentenceOf(error, 'Your bookings could not be loaded.')}>
            <Button look="secondary" onClick={() => refetch()}>
              Try again
            </Button>
          </EmptyState>
        )}
        {data?.length === 0 && <EmptyState title="No bookings yet" />}
        {data && data.length > 0 && <HistoryLines bookings={data} />}
      </div>
    </Dialog>
  )
}
