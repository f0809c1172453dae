import { useState } from 'react'
import { Link } from 'react-router'
import { formatLongDate } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { useHealth } from '#health/web/health.ts'
import type { Pass } from '#passes/contract.ts'
import { isPausedOn, isValidFor } from '#passes/rules.ts'
import { activePasses, creditsOf, usePasses } from '#passes/web/passes.ts'
import { studio } from '#studio.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { useNow } from '#ui/use-now.ts'
import type { WaitingEntry } from '../../contract-waiting.ts'
import { endOfTurns, lastAssignmentOf } from '../../rules.ts'
import { useBookings } from '../bookings.ts'
import { ClassFacts, Fact, HealthLine, OverlappingBooking, PaidWith } from '../can-book.tsx'
import { useJoinWaitingList, useLeaveWaitingList } from '../change-bookings.ts'

/** The facts of a full class, how its waiting list works, whether the member could take a place, then Join or Leave. */
export default function WaitingDialog({
  awaited,
  entry: atOpening,
  onClose,
}: {
  awaited: StudioClass
  entry: WaitingEntry | undefined
  onClose: () => void
}) {
  // Fixed when the dialog opens, so that the button does not change while it closes.
  const [entry] = useState(atOpening)
  const health = useHealth()
  const passes = usePasses()
  const bookings = useBookings()
  const join = useJoinWaitingList({ onSettled: onClose })
  const leave = useLeaveWaitingList({ onSettled: onClose })
  const startsAt = Temporal.Instant.from(awaited.startsAt)
  return (
    <Dialog onClose={onClose} title={`Waiting list: ${awaited.title}`}>
      <ClassFacts of={awaited}>
        {entry ? (
          <Fact>No. {entry.position} on the waiting list</Fact>
        ) : (
          <PaidWith credits={passes.data && creditsOf(passes.data)} />
        )}
      </ClassFacts>
      {entry?.needsConfirming && (
        <p className="mt-5 text-base text-clay">
          The studio has moved this class. You keep your place on the waiting list. We will only book you in once you
          say that you still want it.
        </p>
      )}
      <WhatHappens startsAt={startsAt} />
      {passes.data && !hasCreditFor(passes.data, startsAt) && (
        <p role="status" className="mt-5 rounded-row bg-warn-tint px-4 py-3 text-warn">
          You have no credit that is valid for this class. If a place becomes free, it goes to the next person.{' '}
          <Link className="font-medium underline underline-offset-4" to="/pricing" replace>
            Buy a class pass
          </Link>
        </p>
      )}
      <OverlappingBooking chosen={awaited} bookings={bookings.data ?? []} />
      <HealthLine health={health} />
      <DialogActions onClose={onClose} cancel="Close">
        {entry ? (
          <>
            <Button variant="secondary" busy={leave.isPending} onClick={() => leave.mutate(awaited)}>
              Leave waiting list
            </Button>
            {entry.needsConfirming && (
              <Button busy={join.isPending} onClick={() => join.mutate({ ...awaited, needsConfirming: true })}>
                I still want a place
              </Button>
            )}
          </>
        ) : (
          <Button busy={join.isPending} onClick={() => join.mutate(awaited)}>
            Join waiting list
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function hasCreditFor(passes: readonly Pass[], startsAt: Temporal.Instant): boolean {
  const date = studioDate(startsAt).toString()
  return activePasses(passes).some(
    ({ frozenAt, expiresAt, paused }) =>
      !frozenAt &&
      isValidFor({ expiresAt: Temporal.Instant.from(expiresAt) }, startsAt) &&
      !isPausedOn({ paused }, date),
  )
}

/** What happens to a free place, now and later. */
function WhatHappens({ startsAt }: { startsAt: Temporal.Instant }) {
  const now = useNow()
  const [until, last] = [lastAssignmentOf(startsAt), endOfTurns(startsAt)]
  const { quietHours, waitingListHours, waitingListTurn } = studio.policies
  const hours = `${waitingListTurn.untilHours} hours`
  const day = (at: Temporal.Instant) => formatLongDate(studioDate(at).toString())
  const isBefore = (at: Temporal.Instant) => Temporal.Instant.compare(now, at) < 0
  const isAssigned = Temporal.Instant.compare(now, until) <= 0
  return (
    <>
      <p className="mt-4 text-base text-ink-soft">
        {leadOf({ isAssigned, isOffered: isBefore(last) })} Waiting costs nothing, and you can leave the list at any
        time.
      </p>
      <Disclosure label="How it works" className="mt-4 grid text-base text-ink-soft">
        <div className="grid gap-2.5">
          {isAssigned && (
            <p>
              Until {studioTime(until)} on {day(until)}, {waitingListHours} hours before the class, a place that becomes
              free goes to the first person on the waiting list who has a credit and complete health information. If
              that is you, we book it, take one credit from your class pass and send you an email.
            </p>
          )}
          {isBefore(last) && (
            <p>
              {isBefore(until) ? 'After that' : `Until ${studioTime(last)} on ${day(last)}`}, we offer it by email to
              one person at a time, and keep it for {waitingListTurn.minutes} minutes.
            </p>
          )}
          <p>
            {isBefore(last)
              ? `In the last ${hours}`
              : `The class starts in less than ${hours}: when a place becomes free`}
            , everyone on the list gets an email and the first to book gets the place. We only take a credit when you
            book.
          </p>
          <p>
            If a place becomes free between {quietHours.from} and {quietHours.until}, we offer it in the morning. If the
            class starts before {quietHours.earlyClass}, we email everyone on the list straight away.
          </p>
        </div>
      </Disclosure>
    </>
  )
}

/** What happens now with a place that becomes free. */
function leadOf({ isAssigned, isOffered }: { isAssigned: boolean; isOffered: boolean }): string {
  if (isAssigned) return 'A place that becomes free is booked for the next person who can have it, and we email them.'
  if (isOffered) return 'A place that becomes free is offered by email to one person at a time.'
  return 'When a place becomes free, we email everyone on the list, and the first to book gets it.'
}
