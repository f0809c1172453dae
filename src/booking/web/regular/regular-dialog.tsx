import { useState } from 'react'
import { Link } from 'react-router'
import { many } from '#foundation/collections.ts'
import { formatDay, weekdayOf } from '#foundation/dates.ts'
import { useHealth } from '#health/web/health.ts'
import { creditsOf, usePasses } from '#passes/web/passes.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import type { CompanionForm } from '../../contract.ts'
import type { RegularBooking } from '../../contract-regular.ts'
import { Agreements, useAgreements } from '../agreements.tsx'
import { useBegin } from '../begin.ts'
import { HealthLine, PaidWith } from '../can-book.tsx'
import { HowOften } from './how-often.tsx'
import { isBooked, reachOf, slotForTwo, slotOfClass, useSetRegular, WHY_NOT } from './regular.ts'

const { weeks } = studio.policies.regularBookings

/** Books a class and every later one on its weekday at its time, then shows what was booked. */
export default function RegularDialog({
  of,
  companion,
  onOnce,
  onClose,
}: {
  of: { classId: number; title: string; date: string; startTime: string }
  /** Who comes along: the companion of the booking, or one to invite. */
  companion?: { firstName: string } | CompanionForm | undefined
  /** Back to the sheet that books it once. */
  onOnce?: () => void
  onClose: () => void
}) {
  const [made, setMade] = useState<RegularBooking>()
  const [isForTwo, setIsForTwo] = useState(companion !== undefined)
  const invited = companion && 'email' in companion ? companion : undefined
  const agreements = useAgreements()
  const health = useHealth()
  const passes = usePasses()
  const credits = passes.data && creditsOf(passes.data)
  const begin = useBegin(of.classId, isForTwo ? 2 : 1)
  const set = useSetRegular({ onDone: setMade })
  if (made) return <Made made={made} onClose={onClose} />
  const isReady = agreements.areGiven && health.isComplete
  const both = begin.boxes === null ? 'both boxes' : 'the first two boxes'
  const missing = health.isComplete
    ? `Tick ${both} to confirm. They cover the later bookings too.`
    : 'Complete your health information first.'
  return (
    <Dialog onClose={onClose} title={companion ? `${slotOfClass(of)}, with ${companion.firstName}` : slotOfClass(of)}>
      {onOnce && <HowOften isWeekly every={slotOfClass(of)} onChange={onOnce} />}
      <p className="mt-4 text-ink-soft">
        We book <span className="wrap-anywhere">{of.title}</span> on {formatDay(of.date)} and every later class at this
        time, up to {weeks} weeks ahead, with one credit each. You can skip a date or stop at any time.
      </p>
      {credits !== undefined && credits < weeks * (isForTwo ? 2 : 1) && (
        <p className="mt-2 text-small text-clay">
          {credits === 0
            ? 'You have no credit, so nothing is booked before you have a pass.'
            : `Takes up to ${many(credits, 'credit')} now, all you have; the rest waits for a pass.`}
        </p>
      )}
      {companion && (
        <div className="mt-3">
          <Tick
            large
            checked={isForTwo}
            onChange={({ target }) => setIsForTwo(target.checked)}
            label={`${companion.firstName} comes along, with one more of your credits for each class that has a second place${invited ? '. We’ll email an invitation' : ''}.`}
          />
        </div>
      )}
      <div className="mt-5 grid gap-1 border-y border-line py-3 sm:py-5">
        <PaidWith credits={credits} />
      </div>
      <HealthLine health={health} />
      <div className="mt-3 grid gap-2">
        <Agreements {...agreements} />
        {begin.boxes}
      </div>
      <p id="why-not-regular" className="mt-4 -mb-3 min-h-6 text-small text-ink-mute sm:text-right">
        {health.isPending || isReady ? 'Both ticks cover the later bookings too.' : missing}
      </p>
      <DialogActions onClose={onClose}>
        <Button
          disabled={!isReady}
          busy={set.isPending}
          onClick={() =>
            set.mutate({
              classId: of.classId,
              withCompanion: isForTwo,
              companion: isForTwo ? invited : undefined,
              beginRequest: begin.request,
            })
          }
          aria-describedby="why-not-regular"
        >
          Book every {weekdayOf(of.date)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Made({ made, onClose }: { made: RegularBooking; onClose: () => void }) {
  const missing = made.dates.filter((date) => !isBooked(date))
  return (
    <Dialog onClose={onClose} title={slotForTwo(made)} description={`${reachOf(made)}.`}>
      {made.companion?.state === 'held' && (
        <p className="mt-4 text-small text-ink-soft">
          Once {made.companion.firstName} has accepted, we book the second places too, as far as your credits reach.
        </p>
      )}
      {missing.length > 0 && (
        <>
          <h3 className="mt-6 text-small font-medium">Not booked</h3>
          <dl className="mt-2 border-t border-line">
            {[...Map.groupBy(missing, ({ code }) => code)].map(([code, dates]) => (
              <div key={code} className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2">
                <dt>
                  {dates[0] && formatDay(dates[0].date)}
                  {dates.length > 1 && ` and ${many(dates.length - 1, 'later class', 'later classes')}`}
                </dt>
                <dd className="text-small text-ink-soft">
                  {code && WHY_NOT[code]}
                  {code === 'no_credit' && (
                    <>
                      {'. '}
                      <Link to="/pricing" className="link">
                        Buy a pass
                      </Link>
                    </>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p className="mt-5 text-small text-ink-soft">
        We’ve emailed you the dates. They are on your dashboard, where you can skip one or stop.
      </p>
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
