import { useState } from 'react'
import type { Booking } from '#booking/contract.ts'
import { PaymentBadge, participants, StatusBadge } from '#booking/web/badges.tsx'
import { formatLongDate } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import { hasStarted } from '#timetable/rules.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { useNow } from '#ui/use-now.ts'
import { Attendance } from '../day/attendance.tsx'
import { CancelBookingDialog } from './cancel-booking.tsx'
import { MoveBookingDialog } from './move-booking.tsx'
import { isForfeited, ReturnCreditDialog } from './return-credit.tsx'

/** One booking: did they come, cancel it, who changed what. */
export function ManageBookingDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const [cancelling, setCancelling] = useState(false)
  const [returning, setReturning] = useState(false)
  const [moving, setMoving] = useState(false)
  const { class: studioClass, user } = booking
  const name = `${user.firstName} ${user.lastName}`
  const started = hasStarted(Temporal.Instant.from(studioClass.startsAt), useNow())
  if (cancelling) {
    const isMoved = booking.movedFrom !== null
    return <CancelBookingDialog booking={{ id: booking.id, name, class: studioClass, isMoved }} onClose={onClose} />
  }
  if (moving) return <MoveBookingDialog booking={{ ...booking, name }} onClose={onClose} />
  if (returning) return <ReturnCreditDialog booking={booking} onClose={() => setReturning(false)} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      description={`${studioClass.title}, ${formatLongDate(studioClass.date)}, ${studioClass.startTime} - ${studioClass.endTime}`}
    >
      <p className="mt-4 flex flex-wrap items-center gap-2">
        <StatusBadge status={booking.status} />
        <PaymentBadge status={booking.paymentStatus} />
      </p>
      <p className="mt-3 text-[0.9375rem] text-ink-mute">
        {participants(booking)}, {formatMoney(booking.totalAmount)}, booked on {formatInstantDate(booking.bookedAt)}
      </p>
      <div className="mt-6">
        {booking.status === 'cancelled' ? (
          !isForfeited(booking) && (
            <p className="text-ink-soft">This booking is cancelled; there is nothing left to do.</p>
          )
        ) : started ? (
          <Attendance id={booking.id} name={name} status={booking.status} />
        ) : booking.status === 'confirmed' ? (
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" small onClick={() => setMoving(true)}>
              Move
            </Button>
            <Button variant="secondary" small onClick={() => setCancelling(true)}>
              Cancel booking
            </Button>
          </div>
        ) : null}
        {!started && booking.status === 'confirmed' && (
          <p className="mt-3 text-[0.9375rem] text-ink-mute">Attendance can be marked once the class has started.</p>
        )}
      </div>
      {isForfeited(booking) && (
        <Button variant="secondary" small className="mt-4" onClick={() => setReturning(true)}>
          Give credit back
        </Button>
      )}
      <History subject={`booking:${booking.id}`} />
    </Dialog>
  )
}
