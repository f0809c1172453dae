import { useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { formatLongDate } from '#foundation/dates.ts'
import { timeOf } from '#foundation/instants.ts'
import { nameOfClass } from '#timetable/rules.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { useNow } from '#ui/use-now.ts'
import type { SkipReason, WaitingEntry } from '../../contract-waiting.ts'
import { isOfferedNow } from '../../rules.ts'
import { useDeclineOffer, useJoinWaitingList, useLeaveWaitingList } from '../change-bookings.ts'

type Entries = { entries: readonly WaitingEntry[] }

/** The member's waiting lists, except places that are offered to them: {@link OfferedPlaces}. */
export function WaitingRows({ entries }: Entries) {
  const now = useNow()
  const waiting = entries.filter((entry) => !isOfferedNow(entry, now))
  return <Places title="On the waiting list" className="mt-8" entries={waiting} />
}

/** Places that are the member's for some minutes, at the top of the dashboard. */
export function OfferedPlaces({ entries }: Entries) {
  const now = useNow()
  const offered = entries.filter((entry) => isOfferedNow(entry, now))
  return <Places title="A place for you" className="mt-4 sm:mt-8" entries={offered} />
}

function Places({ title, className, entries }: Entries & { title: string; className: string }) {
  if (entries.length === 0) return null
  return (
    <Section title={title} gap="mb-2 sm:mb-4" className={className}>
      <ul className="border-t border-line">
        {entries.map((entry) => (
          <WaitingRow key={entry.classId} entry={entry} />
        ))}
      </ul>
    </Section>
  )
}

function WaitingRow({ entry }: { entry: WaitingEntry }) {
  const leave = useLeaveWaitingList()
  const join = useJoinWaitingList()
  const { classId, needsConfirming } = entry
  const decline = useDeclineOffer()
  const offeredUntil = isOfferedNow(entry, useNow()) && entry.offeredUntil
  const { title, date, startTime } = entry.class
  return (
    <li
      ref={useArrival(classId)}
      tabIndex={-1}
      className="grid grid-cols-[3.375rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-3 border-b border-line py-2.5 sm:grid-cols-[104px_minmax(0,1fr)_auto] sm:gap-x-6 sm:py-4"
    >
      <p className="figure self-start text-[1.5rem] text-ink-soft">{startTime}</p>
      <div className="min-w-0 text-small text-ink-soft">
        <p className="text-base text-ink wrap-break-word">{title}</p>
        <p>{formatLongDate(date)}</p>
        <p className="text-ink-mute">No. {entry.position} on the list</p>
        {offeredUntil && <p className="font-medium text-clay">Yours until {timeOf(offeredUntil)}</p>}
        {needsConfirming && (
          <p className="mt-2 max-w-[60ch] text-clay">
            The studio has moved this class to this time. Do you still want a place? We will only book you in once you
            say so.
          </p>
        )}
        {entry.wouldBeSkipped && <Skipped because={entry.wouldBeSkipped} />}
      </div>
      <div className={`flex flex-wrap gap-2 ${needsConfirming || offeredUntil ? 'col-start-2 max-sm:col-span-2' : ''}`}>
        {needsConfirming && (
          <Button
            small
            busy={join.isPending}
            aria-label={`I still want a place in ${nameOfClass(entry.class)}`}
            onClick={() => join.mutate({ id: classId, title, needsConfirming })}
          >
            I still want a place
          </Button>
        )}
        {offeredUntil && (
          <ButtonLink
            small
            to={`/booking?date=${date}&class=${classId}`}
            aria-label={`Book now: ${nameOfClass(entry.class)}`}
          >
            Book now
          </ButtonLink>
        )}
        {offeredUntil ? (
          <Button
            variant="secondary"
            small
            busy={decline.isPending}
            aria-label={`Decline the place in ${nameOfClass(entry.class)}`}
            onClick={() => decline.mutate({ id: classId, title })}
          >
            Decline
          </Button>
        ) : (
          <Button
            variant="secondary"
            small
            busy={leave.isPending}
            aria-label={`Leave the waiting list for ${nameOfClass(entry.class)}`}
            onClick={() => leave.mutate({ id: classId, title })}
          >
            Leave
          </Button>
        )}
      </div>
    </li>
  )
}

const SKIPPED: Record<SkipReason, { text: string; way?: { to: string; label: string } }> = {
  blocked: { text: 'Your account is on hold.' },
  no_credit: {
    text: 'You have no credit that is valid for this class.',
    way: { to: '/pricing', label: 'Buy a class pass' },
  },
  pass_on_hold: { text: 'Your class pass is on hold.' },
  pass_paused: { text: 'Your class pass is paused on this day.' },
  health_missing: {
    text: 'Your health information is not complete.',
    way: { to: '/health', label: 'Complete health questionnaire' },
  },
  overlapping_booking: { text: 'You have booked another class at this time.' },
  tonight: { text: 'Your new credits are your own until tonight. After that, they can pay for this place.' },
  too_soon: { text: 'This class starts too soon to be booked for you.' },
}

function Skipped({ because }: { because: SkipReason }) {
  const { text, way } = SKIPPED[because]
  return (
    <p className="mt-2 max-w-[60ch] rounded-row bg-warn-tint px-4 py-3 text-warn">
      {text} If a place becomes free, it goes to the next person.{' '}
      {way && (
        <Link className="font-medium underline underline-offset-4" to={way.to}>
          {way.label}
        </Link>
      )}
    </p>
  )
}

/** An emailed link names a class (`?waiting=7`): scrolls to its row and focuses it. */
function useArrival(classId: number) {
  const [query] = useSearchParams()
  const row = useRef<HTMLLIElement>(null)
  const isMeant = query.get('waiting') === String(classId)
  useEffect(() => {
    if (!isMeant) return
    row.current?.scrollIntoView({ block: 'center' })
    row.current?.focus({ preventScroll: true })
  }, [isMeant])
  return row
}
