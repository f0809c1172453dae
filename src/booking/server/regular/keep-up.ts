import { and, eq, inArray, lt, lte, notInArray } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { studioDate } from '#foundation/instants.ts'
import { queueMail } from '#messages/server/messages.ts'
import { type Database, inOwnTransactions, type Reader, type Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { dayOfWeekday, doCreditsEndSoon } from '../../regular-rules.ts'
import { bookings, type RegularRow, regularBookings, regularBookingsUnmailed } from '../../tables.ts'
import { bookRegularDates, type OutcomeOfDate, plan } from './book-regular-dates.ts'
import { hasDatesAhead } from './regular-bookings.ts'
import { emailEnd, noteMailed, queueDatesMail, takeUnmailed } from './regular-mails.ts'
import { codesOf, findRegulars } from './regular-queries.ts'

const SYSTEM = { by: 'system' as const }

/**
 * Books classes that were created or brought back for regular members, in the transaction that does it, so that nobody
 * else can book first. Each member is emailed once.
 */
export async function bookForRegulars(tx: Tx, classIds: readonly number[], now: Temporal.Instant): Promise<void> {
  if (classIds.length === 0) return
  await emailBooked(tx, await bookRegularDates(tx, { classIds }, SYSTEM, now), now)
}

/** Catches up with a member's regular bookings after they got credits. */
export async function bookForMember(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  await emailBooked(tx, await bookRegularDates(tx, { userId }, SYSTEM, now), now)
}

async function emailBooked(tx: Tx, outcomes: readonly OutcomeOfDate[], now: Temporal.Instant): Promise<void> {
  const byRegular = Map.groupBy(outcomes, ({ regular }) => regular.id)
  const mailed: number[] = []
  for (const [id, dates] of byRegular) {
    const [first] = dates
    if (!first || !dates.some(({ booking, companionBooking }) => booking ?? companionBooking)) continue
    await queueDatesMail(tx, first.regular, { kind: 'booked', outcomes: dates })
    mailed.push(id)
  }
  if (mailed.length > 0) await noteMailed(tx, mailed, now)
}

/**
 * Every night: books what has become possible, the oldest regular booking first, each in its own transaction. Members
 * are emailed in the morning ({@link emailRegulars}).
 */
export async function bookForAllRegulars(database: Database, now: Temporal.Instant): Promise<void> {
  await inOwnTransactions(database, await findRegulars(database.db), async (tx, { id }) => {
    const outcomes = await bookRegularDates(tx, { regularId: id }, SYSTEM, now)
    const made = outcomes
      .flatMap(({ booking, companionBooking }) => [booking, companionBooking])
      .flatMap((booking) => (booking ? [{ bookingId: booking.id, regularBookingId: id }] : []))
    if (made.length > 0) await tx.insert(regularBookingsUnmailed).values(made)
  })
}

/**
 * Every morning: emails members which dates were booked at night, once a month or when one of them is less than four
 * weeks ahead; warns once if credits end soon; and ends slots that are off the timetable.
 */
export async function emailRegulars(database: Database, now: Temporal.Instant): Promise<void> {
  await inOwnTransactions(database, await findRegulars(database.db), (tx, { id }) => emailRegular(tx, id, now))
}

async function emailRegular(tx: Tx, id: number, now: Temporal.Instant): Promise<void> {
  const [regular] = await tx.select().from(regularBookings).where(eq(regularBookings.id, id)).for('no key update')
  const member = regular && (await findUser(tx, regular.userId))
  if (!regular || !member) return
  if (!(await hasDatesAhead(tx, regular, now))) {
    await emailEnd(tx, regular, 'member', { because: 'timetable' })
    await emailEnd(tx, regular, 'companion', { because: 'timetable' })
    await tx.delete(regularBookings).where(eq(regularBookings.id, id))
    return
  }
  const dates = await plan(tx, { regularId: id }, now)
  if (await isMailDue(tx, regular, now)) {
    const unmailed = new Map((await takeUnmailed(tx, regular)).map(({ booking }) => [booking.id, booking]))
    const outcomes = dates.map((date) => ({
      ...date,
      booking: unmailed.get(date.bookingId ?? 0) ?? null,
      companionBooking: unmailed.get(date.companionBookingId ?? 0) ?? null,
    }))
    if (unmailed.size > 0) await queueDatesMail(tx, regular, { kind: 'monthly', outcomes })
    await noteMailed(tx, [id], now)
  }
  const slot = { day: dayOfWeekday(regular.weekday), startTime: regular.startTime }
  const booked = dates.filter(({ isBooked }) => isBooked).map(({ class: studioClass }) => studioClass.date)
  const endSoon = !member.blockedAt && doCreditsEndSoon(booked, codesOf(dates.filter(({ isBooked }) => !isBooked)), now)
  if (endSoon && !regular.creditsWarnedAt)
    await queueMail(tx, 'regular-credits', { to: recipient(member), ...slot, bookedUntil: booked.at(-1) ?? null })
  if (endSoon !== Boolean(regular.creditsWarnedAt)) {
    const creditsWarnedAt = endSoon ? now : null
    await tx.update(regularBookings).set({ creditsWarnedAt }).where(eq(regularBookings.id, id))
  }
}

/** Whether there is something to email: once a month, or earlier for a class in the next four weeks. */
async function isMailDue(tx: Tx, regular: RegularRow, now: Temporal.Instant): Promise<boolean> {
  const monthAgo = studioDate(now).subtract({ months: 1 })
  const isMonthOver = Temporal.PlainDate.compare(studioDate(regular.mailedAt), monthAgo) <= 0
  const soon = studioDate(now).add({ weeks: 4 }).toString()
  const [found] = await tx
    .select({ id: bookings.id })
    .from(regularBookingsUnmailed)
    .innerJoin(bookings, eq(bookings.id, regularBookingsUnmailed.bookingId))
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(
      and(
        eq(regularBookingsUnmailed.regularBookingId, regular.id),
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
  unmailed: string[]
}

/** What members with regular bookings have been emailed, for a restore with `--replace`. */
export async function sentToRegulars(reader: Reader): Promise<SentToRegulars> {
  const unmailed = await reader
    .select({ calendarUid: bookings.calendarUid })
    .from(regularBookingsUnmailed)
    .innerJoin(bookings, eq(bookings.id, regularBookingsUnmailed.bookingId))
  return { regulars: await findRegulars(reader), unmailed: unmailed.map(({ calendarUid }) => calendarUid) }
}

/** Sends none of these emails again: they were sent after the moment to which the database was restored. */
export async function restoreSentToRegulars(tx: Tx, { regulars, unmailed }: SentToRegulars): Promise<void> {
  for (const { id, userId, mailedAt, creditsWarnedAt } of regulars) {
    await tx
      .update(regularBookings)
      .set({ mailedAt, creditsWarnedAt })
      .where(
        and(eq(regularBookings.id, id), eq(regularBookings.userId, userId), lt(regularBookings.mailedAt, mailedAt)),
      )
  }
  const isSent = notInArray(bookings.calendarUid, unmailed)
  const sent = tx.select({ id: bookings.id }).from(bookings).where(isSent)
  await tx.delete(regularBookingsUnmailed).where(inArray(regularBookingsUnmailed.bookingId, sent))
}
