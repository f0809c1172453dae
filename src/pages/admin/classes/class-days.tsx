import { Fragment, useState } from 'react'
import { fullName } from '#accounts/rules.ts'
import type { ClassPeople } from '#booking/contract-classes.ts'
import { canAddAtDesk } from '#booking/rules.ts'
import { useClassPeople } from '#booking/web/admin-bookings.ts'
import { HeldPlaces } from '#booking/web/companions/held-places.tsx'
import { useClashes } from '#calendar/web/own-calendar.ts'
import { many } from '#foundation/collections.ts'
import { addDays, formatDate, weekdayOf } from '#foundation/dates.ts'
import { timeOf, today } from '#foundation/instants.ts'
import { writeTo } from '#mailings/web/messages.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { nameOfClass } from '#timetable/rules.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DayHeading } from '#ui/day-heading.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { More } from '#ui/more.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useShowAll } from '#ui/search-params.ts'
import { present } from '#ui/use-now.ts'
import { WholeWords } from '#ui/whole-words.tsx'
import { isPast } from '../bookings/class-choice.tsx'
import { AddCompanionDialog, BookForMemberDialog } from '../day/dialogs.ts'
import { MemberLink, type UserName } from '../users/member-details.tsx'
import { CHOSEN_ID, SeveralBar } from './several-classes.tsx'
import { TaughtBy } from './teachers.tsx'

type Actions = {
  onEdit: (id: number) => void
  onDelete: (id: number) => void
  /** The class that was created last, which is scrolled to. */
  created: number | undefined
  /** Whether classes have a tick. */
  isChoosing: boolean
}

type Shown = Actions & {
  clashOf: ReturnType<typeof useClashes>
  people: ReadonlyMap<number, ClassPeople>
  chosen: ReadonlySet<number>
  onChoose: (id: number, isChosen: boolean) => void
}

const NEXT_FEW = 6
const AT_MOST = 10
const NO_PEOPLE: ReadonlyMap<number, ClassPeople> = new Map()

const scrollIntoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' })

/** Classes by day; several can be chosen and changed together. Past ones are folded, unless there are no others. */
export function ClassList({
  classes,
  period,
  ...actions
}: Actions & { classes: StudioClass[]; period: { from: string; to: string } }) {
  const people = useClassPeople(period.from, period.to).data ?? NO_PEOPLE
  const clashOf = useClashes(period.from, period.to)
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const now = today(present())
  const before = classes.filter(({ date }) => date < now)
  const ahead = classes.filter(({ date }) => date >= now)
  // Drop classes that someone else has deleted.
  const chosen = classes.filter(({ id }) => ticked.has(id))
  const shown = {
    ...actions,
    people,
    clashOf,
    chosen: new Set(chosen.map(({ id }) => id)),
    onChoose: (id: number, isChosen: boolean) =>
      setTicked((old) => new Set(isChosen ? [...old, id] : [...old].filter((other) => other !== id))),
  }
  return (
    <>
      {ahead.length > 0 && before.length > 0 && (
        <Disclosure label={`${many(before.length, 'class', 'classes')} before today`} className="mb-6 border-b pb-2">
          <Days classes={before} {...shown} />
        </Disclosure>
      )}
      <Days classes={ahead.length > 0 ? ahead : before} {...shown} />
      <SeveralBar classes={chosen} people={people} onClear={() => setTicked(new Set())} />
    </>
  )
}

function Days({ classes, ...shown }: Shown & { classes: StudioClass[] }) {
  const [isAll, showAll] = useShowAll()
  const next = nextFewOf(classes)
  const isLater = ({ id }: StudioClass) => !isAll && shown.created === undefined && !next.has(id)
  return (
    <div className="grid gap-8 max-md:gap-5">
      {[...Map.groupBy(classes, ({ date }) => date)].map(([date, ofDay]) => (
        <section
          key={date}
          aria-label={`${weekdayOf(date)} ${formatDate(date)}`}
          className={ofDay.every(isLater) ? 'max-md:hidden' : undefined}
        >
          <h3 className="pb-2 text-small font-medium">
            <DayHeading date={date} />
          </h3>
          <ul className="border-t border-line">
            {ofDay.map((c) => (
              <Row key={c.id} of={c} {...shown} isLater={isLater(c)} />
            ))}
          </ul>
        </section>
      ))}
      {classes.some(isLater) && (
        <Button variant="secondary" className="md:hidden" onClick={showAll}>
          Show all {classes.length} classes
        </Button>
      )}
    </div>
  )
}

/** The first classes that have not started (of all, if none is left), to the end of a day unless it is a long one. */
function nextFewOf(classes: StudioClass[]): ReadonlySet<number> {
  const upcoming = classes.filter((c) => !isPast(c.startsAt))
  const ahead = upcoming.length > 0 ? upcoming : classes
  const few = ahead.slice(0, NEXT_FEW)
  const lastDay = few.at(-1)?.date ?? ''
  const wholeDays = ahead.filter(({ date }) => date <= lastDay)
  return new Set((wholeDays.length <= AT_MOST ? wholeDays : few).map(({ id }) => id))
}

function Row({
  of: c,
  people,
  clashOf,
  chosen,
  onChoose,
  isChoosing,
  onEdit,
  onDelete,
  created,
  isLater,
}: Shown & { of: StudioClass; isLater: boolean }) {
  const which = nameOfClass(c)
  const clash = isPast(c.startsAt) ? undefined : clashOf(c)
  const { booked = [], waiting = [] } = people.get(c.id) ?? {}
  const [alone] = booked
  const [adding, setAdding] = useState<'companion' | 'member'>()
  return (
    <li
      ref={c.id === created ? scrollIntoView : undefined}
      className={`grid grid-cols-[auto_minmax(0,1fr)_auto_2.75rem] items-start gap-x-2 border-b border-line py-1.5 md:grid-cols-[9.5rem_minmax(0,1fr)_auto] md:gap-x-4 md:py-2 ${isLater ? 'max-md:hidden' : ''}`}
    >
      <p className="flex min-h-11 items-center text-small font-medium whitespace-nowrap tabular-nums">
        {isChoosing && !isPast(c.startsAt) && (
          <input
            type="checkbox"
            className="tick mr-3"
            aria-label={`Choose ${which}`}
            checked={chosen.has(c.id)}
            onChange={(event) => onChoose(c.id, event.target.checked)}
          />
        )}
        {chosen.has(c.id) && (
          <button
            type="button"
            onClick={() => document.getElementById(CHOSEN_ID)?.focus()}
            className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:mt-24 focus:ml-24 focus:rounded-full focus:bg-sage-dark focus:px-5 focus:py-3 focus:whitespace-nowrap focus:text-paper"
          >
            Go to chosen classes
          </button>
        )}
        {c.startTime} - {c.endTime}
      </p>
      <div className="min-w-0 pt-2.5 pb-1 max-md:contents">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:contents">
          <span className="self-center font-medium wrap-anywhere max-md:col-[1/3] max-md:row-start-2">
            <WholeWords text={c.title} />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:col-[2/4] max-md:row-start-1 max-md:min-h-11">
            <Booked of={c} />
            <ActiveBadge isActive={c.isActive} />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 empty:hidden max-md:col-span-full max-md:pb-1">
            {c.reservedPlaces > 0 && <Badge tone="info">{c.reservedPlaces} kept for the waiting list</Badge>}
            {waiting.length > 0 && <Badge tone="info">{waiting.length} waiting</Badge>}
          </span>
        </p>
        <TaughtBy teacher={c.instructorName} className="max-md:col-span-full" />
        {clash && <p className="text-small text-warn max-md:col-span-full">{clash}</p>}
        <Names label="Booked" of={booked} />
        {adding === 'companion' && alone && (
          <AddCompanionDialog
            booking={{ id: alone.bookingId, firstName: alone.firstName }}
            onClose={() => setAdding(undefined)}
          />
        )}
        {adding === 'member' && <BookForMemberDialog classId={c.id} onClose={() => setAdding(undefined)} />}
        {c.bookedCount > booked.length && (
          <div className="max-md:col-span-full">
            <HeldPlaces classId={c.id} />
          </div>
        )}
        <Names label="Waiting" of={waiting} />
      </div>
      <div className="flex items-center max-md:contents">
        <span className="row-actions max-md:col-[3/-1] max-md:row-start-2 max-md:-my-2">
          <RowButton label="Edit" name={`Edit ${which}`} onClick={() => onEdit(c.id)} />
          <RowButton label="Delete" name={`Delete ${which}`} danger onClick={() => onDelete(c.id)} />
        </span>
        <span className="min-w-11 max-md:col-start-4 max-md:row-start-1">
          <More
            of={which}
            items={[
              c.isActive &&
                c.availableSpots > 0 &&
                !isPast(c.endsAt) && {
                  label: 'Book for a member',
                  name: `Book ${which} for a member`,
                  onSelect: () => setAdding('member'),
                },
              c.bookedCount > 0 && {
                label: 'Message',
                name: `Message ${which}`,
                to: writeTo({ classId: c.id }),
              },
              alone &&
                !alone.bookedBy &&
                booked.length === 1 &&
                canAddAtDesk(c, present()) && {
                  label: 'Add companion',
                  name: `Add companion of ${fullName(alone)} to ${which}`,
                  onSelect: () => setAdding('companion'),
                },
            ]}
          />
        </span>
      </div>
    </li>
  )
}

function Booked({ of: c }: { of: StudioClass }) {
  const ink = c.bookedCount < c.maxParticipants ? 'text-ink-mute' : 'font-medium text-ink'
  return (
    <span className={`text-caption tabular-nums ${ink}`}>
      {c.bookedCount}/{c.maxParticipants} <span className="sr-only">booked</span>
    </span>
  )
}

type Named = UserName & { offeredUntil?: string | null; bookedBy?: { firstName: string; lastName: string } | null }

function Names({ label, of }: { label: string; of: readonly Named[] }) {
  if (of.length === 0) return null
  return (
    <p className="text-small text-ink-soft max-md:col-span-full">
      <span className="text-ink-mute">{label}:</span>{' '}
      {of.map((user, i) => (
        <Fragment key={user.id}>
          {i > 0 && ', '}
          <MemberLink id={user.id}>{fullName(user)}</MemberLink>
          {user.bookedBy && ` (companion of ${fullName(user.bookedBy)})`}
          {user.offeredUntil && ` (offered until ${timeOf(user.offeredUntil)})`}
        </Fragment>
      ))}
    </p>
  )
}

export function ClassWeek({
  monday,
  classes,
  created,
  onEdit,
}: Pick<Actions, 'created' | 'onEdit'> & { monday: string; classes: StudioClass[] }) {
  const clashOf = useClashes(monday, addDays(monday, 6))
  const days = Array.from({ length: 7 }, (_, days) => addDays(monday, days))
  return (
    <ol className="grid gap-x-3 gap-y-6 lg:grid-cols-7">
      {days.map((date) => {
        const ofDay = classes.filter((c) => c.date === date)
        return (
          <li key={date} className="min-w-0 border-t border-line pt-3">
            <h3 className="text-small font-medium">
              {weekdayOf(date)} <span className="font-normal text-ink-mute tabular-nums">{formatDate(date)}</span>
            </h3>
            {ofDay.length === 0 ? (
              <p className="mt-2 text-small text-ink-mute">No classes</p>
            ) : (
              <ul className="mt-2 grid gap-2">
                {ofDay.map((c) => (
                  <li key={c.id} ref={c.id === created ? scrollIntoView : undefined}>
                    <button
                      type="button"
                      onClick={() => onEdit(c.id)}
                      className="w-full rounded-row bg-white p-3 text-left shadow-rest hover:bg-linen"
                    >
                      <span className="flex items-baseline justify-between gap-2">
                        <span className="figure text-xl">{c.startTime}</span>
                        <Booked of={c} />
                      </span>
                      <span className="mt-1 block text-small/tight wrap-anywhere">
                        <WholeWords text={c.title} />
                      </span>
                      {!isPast(c.startsAt) && clashOf(c) && (
                        <span className="mt-1 block text-caption/tight text-warn">{clashOf(c)}</span>
                      )}
                      {!c.isActive && (
                        <span className="mt-2 block">
                          <ActiveBadge isActive={false} />
                        </span>
                      )}
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function ActiveBadge({ isActive }: { isActive: boolean }) {
  return isActive ? <Badge tone="quiet">Active</Badge> : <Badge tone="sand">Inactive</Badge>
}
