import { useState } from 'react'
import { cancellationAt } from '../../../booking/rules.ts'
import { formatLongDate, instantAt } from '../../../foundation/dates.ts'
import { studio } from '../../../studio.ts'
import { Tick } from '../../../ui/choices.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { useCancelForMember } from './booking-changes.ts'

export type Cancellable = {
  id: number
  name: string
  class: { title: string; date: string; startTime: string }
  /** By the studio since it was booked. */
  isMoved: boolean
}

/** Gives a member's place back for them; what becomes of the credit stands in the tick, set as the rules would have it. */
export function CancelBookingDialog({ booking, onClose }: { booking: Cancellable; onClose: () => void }) {
  const { name, class: studioClass, isMoved } = booking
  const outcome = cancellationAt(useNow(), { startsAt: instantAt(studioClass.date, studioClass.startTime), isMoved })
  const [returnCredit, setReturnCredit] = useState(outcome === 'credit_returned')
  const cancel = useCancelForMember({ onDone: onClose })
  return (
    <ConfirmDialog
      title="Cancel this booking?"
      text={`${name}: ${studioClass.title}, ${formatLongDate(studioClass.date)} at ${studioClass.startTime}. The place is freed and ${name} is told by mail.`}
      keep="Keep booking"
      confirm="Cancel booking"
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate({ id: booking.id, returnCredit })}
      onClose={onClose}
    >
      <div className="mt-5">
        <Tick
          label="Return the credit"
          checked={returnCredit}
          onChange={(event) => setReturnCredit(event.target.checked)}
          help={
            outcome === 'credit_returned'
              ? 'By the rules the credit goes back.'
              : `Less than ${studio.policies.lateCancellationMinutes} minutes before the start the credit is forfeited by the rules. You may return it all the same.`
          }
        />
      </div>
    </ConfirmDialog>
  )
}
