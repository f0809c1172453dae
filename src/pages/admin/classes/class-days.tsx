import { Link } from 'react-router'
import type { ClassPeople } from '#booking/contract-several.ts'
import { formatDate, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { writeTo } from '#mailings/web/messages.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { ActiveBadge } from '#timetable/web/active-badge.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { present } from '#ui/use-now.ts'
import { CHOSEN_ID } from './several-classes.tsx'

/** Which class's dialog is open. */
export type OpenClass = { dialog: 'edit' | 'delete' | 'extend'; id: number }

type Shown = {
  people: ReadonlyMap<number, ClassPeople>
  chosen: ReadonlySet<number>
  onChoose: (id: number, isChosen: boolean) => void
  onOpen: (open: OpenClass) => void
  /** The class that was created last, which is scrolled to. */
  created: number | undefined
  /** Whether a phone shows every class instead of the next few. */
  isAll: boolean
  onAll: () => void
}

/** Classes that a phone shows at first. */
const NEXT_FEW = 6

/** A ref that scrolls its row into view. */
const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' })

/** A class's name with its date and time. */
export const whichOf = (c: StudioClass) => `${c.title} on ${formatDate(c.date)} at ${c.startTime}`

/** Classes by day. Those before today are folded, unless there are no others. */
export function ClassDays({ classes, ...shown }: Shown & { classes: StudioClass[] }) {
  const now = today(present())
  const before = classes.filter(({ date }) => date < now)
  const ahead = classes.filter(({ date }) => date >= now)
  if (ahead.length === 0) return <Days classes={before} {...shown} />
  return (
    <>
      {before.length > 0 && (
        <Disclosure
          label={`${before.length} ${before.length === 1 ? 'class' : 'classes'} before today`}
          className="mb-6 border-b pb-2"
        >
          <Days classes={before} {...shown} />
        </Disclosure>
      )}
      <Days classes={ahead} {...shown} />
    </>
  )
}

/** Days with their classes; a phone shows the next few, and the rest on request. */
function Days({ classes, ...shown }: Shown & { classes: StudioClass[] }) {
  const now = today(present())
  const next = nextFewOf(classes)
  const isLater = ({ id }: StudioClass) => !shown.isAll && !next.has(id)
  return (
    <div className="grid gap-8 max-md:gap-5">
      {[...Map.groupBy(classes, ({ date }) => date)].map(([date, those]) => (
        <section
          key={date}
          aria-label={`${weekdayOf(date)} ${formatDate(date)}`}
          className={those.every(isLater) ? 'max-md:hidden' : undefined}
        >
          <h3 className="flex items-baseline gap-2 pb-2 text-[0.9375rem] font-medium">
            {weekdayOf(date)} <span className="font-normal text-ink-mute tabular-nums">{formatDate(date)}</span>
            {date === now && <Badge tone="clay">Today</Badge>}
          </h3>
          <ul className="border-t border-line">
            {those.map((c) => (
              <Row key={c.id} of={c} {...shown} isLater={isLater(c)} />
            ))}
          </ul>
        </section>
      ))}
      {classes.some(isLater) && (
        <Button variant="secondary" className="md:hidden" onClick={shown.onAll}>
          Show all {classes.length} classes
        </Button>
      )}
    </div>
  )
}

/** The first classes that have not started; if all have, the first of all. */
function nextFewOf(classes: StudioClass[]): ReadonlySet<number> {
  const toCome = classes.filter((c) => !hasStarted(Temporal.Instant.from(c.startsAt), present()))
  return new Set((toCome.length > 0 ? toCome : classes).slice(0, NEXT_FEW).map(({ id }) => id))
}

/** A skip link from a ticked class to the actions for ticked classes. */
function ToChosen() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById(CHOSEN_ID)?.focus()}
      className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:mt-24 focus:ml-24 focus:rounded-full focus:bg-sage-dark focus:px-5 focus:py-3 focus:whitespace-nowrap focus:text-paper"
    >
      Go to chosen classes
    </button>
  )
}

function Row({
  of: c,
  people,
  chosen,
  onChoose,
  onOpen,
  created,
  isLater,
}: Shown & { of: StudioClass; isLater: boolean }) {
  const which = whichOf(c)
  const { booked = [], waiting = [] } = people.get(c.id) ?? {}
  const hasBegun = hasStarted(Temporal.Instant.from(c.startsAt), present())
  return (
    <li
      ref={c.id === created ? intoView : undefined}
      className={`grid grid-cols-[2rem_auto_minmax(0,1fr)] items-start gap-x-2 border-b border-line py-3 max-md:py-2 md:grid-cols-[2rem_7.5rem_minmax(0,1fr)_auto] md:gap-x-4 ${isLater ? 'max-md:hidden' : ''}`}
    >
      <span className="grid min-h-11 place-items-center max-md:row-span-2">
        {!hasBegun && (
          <input
            type="checkbox"
            className="tick"
            aria-label={`Choose ${which}`}
            checked={chosen.has(c.id)}
            onChange={(event) => onChoose(c.id, event.target.checked)}
          />
        )}
        {chosen.has(c.id) && <ToChosen />}
      </span>
      <p className="flex min-h-11 items-center text-[0.9375rem] max-md:min-h-9 whitespace-nowrap tabular-nums">
        {c.startTime} - {c.endTime}
      </p>
      <div className="min-w-0 py-2.5 max-md:contents">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:contents">
          <span className="font-medium [overflow-wrap:anywhere] max-md:col-[2/-1] max-md:row-start-2">{c.title}</span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:col-start-3 max-md:row-start-1 max-md:min-h-9 max-md:justify-end">
            <span className="text-[0.875rem] text-ink-soft tabular-nums">
              {c.bookedCount}/{c.maxParticipants} <span className="sr-only">booked</span>
            </span>
            <ActiveBadge isActive={c.isActive} />
            {c.heldPlaces > 0 && <Badge tone="info">{c.heldPlaces} kept for the waiting list</Badge>}
            {waiting.length > 0 && <Badge tone="info">{waiting.length} waiting</Badge>}
          </span>
        </p>
        <Names label="Booked" of={booked} />
        <Names label="Waiting" of={waiting} />
      </div>
      <div className="flex flex-wrap items-center gap-2 max-md:col-[2/-1]">
        {c.bookedCount > 0 && (
          <ButtonLink
            variant="quiet"
            small
            className="max-md:order-last"
            to={writeTo({ classId: c.id })}
            aria-label={`Message ${which}`}
          >
            Message
          </ButtonLink>
        )}
        <Button
          variant="secondary"
          small
          aria-label={`Edit ${which}`}
          onClick={() => onOpen({ dialog: 'edit', id: c.id })}
        >
          Edit
        </Button>
        <Button
          variant="secondary"
          small
          className="not-disabled:border-err/40 not-disabled:text-err"
          aria-label={`Delete ${which}`}
          onClick={() => onOpen({ dialog: 'delete', id: c.id })}
        >
          Delete
        </Button>
      </div>
    </li>
  )
}

function Names({ label, of }: { label: string; of: ClassPeople['booked'] }) {
  if (of.length === 0) return null
  return (
    <p className="text-[0.9375rem] text-ink-soft max-md:col-[2/-1]">
      <span className="text-ink-mute">{label}:</span>{' '}
      {of.map(({ id, firstName, lastName }, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <Link
            to={`/admin?tab=Users&user=${id}`}
            className="link inline-flex min-h-8 items-center [overflow-wrap:anywhere]"
          >
            {firstName} {lastName}
          </Link>
        </span>
      ))}
    </p>
  )
}

/** A week in seven columns, on a phone one below the other. A class opens its dialog. */
export function ClassWeek({
  monday,
  classes,
  created,
  onOpen,
}: {
  monday: string
  classes: StudioClass[]
  /** The class that was created last, which is scrolled to. */
  created: number | undefined
  onOpen: (open: OpenClass) => void
}) {
  const days = Array.from({ length: 7 }, (_, days) => Temporal.PlainDate.from(monday).add({ days }).toString())
  return (
    <ol className="grid gap-x-3 gap-y-6 lg:grid-cols-7">
      {days.map((date) => {
        const those = classes.filter((c) => c.date === date)
        return (
          <li key={date} className="min-w-0 border-t border-line pt-3">
            <h3 className="text-[0.9375rem] font-medium">
              {weekdayOf(date)} <span className="font-normal text-ink-mute tabular-nums">{formatDate(date)}</span>
            </h3>
            {those.length === 0 && <p className="mt-2 text-[0.9375rem] text-ink-mute">No classes</p>}
            <ul className="mt-2 grid gap-2">
              {those.map((c) => (
                <li key={c.id} ref={c.id === created ? intoView : undefined}>
                  <button
                    type="button"
                    onClick={() => onOpen({ dialog: 'edit', id: c.id })}
                    className="w-full rounded-row bg-white p-3 text-left shadow-rest hover:bg-linen"
                  >
                    <span className="flex items-baseline justify-between gap-2">
                      <span className="figure text-xl">{c.startTime}</span>
                      <span className="text-[0.875rem] text-ink-soft tabular-nums">
                        {c.bookedCount}/{c.maxParticipants} <span className="sr-only">booked</span>
                      </span>
                    </span>
                    <span className="mt-1 block text-[0.9375rem]/[1.35] [overflow-wrap:anywhere]">{c.title}</span>
                    {!c.isActive && (
                      <span className="mt-2 block">
                        <ActiveBadge isActive={false} />
                      </span>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}
