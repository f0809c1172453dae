import type { RenderedMail } from '#messages/server/render-mail.ts'
import type { Person } from '#testing/person.ts'
import { type ReadEvent, readCalendar } from '#testing/read-calendar.ts'
import type { Snapshot } from './snapshot.ts'
import type { World } from './world.ts'

type Entry = Pick<ReadEvent, 'uid' | 'sequence' | 'startsAt' | 'endsAt'> & { isLive: boolean }

/** Calendars of members who open every calendar file emailed to them, and nothing else. */
export class Calendars {
  readonly #byEmail = new Map<string, Map<string, Entry>>()

  /** Opens the files of one step's emails. Returns the problems found. */
  open(mails: readonly RenderedMail[]): string[] {
    const found: string[] = []
    const files = mails.flatMap(({ to, subject, attachments }) =>
      attachments
        .filter(({ filename }) => filename.endsWith('.ics'))
        .flatMap(({ content }) => entriesIn(to, subject, content)),
    )
    for (const { to, subject, entry, problem } of files.sort(
      (a, b) => (('entry' in a && a.entry?.sequence) || 0) - (('entry' in b && b.entry?.sequence) || 0),
    )) {
      if (!entry) {
        found.push(`the file with "${subject}" ${problem}`)
        continue
      }
      const calendar = this.#calendarOf(to)
      const known = calendar.get(entry.uid)
      if (known && entry.sequence < known.sequence)
        found.push(`SEQUENCE went down from ${known.sequence} to ${entry.sequence} with "${subject}"`)
      if (known && entry.sequence === known.sequence && !isSame(known, entry))
        found.push(`SEQUENCE ${entry.sequence} did not count up with "${subject}"`)
      calendar.set(entry.uid, entry)
    }
    return found
  }

  /** Differences between these calendars and the bookings: a class that is missing, at another time, or still there. */
  differences(world: World, after: Snapshot): string[] {
    return world.members.flatMap((member) => this.#differencesOf(member, world.now, after))
  }

  #differencesOf(member: Person, now: Temporal.Instant, after: Snapshot): string[] {
    const live = [...this.#calendarOf(member.email).values()].filter(
      ({ isLive, startsAt }) => isLive && isAhead(startsAt, now),
    )
    const booked = after.bookings
      .filter(({ userId, status, announcedAt }) => userId === member.id && status === 'confirmed' && announcedAt)
      .flatMap(({ classId, calendarUid }) =>
        after.classes.filter(({ id }) => id === classId).map((held) => ({ held, calendarUid })),
      )
      .filter(({ held }) => isAhead(held.startsAt, now))
    const shown = live.map(({ uid, startsAt, endsAt }) => `${uid} from ${startsAt} to ${endsAt}`)
    const due = booked.map(({ held, calendarUid }) => `${calendarUid} from ${held.startsAt} to ${held.endsAt}`)
    return [
      ...shown
        .filter((line) => !due.includes(line))
        .map((line) => `${member.name}'s calendar shows a class that is not booked: ${line}`),
      ...due
        .filter((line) => !shown.includes(line))
        .map((line) => `${member.name}'s calendar lacks a booking: ${line}`),
    ]
  }

  #calendarOf(email: string): Map<string, Entry> {
    const calendar = this.#byEmail.get(email) ?? new Map<string, Entry>()
    this.#byEmail.set(email, calendar)
    return calendar
  }
}

function entriesIn(to: string, subject: string, content: string) {
  const { method, events } = readCalendar(content)
  const isLive = method !== 'CANCEL'
  if (events.length === 0) return [{ to, subject, problem: 'has no entries' }]
  return events.map(({ uid, sequence, startsAt, endsAt, status }) =>
    isLive === (status === 'CONFIRMED')
      ? { to, subject, entry: { uid, sequence, startsAt, endsAt, isLive } }
      : { to, subject, problem: `has ${method} and ${status}` },
  )
}

const isSame = (a: Entry, b: Entry) => a.isLive === b.isLive && a.startsAt === b.startsAt && a.endsAt === b.endsAt

const isAhead = (at: Temporal.Instant | string, now: Temporal.Instant) =>
  Temporal.Instant.compare(Temporal.Instant.from(at), now) > 0
