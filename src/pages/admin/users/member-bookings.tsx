import { useState } from 'react'
import type { Booking } from '#booking/contract.ts'
import { cancellable, cancellationAt } from '#booking/rules.ts'
import { StatusBadge } from '#booking/web/badges.tsx'
import { formatDate } from '#foundation/dates.ts'
import { Button } from '#ui/button.tsx'
import { Rows } from '#ui/rows.tsx'
import { useNow } from '#ui/use-now.ts'
import { useCancelForMember } from '../bookings/booking-changes.ts'
import { isForfeited, ReturnCreditDialog } from '../bookings/return-credit.tsx'
import { ConfirmChange } from '../dialog-form.tsx'

/** What became of the credit that paid. */
const CREDIT: Record<Booking['paymentStatus'], string> = { paid: 'Used', refunded: 'Returned', forfeited: 'Forfeited' }

/** So many at first. */
const SHOWN = 10

/** A member's bookings, those of the latest classes first; one that is still ahead can be cancelled for them. */
export function MemberBookings({ bookings }: { bookings: Booking[] }) {
  const now = useNow()
  const [all, setAll] = useState(false)
  const [asked, setAsked] = useState<Booking>()
  const [returned, setReturned] = useState<Booking>()
  if (bookings.length === 0) return <p className="text-ink-mute">No bookings yet</p>
  const isAhead = (booking: Booking) =>
    booking.status === 'confirmed' && cancellationAt(now, cancellable(booking)) !== 'too_late'
  return (
    <>
      <Rows
        label="Bookings"
        rows={all ? bookings : bookings.slice(0, SHOWN)}
        keyOf={(booking) => booking.id}
        columns={[
          { head: 'Class', cell: ({ class: c }) => c.title },
          { head: 'When', cell: ({ class: c }) => `${formatDate(c.date)}, ${c.startTime}` },
          { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          {
            head: 'Credit',
            cell: ({ paymentStatus }) => <span className="whitespace-nowrap">{CREDIT[paymentStatus]}</span>,
          },
        ]}
        actions={(booking) =>
          isForfeited(booking) ? (
            <Button
              variant="quiet"
              small
              aria-label={`Give back the credit of ${booking.class.title} on ${formatDate(booking.class.date)}`}
              onClick={() => setReturned(booking)}
            >
              Give credit back
            </Button>
          ) : isAhead(booking) ? (
            <Button
              variant="quiet"
              small
              aria-label={`Cancel ${booking.class.title} on ${formatDate(booking.class.date)}`}
              onClick={() => setAsked(booking)}
            >
              Cancel
            </Button>
          ) : null
        }
      />
      {!all && bookings.length > SHOWN && (
        <Button variant="quiet" small className="mt-3" onClick={() => setAll(true)}>
          Show all {bookings.length}
        </Button>
      )}
      {returned && <ReturnCreditDialog booking={returned} onClose={() => setReturned(undefined)} />}
      {asked && <CancelFor booking={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function CancelFor({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { user, class: studioClass } = booking
  const cancel = useCancelForMember({ id: booking.id, onDone: onClose })
  const returns = cancellationAt(useNow(), cancellable(booking)) === 'credit_returned'
  return (
    <ConfirmChange
      title="Cancel this booking?"
      text={`${studioClass.title} on ${formatDate(studioClass.date)} at ${studioClass.startTime}. ${returns ? `The credit goes back to ${user.firstName}` : `It is too late for the credit to go back to ${user.firstName}`}, who is told by email.`}
      keep="Keep booking"
      confirm="Cancel booking"
      mutation={cancel}
      onClose={onClose}
    />
  )
}
