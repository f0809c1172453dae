import { Link } from 'react-router'
import { formatLongDate } from '#foundation/dates.ts'
import { timeOf } from '#foundation/instants.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { classType } from '#timetable/rules.ts'
import type { useClasses } from '#timetable/web/classes.ts'
import { Badge } from '#ui/badge.tsx'
import { buttonClass } from '#ui/button.tsx'
import { EmptyState, ReadFailed } from '#ui/query-view.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { toast } from '#ui/toast.ts'
import { present, useNow } from '#ui/use-now.ts'
import { WholeWords } from '#ui/whole-words.tsx'
import type { Booking } from '../contract.ts'
import type { WaitingEntry } from '../contract-waiting.ts'
import { isOfferedNow, type RowState, rowState } from '../rules.ts'
import { CANNOT_CHOOSE } from './bookings.ts'

export function DayList({
  day,
  classes,
  bookings,
  waiting,
  onChoose,
  onWait,
}: {
  day: string
  classes: ReturnType<typeof useClasses>
  bookings: readonly Booking[] | undefined
  waiting: readonly WaitingEntry[] | undefined
  onChoose: (chosen: StudioClass) => void
  onWait: (awaited: StudioClass) => void
}) {
  const now = useNow()
  if (classes.isError) {
    return <ReadFailed title="The classes could not be loaded." error={classes.error} onAgain={classes.refetch} />
  }
  if (classes.isPending || !bookings || !waiting) return <Spinner label="Loading classes..." visible />

  const listed = classes.data.filter((c) => c.date === day)
  // A no-break date.
  if (listed.length === 0)
    return <EmptyState title={`No classes scheduled for ${formatLongDate(day).replaceAll(' ', '\u00A0')}`} />

  const choose = (chosen: StudioClass) => {
    const state = rowState(chosen, bookings, present(), waiting)
    if (state === 'started' || state === 'booked') toast(CANNOT_CHOOSE[state])
    else if (state === 'available') onChoose(chosen)
  }
  return (
    <ul key={day} className="border-t border-line motion-safe:animate-[appear_160ms_ease-out]">
      {listed.map((c) => (
        <ClassRow
          key={c.id}
          listed={c}
          state={rowState(c, bookings, now, waiting)}
          entry={waiting.find(({ classId }) => classId === c.id)}
          now={now}
          onChoose={() => choose(c)}
          onWait={() => onWait(c)}
        />
      ))}
    </ul>
  )
}

/** Where a row's state stands beside its button; other states have the rest of the line. */
const STATUS_PLACE: Partial<Record<RowState, string>> = {
  available: 'col-start-2',
  full: 'col-start-2 max-[374px]:col-end-4 min-[375px]:max-sm:block min-[375px]:max-sm:text-balance',
}

/** One class of the day. The whole row is its button, if it can be booked. */
export function ClassRow({
  listed,
  state,
  entry,
  now,
  action = entry && now && isOfferedNow(entry, now) ? 'Book now' : 'Book',
  onChoose,
  onWait,
}: {
  listed: StudioClass
  state: RowState
  action?: string
  entry?: WaitingEntry | undefined
  /** With `entry`. */
  now?: Temporal.Instant
  onChoose: () => void
  onWait?: () => void
}) {
  const started = state === 'started'
  return (
    <li
      className={`group relative grid grid-cols-[74px_minmax(0,1fr)_auto] items-center max-[374px]:grid-cols-[64px_minmax(0,1fr)] gap-x-3 gap-y-2 border-b border-line py-3 sm:py-[18px] sm:grid-cols-[110px_minmax(0,1fr)_auto] lg:grid-cols-[110px_minmax(0,1fr)_auto_110px] sm:gap-x-5 ${
        state === 'booked' ? '-mx-3 my-2 rounded-row border-transparent bg-sage-tint px-3 sm:-mx-4 sm:px-4' : ''
      } ${started ? 'text-ink-mute' : ''} ${state === 'available' ? 'transition-colors hover:bg-linen/60' : ''}`}
    >
      <p className="self-start lg:self-center">
        <span className="figure text-[1.5rem] sm:text-[1.75rem]">{listed.startTime}</span>
        <span className={`block text-caption/tight ${state === 'booked' ? 'text-ink-soft' : 'text-ink-mute'}`}>
          to {listed.endTime}
        </span>
      </p>
      <div className="min-w-0 max-lg:col-span-2">
        <h4 className="text-body/tight font-medium wrap-break-word">
          <WholeWords text={listed.title} />
        </h4>
        <p className={`text-small/snug ${state === 'booked' ? 'text-ink-soft' : 'text-ink-mute'}`}>
          with {listed.instructorName}
          {'\u00A0· '}
          <span className="whitespace-nowrap">{classType(listed.maxParticipants)}</span>
        </p>
      </div>
      <div
        className={`row-start-2 flex flex-wrap items-center gap-2 lg:col-start-3 lg:row-start-1 ${STATUS_PLACE[state] ?? 'col-start-2 max-sm:col-end-4'}`}
      >
        <Status listed={listed} state={state} entry={entry} />
      </div>
      {state === 'full' && onWait && (
        <button
          type="button"
          onClick={onWait}
          aria-label={`Waiting list for ${listed.title} at ${listed.startTime}`}
          className={buttonClass(
            { small: true, variant: 'secondary' },
            'col-start-3 row-start-2 px-3 whitespace-nowrap max-[374px]:col-start-2 max-[374px]:row-start-3 max-[374px]:justify-self-start lg:col-start-4 lg:row-start-1',
          )}
        >
          Waiting list
        </button>
      )}
      {state === 'booked' && (
        <Link
          to="/dashboard"
          aria-label={`Manage ${listed.title} at ${listed.startTime}`}
          className={buttonClass(
            { small: true, variant: 'secondary' },
            'col-start-3 row-start-2 lg:col-start-4 lg:row-start-1',
          )}
        >
          Manage
        </Link>
      )}
      {state === 'available' && (
        <button
          type="button"
          onClick={onChoose}
          aria-label={`${action} ${listed.title} at ${listed.startTime}`}
          className={buttonClass(
            { small: true },
            'col-start-3 row-start-2 after:absolute after:inset-0 lg:col-start-4 lg:row-start-1',
          )}
        >
          {action}
        </button>
      )}
    </li>
  )
}

function Status({ listed, state, entry }: { listed: StudioClass; state: RowState; entry: WaitingEntry | undefined }) {
  if (state === 'started') return <span className="text-small">Class has started</span>
  if (state === 'booked') return <Badge tone="paper">Already booked</Badge>
  if (state === 'full') {
    return (
      <>
        <span className="text-small/snug text-ink-soft">
          {entry ? `FULL - No. ${entry.position} on the list` : 'FULL - Join waiting list'}
        </span>{' '}
        <Badge tone="err">
          <span className="sr-only">Places: </span>
          {listed.maxParticipants}
        </Badge>
      </>
    )
  }
  if (entry) {
    const offered = listed.availableSpots === 0 && entry.offeredUntil
    return <Badge tone="clay">{offered ? `Yours until ${timeOf(offered)}` : 'A place is free'}</Badge>
  }
  return listed.availableSpots === 1 && listed.maxParticipants > 1 ? (
    <Badge tone="warn">1 space left</Badge>
  ) : (
    <Badge tone="ok">Available</Badge>
  )
}
