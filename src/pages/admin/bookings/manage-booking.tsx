import { zodResolver } from '@hookform/resolvers/zod'
import check from '@lucide/icons/icons/check'
import x from '@lucide/icons/icons/x'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Booking, ReturnCreditForm } from '#booking/contract.ts'
import { cancellationAt } from '#booking/rules.ts'
import { bookingApi } from '#booking/web/api.ts'
import { PaymentBadge, participants, StatusBadge } from '#booking/web/badges.tsx'
import { formatLongDate } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { insightsApi } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { studio } from '#studio.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { Button } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField, TextArea } from '#ui/form-fields.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useNow } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange, DialogForm, FormDialog } from '../dialog-form.tsx'
import { CHANGED } from './booking-changes.ts'
import { hasBegun, NO_CLASSES, useClassesAhead, wordsOf } from './class-choice.ts'

/** One booking: attendance, move, cancel, history. */
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

export type Movable = {
  id: number
  userId: string
  name: string
  classId: number
  class: { title: string; date: string; startTime: string }
}

/** Moves a member's booking to another class, regardless of deadlines and the health form; they are emailed. */
export function MoveBookingDialog({ booking, onClose }: { booking: Movable; onClose: () => void }) {
  const { name, class: from } = booking
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Move ${name}`}
      description={`From ${from.title}, ${formatLongDate(from.date)} at ${from.startTime}. The credit moves along, and ${name} is told by email.`}
    >
      <QueryView query={useClassesAhead()} failed="The classes could not be loaded.">
        {(classes) => (
          <Form
            booking={booking}
            classes={classes.filter((c) => !hasBegun(c) && c.id !== booking.classId)}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

function Form({ booking, classes, onClose }: { booking: Movable; classes: StudioClass[]; onClose: () => void }) {
  const form = useForm({ defaultValues: { classId: '' } })
  const move = useAdminMutation({
    mutationFn: ({ classId }: { classId: string }) =>
      bookingApi.moveForMember.call({ params: { id: booking.id }, body: { classId: Number(classId) } }),
    lookAgain: async ({ classId }) =>
      (await insightsApi.getMemberPage.call({ params: { id: booking.userId } })).bookings.find(
        (one) => one.classId === Number(classId) && one.status === 'confirmed',
      ),
    says: { success: `${booking.name} has been moved`, failure: 'Failed to move the booking' },
    stale: CHANGED,
    onSuccess: onClose,
  })
  return (
    <DialogForm form={form} mutation={move} submit="Move" onClose={onClose}>
      <SelectField
        name="classId"
        rules={{ required: 'Please choose a class' }}
        label="To"
        choose={classes.length > 0 ? 'Choose a class' : NO_CLASSES}
        options={classes.map((c) => [c.id, wordsOf(c)])}
      />
    </DialogForm>
  )
}

export type Cancellable = {
  id: number
  name: string
  class: { title: string; date: string; startTime: string; startsAt: string }
  /** The studio has moved the class since it was booked. */
  isMoved: boolean
}

/** Cancels a member's booking for them. Without `returnCredit` the rules decide what becomes of the credit. */
export function useCancelForMember({
  id,
  returnCredit,
  onDone,
}: {
  id: number
  returnCredit?: boolean
  onDone: () => void
}) {
  return useAdminMutation({
    mutationFn: () => bookingApi.cancelForMember.call({ params: { id }, body: { returnCredit } }),
    says: { success: 'Booking cancelled successfully', failure: 'Failed to cancel booking' },
    stale: CHANGED,
    onSuccess: onDone,
  })
}

/** Cancels a booking; the tick decides about the credit, preset by the policy. */
export function CancelBookingDialog({ booking, onClose }: { booking: Cancellable; onClose: () => void }) {
  const { name, class: studioClass, isMoved } = booking
  const outcome = cancellationAt(useNow(), { startsAt: Temporal.Instant.from(studioClass.startsAt), isMoved })
  const [returnCredit, setReturnCredit] = useState(outcome === 'credit_returned')
  const cancel = useCancelForMember({ id: booking.id, returnCredit, onDone: onClose })
  return (
    <ConfirmChange
      title="Cancel this booking?"
      text={`${name}: ${studioClass.title}, ${formatLongDate(studioClass.date)} at ${studioClass.startTime}. The place is freed and ${name} is told by email.`}
      keep="Keep booking"
      confirm="Cancel booking"
      mutation={cancel}
      onClose={onClose}
    >
      <div className="mt-5">
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
      </div>
    </ConfirmChange>
  )
}

/** Whether the credit was forfeited and can be given back. */
export const isForfeited = ({ paymentStatus }: Pick<Booking, 'paymentStatus'>) => paymentStatus === 'forfeited'

/** Gives a forfeited credit back, with a reason. */
export function ReturnCreditDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { user, class: studioClass } = booking
  const form = useForm({ resolver: zodResolver(ReturnCreditForm), defaultValues: { reason: '' } })
  const give = useAdminMutation({
    mutationFn: (body: ReturnCreditForm) => bookingApi.returnForfeitedCredit.call({ params: { id: booking.id }, body }),
    says: { success: 'Credit given back', failure: 'Failed to give the credit back' },
    stale: CHANGED,
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title="Give the credit back?"
      description={`${studioClass.title}, ${formatLongDate(studioClass.date)} at ${studioClass.startTime}. The credit goes back to the pass that paid, which is then valid for at least ${studio.policies.goodwillDays} days. ${user.firstName} is told by email.`}
      form={form}
      mutation={give}
      submit="Give credit back"
      onClose={onClose}
    >
      <TextArea
        name="reason"
        label="Why"
        rows={2}
        help={`${user.firstName} reads this. Please write nothing about health.`}
      />
    </FormDialog>
  )
}

const ANSWERS = [
  { status: 'completed', word: 'Came', icon: check },
  { status: 'no_show', word: 'No show', icon: x },
] as const

/** Marks attendance; either answer corrects the other. */
export function Attendance({ id, name, status }: { id: number; name: string; status: Booking['status'] }) {
  const mark = useAdminMutation({
    mutationFn: (answer: 'completed' | 'no_show') =>
      bookingApi.markAttendance.call({ params: { id }, body: { status: answer } }),
    says: {
      success: ({ user, status: now }) =>
        `${user.firstName} ${user.lastName} marked as ${now === 'no_show' ? 'a no-show' : 'attended'}`,
      failure: 'Failed to mark attendance',
    },
    stale: CHANGED,
  })
  return (
    <fieldset className="inline-flex rounded-full border border-line-strong" aria-busy={mark.isPending || undefined}>
      <legend className="sr-only">Attendance of {name}</legend>
      {ANSWERS.map(({ status: answer, word, icon }) => (
        <button
          key={answer}
          type="button"
          aria-pressed={status === answer}
          onClick={() => status !== answer && mark.mutate(answer)}
          className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-4 text-[0.9375rem] font-medium whitespace-nowrap text-ink-soft hover:bg-sand focus-visible:rounded-full aria-pressed:bg-sage-dark aria-pressed:text-paper lg:min-h-9 lg:px-3 lg:text-[0.875rem]"
        >
          <Icon of={icon} aria-hidden size={16} strokeWidth={1.75} /> {word}
        </button>
      ))}
    </fieldset>
  )
}
