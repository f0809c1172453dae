import printer from '@lucide/icons/icons/printer'
import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { fullName } from '#accounts/rules.ts'
import type { Participant } from '#booking/contract-day.ts'
import { dayOrder } from '#booking/web/day-order.ts'
import { many } from '#foundation/collections.ts'
import { addDays, formatLongDate, monthOf } from '#foundation/dates.ts'
import { NOTES } from '#health/web/words.ts'
import { hasStarted } from '#timetable/rules.ts'
import { Badge } from '#ui/badge.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Icon } from '#ui/icon.tsx'
import { useNow } from '#ui/use-now.ts'
import { WholeWords } from '#ui/whole-words.tsx'
import { useTaughtBy } from '../classes/teachers.tsx'

type DaySession = {
  class: {
    id: number
    title: string
    date: string
    startTime: string
    endTime: string
    startsAt: string
    endsAt: string
    instructorName: string
    isActive?: boolean
  }
  bookings: readonly Participant[]
}

/** How the next and the running class stand out. */
const HIGHLIGHT = '[&_.text-ink-mute]:text-ink-soft rounded-row bg-sage-tint px-3 -mx-3 mb-1 border-b-0'

type ClassRowProps = {
  class: Pick<DaySession['class'], 'title' | 'startTime' | 'endTime'> & { bookedCount: number; maxParticipants: number }
  /** 'Next, 09:30' of the next class. */
  label: string | undefined
  /** Next to the title. */
  details?: ReactNode
  menu?: ReactNode
  /** The class's people. */
  children: ReactNode
}

export function ClassRow({ class: studioClass, label, details, menu, children }: ClassRowProps) {
  return (
    <li
      className={`grid content-start grid-cols-[76px_minmax(0,1fr)_auto] gap-x-3 border-line pt-3 pb-3 sm:grid-cols-[92px_minmax(0,1fr)_auto] lg:py-2.5 ${label ? HIGHLIGHT : 'border-b'}`}
    >
      <p className="figure self-start text-[1.75rem]">
        {studioClass.startTime}
        <span className="block font-sans text-caption/snug tracking-normal text-ink-mute">
          to {studioClass.endTime}
        </span>
      </p>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        {label && <Badge tone="paper">{label}</Badge>}
        <h3 aria-label={`${studioClass.startTime}, ${studioClass.title}`} className="font-medium wrap-break-word">
          <WholeWords text={studioClass.title} />
        </h3>
        <p className="text-small whitespace-nowrap text-ink-mute">
          {studioClass.bookedCount} of {studioClass.maxParticipants} booked
        </p>
        {details}
      </div>
      <div className="-my-2 -mr-3">{menu}</div>
      {children}
    </li>
  )
}

/**
 * One day: running and next classes first, the finished ones folded.
 *
 * @param props.wide its classes in two columns, where there is room
 * @param label of the running and the next class, for `renderSession`: 'Next, 09:30'
 */
export function Day<S extends DaySession>({
  name,
  date,
  sessions,
  links,
  wide = false,
  renderSession,
}: {
  name: string
  date: string
  sessions: readonly S[]
  links?: ReactNode
  wide?: boolean
  renderSession: (session: S, label: string | undefined) => ReactNode
}) {
  const { finished, open, now, next } = dayOrder(sessions, useNow())
  const labelOf = (session: S) => {
    if (now.includes(session)) return `Now, ${session.class.startTime}`
    return name === 'Today' && session === next ? `Next, ${session.class.startTime}` : undefined
  }
  const isFolded = name === 'Today' && finished.length > 0
  const shown = isFolded ? open : sessions
  return (
    <section aria-label={name}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 lg:min-h-11">
        <h2 className="title flex flex-wrap items-baseline gap-x-3">
          {name} <span className="font-sans text-small text-ink-mute">{formatLongDate(date)}</span>
        </h2>
        {sessions.length === 0 && <p className="mr-auto text-ink-soft">No sessions.</p>}
        <div className="flex flex-wrap gap-x-5">{links}</div>
      </div>
      {name === 'Today' && next && now.length > 0 && (
        <p className="mt-1 wrap-anywhere">
          <span className="font-medium">Next, {next.class.startTime}:</span>{' '}
          {next.bookings.map(({ firstName, lastName }) => firstName || lastName).join(', ')}
        </p>
      )}
      {shown.length > 0 && (
        <ul className={`mt-3 border-t border-line ${wide ? 'gap-x-14 lg:grid lg:grid-cols-2' : ''}`}>
          {shown.map((session) => renderSession(session, labelOf(session)))}
        </ul>
      )}
      {isFolded && (
        <Disclosure
          label={many(finished.length, 'finished class', 'finished classes')}
          className={shown.length > 0 ? 'border-t-0 pb-2' : 'mt-3 border-b pb-2'}
        >
          <ul>{finished.map((session) => renderSession(session, undefined))}</ul>
        </Disclosure>
      )}
    </section>
  )
}

type DayOf<S> = { name: 'Today' | 'Tomorrow'; date: string; sessions: readonly S[] }

/**
 * Today and tomorrow side by side; one below the other if either is empty. In the evening, when today's classes are
 * finished, tomorrow is first if it has classes.
 *
 * @param props.isTodayOnly the roster of tomorrow cannot be printed
 * @param props.links beside a day's heading; `print` prints its roster
 */
export function TwoDays<S extends DaySession>({
  sessions,
  day,
  isTodayOnly = false,
  links,
  renderSession,
}: {
  sessions: readonly S[]
  day: string
  isTodayOnly?: boolean
  links: (day: DayOf<S>, print: () => void) => ReactNode
  renderSession: (session: S, label: string | undefined, isToday: boolean) => ReactNode
}) {
  const next = addDays(day, 1)
  const on = (date: string) => sessions.filter((session) => session.class.date === date)
  const today: DayOf<S> = { name: 'Today', date: day, sessions: on(day) }
  const tomorrow: DayOf<S> = { name: 'Tomorrow', date: next, sessions: on(next) }
  const { open, finished } = dayOrder(today.sessions, useNow())
  const isOver = open.length === 0 && finished.length > 0 && tomorrow.sessions.length > 0
  const days = isOver ? [tomorrow, today] : [today, tomorrow]
  const { roster, print } = useRoster(isTodayOnly ? [today] : days)
  const isOneEmpty = days.some((one) => one.sessions.length === 0)
  return (
    <div className={`grid gap-x-14 ${isOneEmpty ? 'gap-y-5' : 'gap-y-10 lg:grid-cols-2'}`}>
      {days.map((one) => (
        <Day
          key={one.name}
          {...one}
          wide={isOneEmpty}
          links={links(one, () => print(one.date))}
          renderSession={(session, label) => renderSession(session, label, one === today)}
        />
      ))}
      {roster}
    </div>
  )
}

export function PrintButton({ name, onPrint }: { name: string; onPrint: () => void }) {
  return (
    <button
      type="button"
      className={`${DAY_LINK} gap-1.5`}
      aria-label={`Print ${name.toLowerCase()}’s list`}
      onClick={onPrint}
    >
      <Icon of={printer} size={16} /> Print
    </button>
  )
}

export const DAY_LINK = 'link inline-flex min-h-11 items-center text-small'

export function Flags({ notes }: { notes: Participant['notes'] }) {
  if (!notes) return <Badge tone="warn">No health information</Badge>
  if (notes.length === 0) return <p className="text-small text-ink-mute">Nothing to note</p>
  return (
    <ul className="flex flex-wrap gap-1.5 py-0.5" aria-label="Health notes">
      {notes.map((note) => (
        <li key={note}>
          <Badge tone="warn">{NOTES[note]}</Badge>
        </li>
      ))}
    </ul>
  )
}

const UNREADABLE = 'This note cannot be read.'
const NO_NOTE = 'no note'

/** `17 November`, with the year if it is another one than that of `of`. */
function dayAndMonth(date: string, of: string): string {
  const year = date.slice(0, 4) === of.slice(0, 4) ? '' : ` ${date.slice(0, 4)}`
  return `${Number(date.slice(8, 10))} ${monthOf(date)}${year}`
}

/** The note on the session before, and the one on this session. `date`: of this session. */
export function SessionNotes({ participant, date }: { participant: Participant; date: string }) {
  const { lastTime, lastStartsAt, lastNote, note } = participant
  const now = useNow()
  const isStillToCome = Boolean(lastStartsAt && !hasStarted(Temporal.Instant.from(lastStartsAt), now))
  const isFromLastTime = lastNote !== null && lastNote.date === lastTime
  const withoutNote = isStillToCome ? 'still to come' : NO_NOTE
  return (
    // Without a note its line has room for the buttons.
    <div
      className={`pb-1 text-small/even text-ink-soft wrap-anywhere lg:order-1 lg:basis-full ${lastNote || note ? 'basis-full' : 'flex-1 basis-44'}`}
    >
      {lastTime && (
        <p className="whitespace-pre-line">
          <span className="text-ink">
            {isStillToCome ? 'Before this' : 'Last time'}, {dayAndMonth(lastTime, date)}
          </span>
          {isFromLastTime ? (
            `: ${lastNote.text ?? UNREADABLE}`
          ) : (
            <span className="max-lg:sr-only">: {withoutNote}</span>
          )}
        </p>
      )}
      {lastNote && !isFromLastTime && (
        <p className="whitespace-pre-line">
          <span className="text-ink">{dayAndMonth(lastNote.date, date)}:</span> {lastNote.text ?? UNREADABLE}
        </p>
      )}
      {!lastTime && <p>First time here</p>}
      {note && (
        <p className="whitespace-pre-line">
          <span className="text-ink">Note:</span> {note.text ?? UNREADABLE}
        </p>
      )}
    </div>
  )
}

/** A printed day: its heading and its classes. */
type RosterDay = { date: string; sessions: readonly DaySession[] }

/**
 * The roster of one day, which print.css shows alone. It is rendered only while printing; the browser's own print
 * command prints the first day.
 */
function useRoster(days: readonly RosterDay[]) {
  const [printed, setPrinted] = useState<string>()
  const first = days[0]?.date
  useEffect(() => {
    const before = () => flushSync(() => setPrinted((date) => date ?? first))
    const after = () => setPrinted(undefined)
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [first])
  const day = days.find(({ date }) => date === printed)
  return {
    roster: day && <Roster {...day} />,
    print: (date: string) => {
      flushSync(() => setPrinted(date))
      window.print()
    },
  }
}

function Roster({ date, sessions }: RosterDay) {
  const held = sessions.filter((session) => session.class.isActive !== false)
  return (
    <section className="roster" aria-label="Roster">
      <h1>{formatLongDate(date)}</h1>
      {held.length === 0 ? (
        <p>No sessions.</p>
      ) : (
        <table>
          <thead>
            <tr>
              {['Time', 'Name', 'Phone', 'Please note', 'Here'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          {held.map((session) => (
            <tbody key={session.class.id}>
              <RosterRows {...session} />
            </tbody>
          ))}
        </table>
      )}
      <p>★ first time here · ? no health information · – nothing to note</p>
    </section>
  )
}

function RosterRows({ class: studioClass, bookings }: DaySession) {
  const people = bookings.filter(({ status }) => status !== 'cancelled')
  const teacher = useTaughtBy(studioClass.instructorName)
  const time = (
    <th scope="rowgroup" rowSpan={Math.max(1, people.length)}>
      {studioClass.startTime} - {studioClass.endTime}
      <br />
      <span>
        {studioClass.title}
        {teacher && ` with ${teacher}`}
      </span>
    </th>
  )
  if (people.length === 0) {
    return (
      <tr>
        {time}
        <td colSpan={4}>No one has booked.</td>
      </tr>
    )
  }
  return people.map((person, i) => (
    <tr key={person.id}>
      {i === 0 && time}
      <td>{fullName(person) || 'Member'}</td>
      <td>{person.phone}</td>
      <td>{flagsInWords(person)}</td>
      <td>☐</td>
    </tr>
  ))
}

function flagsInWords({ notes, lastTime }: Participant): string {
  const words = notes === null ? '?' : notes.map((note) => NOTES[note]).join(', ') || '–'
  return lastTime ? words : `★ ${words}`
}
