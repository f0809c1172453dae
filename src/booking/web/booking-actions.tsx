import { useId, useState } from 'react'
import { formatDate } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import { nameOfClass } from '#timetable/rules.ts'
import { Button } from '#ui/button.tsx'
import { late, usePreload } from '#ui/late.tsx'
import { useNow } from '#ui/use-now.ts'
import type { Booking } from '../contract.ts'
import { type Cancellable, cancellable, cancellationAt, cancellationDeadline } from '../rules.ts'
import { useCancelBooking } from './change-bookings.ts'

const [CancelDialog, fetchCancelDialog] = late(() => import('./cancel-dialog.tsx'))

const { lateCancellationMinutes } = studio.policies

/**
 * Cancel, with its consequence next to it. Asks only if the credit would be lost.
 *
 * @param props.strict on the next-class card: disabled in the last minutes instead
 */
export function CancelButton({ booking, strict = false }: { booking: Booking; strict?: boolean }) {
  usePreload(fetchCancelDialog)
  const now = useNow()
  // The dashboard shows this button twice for the next class.
  const meaning = useId()
  const [asking, setAsking] = useState(false)
  const cancel = useCancelBooking()
  const facts = cancellable(booking)
  // The next-class card uses the 120 minutes alone, as specified; in the lists, cancelling a moved class is free.
  const byTime = cancellationAt(now, { ...facts, isMoved: facts.isMoved && !strict, hasPassEnded: false })
  const outcome = byTime === 'credit_returned' && facts.hasPassEnded ? 'forfeited' : byTime
  const blocked = byTime === 'too_late' || (strict && byTime === 'forfeited')

  const isSaidInNote = facts.isMoved && !strict && outcome === 'credit_returned'
  const beside = strict || outcome === 'credit_returned' ? BESIDE : BELOW
  const look = isSaidInNote ? 'sr-only' : beside
  const label =
    strict && byTime !== 'credit_returned' ? `Cannot cancel (within ${lateCancellationMinutes} min)` : 'Cancel'
  return (
    <>
      <Button
        variant="secondary"
        small
        disabled={blocked}
        busy={cancel.isPending}
        aria-label={blocked ? undefined : `Cancel ${nameOfClass(booking.class)}`}
        aria-describedby={meaning}
        onClick={() => (outcome === 'forfeited' ? setAsking(true) : cancel.mutate(booking.id))}
      >
        {label}
      </Button>
      <p id={meaning} className={look}>
        {outcome === 'credit_returned' &&
          `Cancel before ${deadline(strict ? { ...facts, isMoved: false } : facts, now)} ${booking.bookedBy ? `and ${booking.bookedBy.firstName} gets the credit back` : 'to get your credit back'}`}
        {outcome === 'forfeited' &&
          (blocked
            ? `You can still cancel in the list below, ${facts.isMoved && !facts.hasPassEnded ? 'and' : 'but'} the credit will ${facts.isMoved && !facts.hasPassEnded ? '' : 'not '}come back`
            : 'Cancel: the credit would not be returned')}
        {outcome === 'too_late' && !strict && 'This class has started'}
      </p>
      {asking && (
        <CancelDialog
          hasPassEnded={booking.hasPassEnded}
          onClose={() => setAsking(false)}
          onCancel={() => cancel.mutate(booking.id)}
        />
      )}
    </>
  )
}

/** `07:00 today`, `07:00 that day` on the day of another class, otherwise with its date. */
function deadline(booked: Cancellable, now: Temporal.Instant): string {
  const late = cancellationDeadline(booked)
  const [day, today] = [studioDate(late), studioDate(now)]
  if (day.equals(today)) return `${studioTime(late)} today`
  if (day.equals(studioDate(booked.startsAt))) return `${studioTime(late)} that day`
  return `${studioTime(late)} on ${formatDate(day.toString())}`
}

const [RescheduleDialog, fetchRescheduleDialog] = late(() => import('./reschedule-dialog.tsx'))

/** Enabled as long as cancelling would return the credit. */
export function RescheduleButton({ booking }: { booking: Booking }) {
  usePreload(fetchRescheduleDialog)
  const now = useNow()
  const [open, setOpen] = useState(false)
  const outcome = cancellationAt(now, cancellable(booking))
  const tooLate = outcome !== 'credit_returned'
  return (
    <>
      <Button
        variant="secondary"
        small
        disabled={tooLate}
        aria-label={`Reschedule ${nameOfClass(booking.class)}`}
        aria-describedby={tooLate ? `move-${booking.id}` : undefined}
        onClick={() => setOpen(true)}
      >
        Reschedule
      </Button>
      {outcome === 'forfeited' && (
        <p id={`move-${booking.id}`} className={BELOW}>
          {booking.hasPassEnded
            ? 'Reschedule: cannot be moved, because the pass that paid has ended'
            : `Reschedule: cannot be moved (within ${studio.policies.lateCancellationMinutes} min)`}
        </p>
      )}
      {open && <RescheduleDialog booking={booking} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Next to the buttons. */
const BESIDE = 'order-1 flex-1 basis-28 text-fine/snug text-ink-mute empty:hidden sm:text-caption/snug'
/** On its own line below the buttons, so it names its button. */
const BELOW = 'order-1 basis-full text-caption/snug text-ink-mute'
