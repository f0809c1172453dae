import { useState } from 'react'
import { many } from '#foundation/collections.ts'
import { formatDay, monthOf, weekdayOf } from '#foundation/dates.ts'
import { useHealth } from '#health/web/health.ts'
import { creditsOf, usePasses } from '#passes/web/passes.ts'
import { studio } from '#studio.ts'
import { useClasses } from '#timetable/web/classes.ts'
import { Button, TextLink } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { useNow } from '#ui/use-now.ts'
import type { CompanionForm } from '../../contract.ts'
import type { RegularBooking } from '../../contract-regular.ts'
import { placePlanner, type Standing, WAYS_IN } from '../../rules-places.ts'
import { lastRegularDate } from '../../rules-regular.ts'
import { Agreements, useAgreements } from '../agreements.tsx'
import { useBegin } from '../begin.ts'
import { useBookings } from '../bookings.ts'
import { HealthLine, PaidWith } from '../can-book.tsx'
import { isBooked, reachOf, slotForTwo, slotOfClass, useSetRegular, WHY_NOT } from './regular.ts'

const { weeks } = studio.policies.regularBookings

type Of = { classId: number; title: string; date: string; startTime: string }
/** Who comes along: the companion of the booking, or one to invite. */
type Along = { firstName: string } | CompanionForm | undefined

/** Books a class and every later one on its weekday at its time, then shows what was booked. */
export default function RegularDialog({ of, companion, onClose }: { of: Of; companion?: Along; onClose: () => void }) {
  const [made, setMade] = useState<RegularBooking>()
  const passes = usePasses()
  if (made) return <Made made={made} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title={companion ? `${slotOfClass(of)}, with ${companion.firstName}` : slotOfClass(of)}>
      <div className="mt-4 grid gap-1 border-y border-line py-3 sm:py-5">
        <PaidWith credits={passes.data && creditsOf(passes.data)} />
      </div>
      <RegularForm of={of} companion={companion} onMade={setMade} onClose={onClose} />
    </Dialog>
  )
}

/** What booking it every week means, the two ticks, and its button. */
export function RegularForm({
  of,
  companion,
  onMade,
  onClose,
}: {
  of: Of
  companion: Along
  onMade: (made: RegularBooking) => void
  onClose: () => void
}) {
  const [isForTwo, setIsForTwo] = useState(companion !== undefined)
  const invited = companion && 'email' in companion ? companion : undefined
  const agreements = useAgreements()
  const health = useHealth()
  const begin = useBegin(of.classId, isForTwo ? 2 : 1)
  const set = useSetRegular({ onDone: onMade })
  const planned = usePlannedDates(of, isForTwo && invited !== undefined)
  const isReady = agreements.areGiven && health.isComplete
  const both = begin.boxes === null ? 'both boxes' : 'the first two boxes'
  const missing = health.isComplete
    ? `Tick ${both}, for the later bookings too.`
    : 'Complete your health information first.'
  return (
    <>
      <p role="status" className="mt-3 text-base">
        Books now: {planned ? booksNow(planned) : '…'}
        {planned && planned.length > 0 && !isForTwo && ` (${many(planned.length, 'credit')})`}
      </p>
      <Disclosure label="How it works" className="mt-2 text-small text-ink-soft">
        We book this class and every later one at this time, up to {weeks} weeks ahead, with one credit each. Later
        classes wait until you have a credit; for a full class, you join the waiting list. You can skip a date or stop
        at any time.
      </Disclosure>
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
      <HealthLine health={health} />
      <div className="mt-3 grid gap-2">
        <Agreements {...agreements} />
        {begin.boxes}
      </div>
      <p id="why-not-regular" className="mt-2 -mb-3 min-h-6 text-small text-ink-mute sm:mt-4 sm:text-right">
        {health.isPending || isReady ? 'Both ticks are for the later bookings too.' : missing}
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
    </>
  )
}

/**
 * The dates that are booked if the member confirms now, by the server's rule; undefined while they load.
 *
 * @param invites a companion, whose place in the first class takes a credit too
 */
function usePlannedDates(first: Of, invites: boolean): string[] | undefined {
  const now = useNow()
  const classes = useClasses(first.date, lastRegularDate(now)).data
  const passes = usePasses().data
  const bookings = useBookings().data
  if (!classes || !passes || !bookings) return undefined
  const at = Temporal.Instant.from
  const spanOf = (c: { startsAt: string; endsAt: string }) => ({ startsAt: at(c.startsAt), endsAt: at(c.endsAt) })
  const standing: Standing = {
    isBlocked: false,
    isHealthComplete: true,
    isByPhone: false,
    ableSince: null,
    passes: passes.map((pass) => ({
      ...pass,
      expiresAt: at(pass.expiresAt),
      frozenAt: pass.frozenAt === null ? null : now,
      refundedAt: pass.isEnded ? now : null,
      voidedAt: null,
      freeCredits: 0,
    })),
    booked: bookings
      .filter(({ status }) => status !== 'cancelled')
      .map(({ classId, class: studioClass }) => ({ classId, ...spanOf(studioClass) })),
  }
  const decide = placePlanner(new Map([['member', standing]]), now)
  const planned = classes.filter((studioClass) => {
    if (slotOfClass(studioClass) !== slotOfClass(first)) return false
    const place = { class: { ...studioClass, ...spanOf(studioClass) }, payerId: 'member' }
    const isBooked = 'passId' in decide({ ...place, holderId: 'member' }, WAYS_IN.regular_set_up)
    if (isBooked && invites && studioClass.id === first.classId)
      decide({ ...place, holderId: null }, WAYS_IN.invitation)
    return isBooked
  })
  return planned.map(({ date }) => date)
}

/** `30 Nov, 7 Dec`; of more than four dates `12 classes, 30 Nov to 15 Feb`. */
function booksNow(dates: readonly string[]): string {
  const days = dates.map((date) => `${Number(date.slice(8))} ${monthOf(date).slice(0, 3)}`)
  if (days.length > 4) return `${days.length} classes, ${days[0]} to ${days.at(-1)}`
  return days.join(', ') || 'no class yet'
}

export function Made({ made, onClose }: { made: RegularBooking; onClose: () => void }) {
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
                      <TextLink to="/pricing">Buy a pass</TextLink>
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
