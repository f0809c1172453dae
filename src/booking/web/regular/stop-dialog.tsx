import { useState } from 'react'
import { many } from '#foundation/collections.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { RadioCards } from '#ui/choices.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import type { RegularBooking } from '../../contract-regular.ts'
import { isBooked, slotName, useEndRegular } from './regular.ts'

const { lateCancellationMinutes } = studio.policies

/** Ends a regular booking, with or without its bookings. */
export default function StopDialog({ regular, onClose }: { regular: RegularBooking; onClose: () => void }) {
  const [cancelBookings, setCancelBookings] = useState<'true' | 'false'>('false')
  const end = useEndRegular({ onSettled: onClose })
  const count = regular.dates.filter(isBooked).length
  const { bookedBy, companion } = regular
  return (
    <Dialog
      open
      onClose={onClose}
      title={bookedBy ? `Stop coming along with ${bookedBy.firstName}?` : 'Stop this regular booking?'}
      description={`${slotName(regular)}: no later classes will be booked for you${companion ? ` and ${companion.firstName}` : ''}.`}
    >
      {count > 0 && (
        <div className="mt-6">
          <RadioCards
            name="cancelBookings"
            label={`${many(count, 'class is', 'classes are')} booked already`}
            checkedValue={cancelBookings}
            onChange={({ target }) => setCancelBookings(target.value === 'true' ? 'true' : 'false')}
            options={[
              ['false', `Keep ${count === 1 ? 'it' : 'them'}`],
              ['true', `Cancel ${count === 1 ? 'it' : 'them'}`],
            ]}
          />
          {cancelBookings === 'true' && (
            <p className="mt-3 text-small text-ink-soft">
              {companion?.state === 'confirmed' && `${companion.firstName}’s places are cancelled too. `}
              The credits go back to {bookedBy ? `${bookedBy.firstName}’s` : 'your'} pass. A class in the next{' '}
              {lateCancellationMinutes} minutes stays booked.
            </p>
          )}
        </div>
      )}
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button variant="danger" busy={end.isPending} onClick={() => end.mutate({ id: regular.id, cancelBookings })}>
          Stop
        </Button>
      </DialogActions>
    </Dialog>
  )
}
