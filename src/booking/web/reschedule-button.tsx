import { useState } from 'react'
import { formatDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { late, useSoon } from '#ui/late.tsx'
import { useNow } from '#ui/use-now.ts'
import type { Booking } from '../contract.ts'
import { cancellationAt } from '../rules.ts'
import { actionLook, remarkLook } from './action-look.ts'
import { cancellable } from './cancellable.ts'

const [RescheduleDialog, fetchDialog] = late(() => import('./reschedule-dialog.tsx'))

/**
 * Reschedule, as long as cancelling would return the credit; afterwards disabled, with the reason beside it. `calm`: as in a
 * list of many.
 */
export function RescheduleButton({ booking, calm = false }: { booking: Booking; calm?: boolean }) {
  useSoon(fetchDialog)
  const now = useNow()
  const [open, setOpen] = useState(false)
  const outcome = cancellationAt(now, cancellable(booking))
  const tooLate = outcome !== 'credit_returned'
  return (
    <>
      <Button
        {...actionLook(calm)}
        disabled={tooLate}
        aria-label={`Reschedule ${booking.class.title} on ${formatDate(booking.class.date)}`}
        aria-describedby={tooLate ? `move-${booking.id}` : undefined}
        onClick={() => setOpen(true)}
      >
        Reschedule
      </Button>
      {outcome === 'forfeited' && (
        <p id={`move-${booking.id}`} className={remarkLook(calm)}>
          {booking.hasPassEnded
            ? 'Reschedule: cannot be moved, because the pass that paid has ended'
            : `Reschedule: cannot be moved (within ${studio.policies.lateCancellationMinutes} min)`}
        </p>
      )}
      {open && <RescheduleDialog booking={booking} onClose={() => setOpen(false)} />}
    </>
  )
}
