import { formatDay } from '#foundation/dates.ts'
import { Section } from '#ui/section.tsx'
import { useNow } from '#ui/use-now.ts'
import type { PaidPlace } from '../../contract-companions.ts'
import { cancellationAt, nameOfCompanion } from '../../rules.ts'
import { CancelPlace, momentOf } from './companion-line.tsx'

/** Companions' places that the member pays for, beside bookings that they have moved or cancelled. */
export function PaidPlaces({ places }: { places: readonly PaidPlace[] }) {
  if (places.length === 0) return null
  return (
    <Section title="Places you pay for" gap="mb-2 sm:mb-4" className="mt-8">
      <ul className="border-t border-line">
        {places.map((place) => (
          <PaidPlaceRow key={place.id} place={place} />
        ))}
      </ul>
    </Section>
  )
}

function PaidPlaceRow({ place }: { place: PaidPlace }) {
  const { class: studioClass, companion, state, heldUntil, isMoved, hasPassEnded } = place
  const firstName = nameOfCompanion(companion.firstName)
  const facts = { startsAt: Temporal.Instant.from(studioClass.startsAt), isMoved, hasPassEnded }
  const rule = cancellationAt(useNow(), facts)
  const outcome = state === 'held' ? 'credit_returned' : rule
  return (
    <li className="flex flex-wrap items-center gap-x-4 border-b border-line py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">{studioClass.title}</p>
        <p className="text-small text-ink-soft wrap-anywhere">
          {formatDay(studioClass.date)}, {studioClass.startTime}.{' '}
          {heldUntil ? `Held for ${firstName} until ${momentOf(heldUntil)}` : `Booked for ${firstName}`}
        </p>
      </div>
      {outcome !== 'too_late' && (
        <CancelPlace id={place.bookingId} firstName={firstName} asksFirst={outcome === 'forfeited'} />
      )}
    </li>
  )
}
