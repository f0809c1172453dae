import { and, eq, isNotNull, isNull, lt, lte, notInArray } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { studioDate } from '#foundation/instants.ts'
import { queueMail } from '#messages/server/messages.ts'
import { type Database, inOwnTransactions, type Reader, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { classes } from '#timetable/tables.ts'
import { WAYS_IN } from '../../rules-places.ts'
import { doCreditsEndSoon } from '../../rules-regular.ts'
import { bookings, type RegularRow, regularBookings } from '../../tables.ts'
import { bookRegularDates, type OutcomeOfDate, plan } from './book-regular-dates.ts'
import { hasDatesAhead } from './regular-bookings.ts'
import { datesIn, emailEnd, noteMailed, queueDatesMail, slotOf, takeUnannounced } from './regular-mails.ts'
import { codesOf, findRegulars } from './regular-queries.ts'

const SYSTEM = { by: 'system' as const }

/**
 * Books classes that were created or brought back for regular members, in the transaction that does it, so that nobody
 * else can book first. Each member is emailed once.
 */
export async function bookForRegulars(tx: Tx, classIds: readonly number[], now: Temporal.Instant): Promise<void> {
  if (classIds.length === 0) return
  const how = { causedBy: SYSTEM, now }
  await emailBooked(tx, await bookRegularDates(tx, { classIds }, WAYS_IN.regular_new_class, how), now)
}

/** Books the companion's places of a regular booking, once they have agreed to come along. */
export async function bookForCompanion(tx: Tx, regularId: number, now: Temporal.Instant): Promise<void> {
  const how = { causedBy: SYSTEM, now }
  await emailBooked(tx, await bookRegularDates(tx, { regularId }, WAYS_IN.regular_set_up, how), now)
}

async function emailBooked(tx: Tx, outcomes: readonly OutcomeOfDate[], now: Temporal.Instant): Promise<void> {
  const byRegular = Map.groupBy(outcomes, ({ regular }) => regular.id)
  const mailed: number[] = []
  for (const [id, dates] of byRegular) {
    const [first] = dates
    if (!first || !dates.some(({ booking, companionBooking }) => booking ?? companionBooking)) continue
    await queueDatesMail(tx, first.regular, { kind: 'booked', ...datesIn(dates) })
    mailed.push(id)
  }
  if (mailed.length > 0) await noteMailed(tx, mailed, now)
}

/**
 * Every night: books what has become possible, for each member in order of date over all of their regular bookings, and
 * in a transaction of their own. Members are emailed in the morning ({@link emailRegulars}).
 */
export async function bookForAllRegulars(database: Database, now: Temporal.Instant): Promise<void> {
  const members = new Set((await findRegulars(database.db)).map(({ userId }) => userId))
  await inOwnTransactions(database, [...members], async (tx, payerId) => {
    await bookRegularDates(tx, { payerId }, WAYS_IN.regular_night, { causedBy: SYSTEM, now })
  })
}

/**
 * Every morning: emails members which dates were booked at night, once a month or when one of them is less than a week
 * ahead; warns once if credits end soon; and ends slots that are off the timetable.
 */
export async function emailRegulars(database: Database, now: Temporal.Instant): Promise<void> {
  await inOwnTransactions(database, await findRegulars(database.db), (tx, { id }) => emailRegular(tx, id, now))
}

async function emailRegular(tx: Tx, id: number, now: Temporal.Instant): Promise<void> {
  const [regular] = await tx.select().from(regularBookings).where(eq(regularBookings.id, id)).for('no key update')
  const member = regular && (await findUser(tx, regular.userId))
  if (!regular || !member) return
  if (!(await hasDatesAhead(tx, regular, now))) {
    await emailEnd(tx, regular, 'member', { because: 'timetable', now })
    await emailEnd(tx, regular, 'companion', { because: 'timetable', now })
    await tx.delete(regularBookings).where(eq(regularBookings.id, id))
    return
  }
  const dates = await plan(tx, { regularId: id }, WAYS_IN.regular_night, now)
  if (await isMailDue(tx, regular, now)) {
    const booked = await takeUnannounced(tx, regular, now)
    if (booked.length > 0) await queueDatesMail(tx, regular, { kind: 'monthly', ...datesIn(dates), booked })
    await noteMailed(tx, [id], now)
  }
  const booked = dates.filter(({ isBooked }) => isBooked).map(({ class: studioClass }) => studioClass.date)
  const endSoon = !member.blockedAt && doCreditsEndSoon(booked, codesOf(dates.filter(({ isBooked }) => !isBooked)), now)
  if (endSoon && !regular.creditsWarnedAt)
    await queueMail(tx, 'regular-credits', {
      to: recipient(member),
      ...slotOf(regular),
      bookedUntil: booked.at(-1) ?? null,
    })
  if (endSoon !== Boolean(regular.creditsWarnedAt)) {
    const creditsWarnedAt = endSoon ? now : null
    await tx.update(regularBookings).set({ creditsWarnedAt }).where(eq(regularBookings.id, id))
  }
}

/** Whether there is something to email: once a month, or earlier for a class in the next week. */
async function isMailDue(tx: Tx, regular: RegularRow, now: Temporal.Instant): Promise<boolean> {
  const monthAgo = studioDate(now).subtract({ months: 1 })
  const isMonthOver = Temporal.PlainDate.compare(studioDate(regular.mailedAt), monthAgo) <= 0
  const soon = studioDate(now).add({ days: studio.policies.regularBookings.announcedDays }).toString()
  const [found] = await tx
    .select({ id: bookings.id })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(
      and(
        eq(bookings.regularBookingId, regular.id),
        isNull(bookings.announcedAt),
        eq(bookings.status, 'confirmed'),
        isMonthOver ? undefined : lte(classes.date, soon),
      ),
    )
    .limit(1)
  return found !== undefined
}

/** What members with regular bookings have been emailed. Names bookings by calendar id, which survives a restore. */
export type SentToRegulars = {
  regulars: Pick<RegularRow, 'id' | 'userId' | 'mailedAt' | 'creditsWarnedAt'>[]
  unannounced: string[]
}

/** What members with regular bookings have been emailed, for a restore with `--replace`. */
export async function sentToRegulars(reader: Reader): Promise<SentToRegulars> {
  const unannounced = await reader
    .select({ calendarUid: bookings.calendarUid })
    .from(bookings)
    .where(and(isNull(bookings.announcedAt), isNotNull(bookings.userId)))
  return { regulars: await findRegulars(reader), unannounced: unannounced.map(({ calendarUid }) => calendarUid) }
}

/** Sends none of these emails again: they were sent after the moment to which the database was restored. */
export async function restoreSentToRegulars(tx: Tx, { regulars, unannounced }: SentToRegulars): Promise<void> {
  for (const { id, userId, mailedAt, creditsWarnedAt } of regulars) {
    await tx
      .update(regularBookings)
      .set({ mailedAt, creditsWarnedAt })
      .where(
        and(eq(regularBookings.id, id), eq(regularBookings.userId, userId), lt(regularBookings.mailedAt, mailedAt)),
      )
  }
  await tx
    .update(bookings)
    .set({ announcedAt: bookings.bookedAt })
    .where(and(isNull(bookings.announcedAt), isNotNull(bookings.userId), notInArray(bookings.calendarUid, unannounced)))
}
