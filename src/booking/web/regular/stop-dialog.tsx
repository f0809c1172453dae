import { useState } from 'react'
import { many } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { RadioCards } from '#ui/choices.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { useNow } from '#ui/use-now.ts'
import type { RegularBooking, RegularDate } from '../../contract-regular.ts'
import { cancellationAt } from '../../rules.ts'
import { isBooked, slotName, useEndRegular } from './regular.ts'

const { lateCancellationMinutes } = studio.policies

/** Ends a regular booking, with or without its bookings. */
export default function StopDialog({ regular, onClose }: { regular: RegularBooking; onClose: () => void }) {
  const [cancelBookings, setCancelBookings] = useState<'true' | 'false'>('false')
  const end = useEndRegular({ onSettled: onClose })
  const now = useNow()
  const isInTime = ({ startsAt }: RegularDate) =>
    cancellationAt(now, { startsAt: Temporal.Instant.from(startsAt), isMoved: false }) === 'credit_returned'
  const booked = regular.dates.filter(isBooked)
  const cancelled = booked.filter((date) => date.isMade && isInTime(date))
  const kept = booked.filter((date) => !cancelled.includes(date))
  const count = cancelled.length
  const { bookedBy, companion } = regular
  return (
    <Dialog
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
            <div className="mt-3 grid gap-2 text-small text-ink-soft">
              <p>Cancelled: {cancelled.map(({ date }) => formatDay(date)).join(', ')}.</p>
              <p>
                {companion?.state === 'confirmed' && 'Your companion’s places on these dates are cancelled too. '}
                The credits go back to {bookedBy ? `${bookedBy.firstName}’s` : 'your'} pass.
              </p>
              {kept.length > 0 && (
                <p>
                  {kept.map(({ date }) => formatDay(date)).join(', ')} {kept.length === 1 ? 'stays' : 'stay'} booked:
                  booked by hand, or in the next {lateCancellationMinutes} minutes.
                </p>
              )}
            </div>
          )}
        </div>
      )}
      <DialogActions onClose={onClose} cancel="Keep it">
        <Button variant="danger" busy={end.isPending} onClick={() => end.mutate({ id: regular.id, cancelBookings })}>
          Stop
        </Button>
      </DialogActions>
    </Dialog>
  )
}
