import { useState } from 'react'
import { fullName } from '#accounts/rules.ts'
import { type Booking, type ManagedBooking, ReturnCreditForm } from '#booking/contract.ts'
import { bookingRefusals, goodwillRefusal } from '#booking/refusals.ts'
import { cancellable, cancellationAt } from '#booking/rules.ts'
import { PaymentBadge, participants, StatusBadge } from '#booking/web/badges.tsx'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import { studio } from '#studio.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { Tick } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextArea } from '#ui/form-fields.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useNow } from '#ui/use-now.ts'
import { Attendance } from '../day/attendance.tsx'
import { ChangeDialog, ConfirmChange } from '../dialog-form.tsx'
import { notificationText } from '../messages/notification-text.ts'
import { ClassField, isPast } from './class-choice.tsx'

type ClassTime = Pick<StudioClass, 'title' | 'date' | 'startTime'>
const whichOf = ({ title, date, startTime }: ClassTime) => `${title}, ${formatLongDate(date)} at ${startTime}`

const HELP = 'mt-3 text-small text-ink-mute'

type ManageProps = { booking: ManagedBooking; onChange: (changed: Booking) => void; onClose: () => void }

/** @param props.onChange gets the changed booking, which a filter may leave out of the list from then on */
export function ManageBookingDialog({ booking, onChange, onClose }: ManageProps) {
  const [open, setOpen] = useState<'cancel' | 'return' | 'move'>()
  const { id, class: studioClass, status } = booking
  const name = fullName(booking.user)
  const email = booking.isByPhone ? null : undefined
  const started = hasStarted(Temporal.Instant.from(studioClass.startsAt), useNow())
  const refusal = goodwillRefusal(booking)
  if (open === 'cancel') {
    return (
      <CancelBookingDialog
        booking={{ ...booking, name, email, isMoved: cancellable(booking).isMoved }}
        onClose={onClose}
      />
    )
  }
  if (open === 'move') return <MoveBookingDialog booking={{ ...booking, name, email }} onClose={onClose} />
  if (open === 'return')
    return <ReturnCreditDialog booking={booking} onReturned={onChange} onClose={() => setOpen(undefined)} />
  return (
    <Dialog
      onClose={onClose}
      title={name}
      description={`${studioClass.title}, ${formatLongDate(studioClass.date)}, ${studioClass.startTime} - ${studioClass.endTime}`}
    >
      <p className="mt-4 flex flex-wrap items-center gap-2">
        <StatusBadge status={status} />
        <PaymentBadge status={booking.paymentStatus} />
      </p>
      <p className={HELP}>
        {participants(booking)}, booked on {formatInstantDate(booking.bookedAt)}. A credit pays for the place, which
        counts as {formatMoney(booking.totalAmount)}.
      </p>
      <div className="mt-6">
        {status === 'cancelled' && !isForfeited(booking) && (
          <p className="text-ink-soft">This booking is cancelled. You do not need to do anything.</p>
        )}
        {status !== 'cancelled' && started && <Attendance id={id} name={name} status={status} onMarked={onChange} />}
        {status === 'confirmed' && !started && (
          <>
            <div className="flex flex-wrap gap-3">
              {!booking.hasPassEnded && <RowButton label="Move" onClick={() => setOpen('move')} />}
              <RowButton label="Cancel booking" onClick={() => setOpen('cancel')} />
            </div>
            {booking.hasPassEnded && <p className={HELP}>{bookingRefusals.pass_ended.message}</p>}
            <p className={HELP}>Attendance can be marked once the class has started.</p>
          </>
        )}
      </div>
      {isForfeited(booking) &&
        (refusal ? (
          <p className={HELP}>{refusal.message}</p>
        ) : (
          <RowButton label="Give credit back" className="mt-4" onClick={() => setOpen('return')} />
        ))}
      <History subject={`booking:${id}`} />
    </Dialog>
  )
}

/** `email`: null without one, undefined where it is not known. */
type Movable = {
  id: number
  name: string
  email?: string | null | undefined
  classId: number
  class: ClassTime
}

/** A place kept for the waiting list may be offered to this member. */
const mayHavePlace = ({ bookedCount, maxParticipants }: StudioClass) => bookedCount < maxParticipants

/** Moves a member's booking to another class, regardless of deadlines and the health form; they are emailed. */
export function MoveBookingDialog({ booking, onClose }: { booking: Movable; onClose: () => void }) {
  const { id, name, email, classId: from } = booking
  return (
    <ChangeDialog
      title={`Move ${name}`}
      description={`From ${whichOf(booking.class)}. The credit moves with the booking. ${notificationText({ firstName: name, email })}`}
      values={{ classId: '' }}
      mutationFn={({ classId }: { classId: string }) =>
        staffBookingApi.moveForMember.call({ params: { id }, body: { classId: Number(classId) } })
      }
      toasts={{ success: `${name} has been moved`, failure: 'Failed to move the booking' }}
      submit="Move"
      onClose={onClose}
    >
      <ClassField label="To" isOffered={(c) => !isPast(c.startsAt) && c.id !== from && mayHavePlace(c)} />
    </ChangeDialog>
  )
}

/** `isMoved`: the studio has moved the class since it was booked, or given it to another teacher. */
type Cancellable = {
  id: number
  name: string
  email?: string | null | undefined
  class: ClassTime & { startsAt: string }
  isMoved: boolean
  hasPassEnded: boolean
}

/** Cancels a booking for a member; the tick decides about the credit, preset by the policy. */
export function CancelBookingDialog({ booking, onClose }: { booking: Cancellable; onClose: () => void }) {
  const { id, name, email, class: studioClass, isMoved, hasPassEnded } = booking
  const outcome = cancellationAt(useNow(), {
    startsAt: Temporal.Instant.from(studioClass.startsAt),
    isMoved,
    hasPassEnded,
  })
  const [returnCredit, setReturnCredit] = useState(outcome === 'credit_returned')
  return (
    <ConfirmChange
      title="Cancel this booking?"
      text={`${name}: ${whichOf(studioClass)}. The place becomes free. ${notificationText({ firstName: name, email })}`}
      keep="Keep booking"
      confirm="Cancel booking"
      mutationFn={() => staffBookingApi.cancelForMember.call({ params: { id }, body: { returnCredit } })}
      toasts={{ success: 'Booking cancelled successfully', failure: 'Failed to cancel booking' }}
      onClose={onClose}
    >
      <div className="mt-5">
        {hasPassEnded ? (
          <p>The pass that paid was voided or refunded, so no credit comes back.</p>
        ) : (
          <Tick
            label="Return the credit"
            checked={returnCredit}
            onChange={(event) => setReturnCredit(event.target.checked)}
            help={
              outcome === 'credit_returned'
                ? 'Under the policy the credit is returned.'
                : `Less than ${studio.policies.lateCancellationMinutes} minutes before the start the credit is forfeited under the policy. You can still return it.`
            }
          />
        )}
      </div>
    </ConfirmChange>
  )
}

export const isForfeited = ({ paymentStatus }: Pick<Booking, 'paymentStatus'>) => paymentStatus === 'forfeited'

type ReturnProps = { booking: ManagedBooking; onReturned?: (changed: Booking) => void; onClose: () => void }

/** Gives the credit back to the holder of the pass that paid, who is emailed. */
export function ReturnCreditDialog({ booking, onReturned, onClose }: ReturnProps) {
  const { firstName, isByPhone } = booking.payer ?? { firstName: '', isByPhone: false }
  return (
    <ChangeDialog
      title="Give the credit back?"
      description={`${whichOf(booking.class)}. The credit goes back to the pass that paid, which is then valid for at least ${studio.policies.goodwillDays} days. ${notificationText({ firstName, email: isByPhone ? null : undefined })}`}
      schema={ReturnCreditForm}
      values={{ reason: '' }}
      mutationFn={(body) => staffBookingApi.returnForfeitedCredit.call({ params: { id: booking.id }, body })}
      toasts={{ success: 'Credit given back', failure: 'Failed to give the credit back' }}
      onDone={onReturned}
      submit="Give credit back"
      onClose={onClose}
    >
      <TextArea name="reason" label="Why" rows={2} help={`${firstName} reads this. Do not write about health.`} />
    </ChangeDialog>
  )
}
