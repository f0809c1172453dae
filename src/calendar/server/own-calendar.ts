import { and, asc, eq, gt, isNotNull, lt, lte } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { inParts } from '#foundation/collections.ts'
import { instantAt, studioDate } from '#foundation/instants.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { PUBLIC_INTERNET, type Reach } from '#platform/http/public-internet.ts'
import type { SecretBox } from '#platform/vault/secret-box.ts'
import { spanOf } from '#timetable/rules.ts'
import { datesOfTerm } from '#timetable/rules-planning.ts'
import type { BusyTime } from '../contract-own.ts'
import { busyDays, clashOf, failingTooLongSince, nextRead } from '../rules.ts'
import { busyTimes, ownCalendar } from '../tables.ts'
import { CalendarUnread, type FetchedCalendar, fetchCalendar } from './fetch-calendar.ts'
import { readBusyTimes } from './read-busy-times.ts'

const OWNER = 'own-calendar'
const ROWS_A_STATEMENT = 5000
type Days = { from: string; to: string }
type Row = typeof ownCalendar.$inferSelect

/** The owner's own calendar, without its address. */
export async function ownCalendarNow(reader: Reader) {
  const [row] = await reader.select().from(ownCalendar)
  return row ?? null
}

/** Sets or replaces the address, forgets what the old one gave, and queues the first read. Records only the host. */
export async function setOwnCalendar(
  tx: Tx,
  secrets: SecretBox,
  admin: { id: string },
  address: string,
  now: Temporal.Instant,
) {
  const [before] = await tx.delete(ownCalendar).returning({ host: ownCalendar.host })
  const { host } = new URL(address)
  const [row] = await tx
    .insert(ownCalendar)
    .values({ sealedAddress: secrets.seal(OWNER, address), host, addedAt: now, nextReadAt: now })
    .onConflictDoUpdate({
      // Another admin has just set one.
      target: ownCalendar.isOnly,
      set: {
        sealedAddress: secrets.seal(OWNER, address),
        host,
        addedAt: now,
        nextReadAt: now,
        readAt: null,
        etag: null,
        failure: null,
        failingSince: null,
        unreadEvents: 0,
        firstUnread: [],
      },
    })
    .returning()
  if (!row) throw new Error('the calendar was not saved')
  const changes = { ownCalendar: { before: before?.host ?? null, after: host } }
  await recordAdminChange(tx, admin, { action: 'edited', subject: { kind: 'studio', id: 'facts' }, changes }, now)
  await tx.enqueue('read-own-calendar', {})
  return row
}

/** Forgets the calendar and its busy times. */
export async function removeOwnCalendar(tx: Tx, admin: { id: string }, now: Temporal.Instant): Promise<void> {
  const [before] = await tx.delete(ownCalendar).returning({ host: ownCalendar.host })
  if (!before) return
  await tx.enqueue('update-journal', {})
  const changes = { ownCalendar: { before: before.host, after: null } }
  await recordAdminChange(tx, admin, { action: 'edited', subject: { kind: 'studio', id: 'facts' }, changes }, now)
}

/** Reads the calendar if it is due, outside a transaction, and replaces the busy times. A failure keeps the old. */
export async function pollOwnCalendar(
  database: Pick<Database, 'transaction'>,
  secrets: SecretBox,
  now: Temporal.Instant,
  { reach = PUBLIC_INTERNET, random = Math.random }: { reach?: Reach | undefined; random?: () => number } = {},
): Promise<void> {
  // Claims the read, so that another process does not read it too.
  const [due] = await database.transaction((tx) =>
    tx
      .update(ownCalendar)
      .set({ nextReadAt: nextRead(now, random()) })
      .where(lte(ownCalendar.nextReadAt, now))
      .returning(),
  )
  if (!due) return
  const read = await readNow(due, secrets, now, reach).catch((error) => {
    if (error instanceof CalendarUnread) return error
    throw error
  })
  await database.transaction(async (tx) => {
    const [row] = await tx.select().from(ownCalendar).for('update')
    // Removed or replaced in the meantime.
    if (!row?.addedAt.equals(due.addedAt) || row.host !== due.host) return
    if (read instanceof CalendarUnread) {
      await tx.update(ownCalendar).set({ failure: read.failure, failingSince: row.failingSince ?? now })
      return
    }
    await tx.update(ownCalendar).set({ readAt: now, failure: null, failingSince: null })
    if (!read) return
    const { etag, unreadEvents, firstUnread } = read
    await tx.update(ownCalendar).set({ etag, unreadEvents, firstUnread })
    await tx.delete(busyTimes)
    for (const part of inParts(read.times, ROWS_A_STATEMENT)) await tx.insert(busyTimes).values(part)
  })
}

async function readNow(row: Row, secrets: SecretBox, now: Temporal.Instant, reach: Reach) {
  const address = secrets.open(OWNER, row.sealedAddress)
  if (typeof address !== 'string') throw new CalendarUnread('unreachable')
  // The days that are kept move on every day, so an unchanged calendar is read again too.
  const isSameDay = row.readAt && studioDate(row.readAt).equals(studioDate(now))
  const fetched: FetchedCalendar | null = await fetchCalendar(address, { etag: isSameDay ? row.etag : null, reach })
  if (!fetched) return null
  const { times, ...unread } = await readBusyTimes(fetched.text, busyDays(now))
  return {
    etag: fetched.etag,
    ...unread,
    times: times.map(({ startsAt, endsAt, isAllDay }) => ({
      startsAt: Temporal.Instant.from(startsAt),
      endsAt: Temporal.Instant.from(endsAt),
      isAllDay,
    })),
  }
}

/** When the owner is busy between two days, both included. */
export async function busyTimesBetween(reader: Reader, { from, to }: Days): Promise<BusyTime[]> {
  const until = instantAt(Temporal.PlainDate.from(to).add({ days: 1 }).toString(), '00:00')
  const rows = await reader
    .select()
    .from(busyTimes)
    .where(and(lt(busyTimes.startsAt, until), gt(busyTimes.endsAt, instantAt(from, '00:00'))))
    .orderBy(asc(busyTimes.startsAt), asc(busyTimes.id))
  return rows.map(({ startsAt, endsAt, isAllDay }) => ({
    startsAt: startsAt.toString(),
    endsAt: endsAt.toString(),
    isAllDay,
  }))
}

/** Classes of the weekly timetable between two days that clash with the owner's calendar, by date and start. */
export async function termClashes(reader: Reader, days: Days) {
  const busy = await busyTimesBetween(reader, days)
  if (busy.length === 0) return []
  const { timetables } = await currentFacts(reader)
  const clashes = datesOfTerm(timetables, days).flatMap(({ dates, startTime, endTime }) =>
    dates.flatMap((date) => {
      const { startsAt, endsAt } = spanOf({ date, startTime, endTime })
      const clash = clashOf({ startsAt: startsAt.toString(), endsAt: endsAt.toString() }, busy)
      return clash ? [{ date, startTime, busy: clash }] : []
    }),
  )
  const byStart = new Map(clashes.map((clash) => [`${clash.date} ${clash.startTime}`, clash]))
  return [...byStart].sort(([a], [b]) => a.localeCompare(b)).map(([, clash]) => clash)
}

/** The calendar if it could not be read for a day. */
export async function failingOwnCalendar(reader: Reader, now: Temporal.Instant) {
  const [row] = await reader
    .select({ failingSince: ownCalendar.failingSince, failure: ownCalendar.failure })
    .from(ownCalendar)
    .where(and(isNotNull(ownCalendar.failure), lte(ownCalendar.failingSince, failingTooLongSince(now))))
  return row?.failure && row.failingSince ? { failure: row.failure, failingSince: row.failingSince } : undefined
}

/** Encrypts the address again under the newest key. */
export async function rotateCalendarAddress(tx: Tx, secrets: SecretBox): Promise<void> {
  const [row] = await tx.select().from(ownCalendar).for('update')
  if (!row || secrets.isCurrent(row.sealedAddress)) return
  const address = secrets.open(OWNER, row.sealedAddress)
  if (address === undefined) return
  await tx
    .update(ownCalendar)
    .set({ sealedAddress: secrets.seal(OWNER, address) })
    .where(eq(ownCalendar.isOnly, true))
}
