import { useRef } from 'react'
import { formatDate, formatDay } from '#foundation/dates.ts'
import { Button, LineLink } from '#ui/button.tsx'
import { dialogButton } from '#ui/dialog-button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Section } from '#ui/section.tsx'
import { useNow } from '#ui/use-now.ts'
import type { RegularBooking, RegularDate } from '../../contract-regular.ts'
import { cancellationAt } from '../../rules.ts'
import { useHandOnFocus } from '../undo-row.tsx'
import { isBooked, reachOf, slotForTwo, useSkipDate, WHY_NOT } from './regular.ts'

const Stop = dialogButton<{ regular: RegularBooking }>(
  () => import('./stop-dialog.tsx'),
  'Stop',
  'link inline-flex min-h-11 items-center',
)

/** A member's regular bookings: how far each reaches, its dates with Skip, and Stop. */
export function RegularPanel({ regulars }: { regulars: readonly RegularBooking[] }) {
  if (regulars.length === 0) return null
  return (
    <Section title="Regular bookings" gap="mb-2 sm:mb-4" className="mt-8">
      <ul className="border-t border-line">
        {regulars.map((regular) => (
          <li key={regular.id} className="border-b border-line pt-2.5">
            <Regular regular={regular} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Regular({ regular }: { regular: RegularBooking }) {
  const skip = useSkipDate()
  const unpaid = regular.dates.find(({ code }) => code === 'no_credit')
  return (
    <>
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{slotForTwo(regular)}</p>
          <p className="text-small text-ink-soft">{reachOf(regular)}</p>
          {regular.bookedBy && (
            <p className="text-small text-ink-soft">{regular.bookedBy.firstName} pays for your places.</p>
          )}
          {regular.companion?.state === 'held' && (
            <p className="text-small text-ink-soft">
              Second places are booked once {regular.companion.firstName} has accepted.
            </p>
          )}
          {unpaid && (
            <p className="text-small text-clay">
              No credit from {formatDay(unpaid.date)}.{' '}
              <LineLink className="-my-2.5 font-medium" to="/pricing">
                Buy a class pass
              </LineLink>
            </p>
          )}
        </div>
        <Stop regular={regular} />
      </div>
      {regular.dates.length > 0 && (
        <Disclosure label="Dates" className="border-t-0 pt-0">
          <ul className="pb-2">
            {regular.dates.map((date) => (
              <DateRow
                key={date.classId}
                date={date}
                bookedAs={
                  regular.companion?.state === 'confirmed' && date.companionBookingId === null
                    ? `Booked, without ${regular.companion.firstName}`
                    : 'Booked'
                }
                isBusy={skip.isPending && skip.variables?.classId === date.classId}
                onSkip={() => skip.mutate({ id: regular.id, classId: date.classId, date: date.date })}
              />
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  )
}

function DateRow({
  date,
  bookedAs,
  isBusy,
  onSkip,
}: {
  date: RegularDate
  /** The description of a booked date. */
  bookedAs: string
  isBusy: boolean
  onSkip: () => void
}) {
  const startsAt = Temporal.Instant.from(date.startsAt)
  const isLate = cancellationAt(useNow(), { startsAt, isMoved: false }) !== 'credit_returned'
  const words = isBooked(date) ? bookedAs : date.code && WHY_NOT[date.code]
  return (
    <li className="flex min-h-11 items-center justify-between gap-4 border-t border-line py-1 text-small">
      <span className="min-w-0">
        {formatDay(date.date)} <span className="block text-ink-mute sm:ml-2 sm:inline">{words}</span>
      </span>
      {isBooked(date) && isLate ? (
        <span className="text-right text-ink-mute">Cancel it in the list above</span>
      ) : (
        date.code !== 'skipped' && date.code !== 'closed' && <Skip date={date.date} isBusy={isBusy} onSkip={onSkip} />
      )}
    </li>
  )
}

function Skip({ date, isBusy, onSkip }: { date: string; isBusy: boolean; onSkip: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useHandOnFocus(button)
  return (
    <Button
      ref={button}
      variant="secondary"
      small
      busy={isBusy}
      aria-label={`Skip ${formatDate(date)}`}
      onClick={onSkip}
    >
      Skip
    </Button>
  )
}
