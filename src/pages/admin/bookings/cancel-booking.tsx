import { useState } from 'react'
import { cancellationAt } from '#booking/rules.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { Tick } from '#ui/choices.tsx'
import { useNow } from '#ui/use-now.ts'
import { ConfirmChange } from '../dialog-form.tsx'
import { useCancelForMember } from './booking-changes.ts'

export type Cancellable = {
  id: number
  name: string
  class: { title: string; date: string; startTime: string; startsAt: string }
  /** By the studio since it was booked. */
  isMoved: boolean
}

/** Gives a member's place back for them; what becomes of the credit stands in the tick, set as the rules would have it. */
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
