import { useRef, useState } from 'react'
import { formatDay } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { useNow } from '#ui/use-now.ts'
import type { Booking } from '../../contract.ts'
import { cancellable, cancellationAt, nameOfCompanion } from '../../rules.ts'
import { useHandOnFocus } from '../undo-row.tsx'
import { useCancelCompanion } from './change-companions.ts'

/** Who comes along; for a companion, who booked the place. */
export function CompanionLine({ booking }: { booking: Booking }) {
  const now = useNow()
  const { bookedBy } = booking
  const companion = booking.companion && {
    ...booking.companion,
    firstName: nameOfCompanion(booking.companion.firstName),
  }
  if (bookedBy) return <p className={LINE}>{bookedBy.firstName} booked and paid for this place.</p>
  if (companion) {
    const outcome = companion.state === 'held' ? 'credit_returned' : cancellationAt(now, cancellable(booking))
    return (
      <div className={LINE}>
        <p className="min-w-0 flex-1 basis-48 wrap-anywhere">
          {companion.heldUntil
            ? `Place held for ${companion.firstName} until ${momentOf(companion.heldUntil)}`
            : `${booking.companion?.firstName || 'Your companion'} is coming with you`}
        </p>
        {outcome !== 'too_late' && (
          <CancelPlace id={booking.id} firstName={companion.firstName} asksFirst={outcome === 'forfeited'} />
        )}
      </div>
    )
  }
  return null
}

/** Cancels a companion's place beside the booking with this id. @param asksFirst as the credit would be lost */
export function CancelPlace({ id, firstName, asksFirst }: { id: number; firstName: string; asksFirst: boolean }) {
  const [asking, setAsking] = useState(false)
  const cancel = useCancelCompanion()
  const button = useRef<HTMLButtonElement>(null)
  useHandOnFocus(button)
  return (
    <Button
      ref={button}
      variant="quiet"
      small
      className="-mx-2 px-2 underline underline-offset-4"
      busy={cancel.isPending}
      onClick={() => (asksFirst && !asking ? setAsking(true) : cancel.mutate({ id, firstName }))}
    >
      {asking ? 'Cancel without credit?' : `Cancel ${firstName}’s place`}
    </Button>
  )
}

const LINE = 'order-1 mt-1 flex basis-full flex-wrap items-center gap-x-3 text-small/even text-ink-soft'

/** `09:00 on Wednesday 9 December`. */
export function momentOf(instant: string): string {
  const moment = Temporal.Instant.from(instant)
  return `${studioTime(moment)} on ${formatDay(studioDate(moment).toString())}`
}
