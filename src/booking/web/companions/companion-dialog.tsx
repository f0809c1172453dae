import { type FormEvent, useState } from 'react'
import { errorMessage } from '#foundation/call.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { FormError } from '#ui/field.tsx'
import type { Booking } from '../../contract.ts'
import { useBegin } from '../begin.ts'
import { useAddCompanion } from './change-companions.ts'
import { completeCompanion, EMPTY_COMPANION } from './companion.ts'
import CompanionFields from './companion-fields.tsx'

/** Adds a companion to a booking. */
export default function CompanionDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const [typed, setTyped] = useState(EMPTY_COMPANION)
  const add = useAddCompanion({ onAdded: onClose })
  const begin = useBegin(booking.classId, 1)
  const companion = completeCompanion(typed)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (companion) add.mutate({ id: booking.id, companion, beginRequest: begin.request })
  }
  return (
    <Dialog
      onClose={onClose}
      title="Add companion"
      description={`${formatLongDate(booking.class.date)} at ${booking.class.startTime}: ${booking.class.title}. It uses one of your credits.`}
    >
      <form noValidate method="post" onSubmit={send} className="mt-2 grid gap-4">
        <CompanionFields value={typed} onChange={setTyped} error={null} />
        {begin.boxes}
        <FormError>
          {add.error && errorMessage(add.error, 'The invitation could not be sent. Please try again.')}
        </FormError>
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={!companion} busy={add.isPending}>
            Send invitation
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
