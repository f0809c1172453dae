import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { defined } from '#foundation/collections.ts'
import type { MailedBooking, Mails } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { dayOfWeekday, weekdayOfDate } from '../../regular-rules.ts'
import { type BookingRow, bookings, type RegularRow, regularBookings, regularBookingsUnmailed } from '../../tables.ts'
import { toMailedBooking } from '../queries.ts'
import type { OutcomeOfDate } from './book-regular-dates.ts'
import { findRegulars, isOf } from './regular-queries.ts'

/** Emails a member which dates were booked just now, and which were not; and the companion, their own. */
export async function queueDatesMail(
  tx: Tx,
  regular: RegularRow,
  { kind, outcomes }: { kind: Mails['regular-dates']['kind']; outcomes: readonly OutcomeOfDate[] },
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, regular.userId))
  const booked = outcomes.flatMap(({ booking, class: studioClass }) =>
    booking ? [toMailedBooking(booking, studioClass)] : [],
  )
  const slot = { kind, ...slotOf(regular) }
  const together = outcomes.flatMap(({ companionBooking, class: studioClass }) =>
    companionBooking ? [toMailedBooking(companionBooking, studioClass)] : [],
  )
  const companion = together.length > 0 ? outcomes[0]?.companionUser : null
  await queueMail(tx, 'regular-dates', {
    to: recipient(defined(user)),
    ...slot,
    booked,
    companion: companion ? { firstName: companion.firstName, dates: together.map(({ date }) => date) } : undefined,
    notBooked: outcomes.flatMap(({ class: studioClass, decision, isBooked }) =>
      'code' in decision && !isBooked && decision.code !== 'skipped'
        ? [{ date: studioClass.date, code: decision.code }]
        : [],
    ),
    bookedUntil: outcomes.findLast(({ isBooked }) => isBooked)?.class.date ?? null,
  })
  if (!companion) return
  const last = outcomes.findLast(
    ({ companionBooking, companionBookingId }) => companionBooking ?? companionBookingId !== null,
  )
  await queueMail(tx, 'regular-dates', {
    to: recipient(companion),
    ...slot,
    booked: together,
    notBooked: [],
    bookedUntil: last?.class.date ?? null,
    bookedBy: defined(user).firstName,
  })
}

/**
 * The bookings of a regular booking that were not emailed yet, as the next email shows them.
 *
 * @param ofUser only those of the member, or only those of the companion
 */
export async function takeUnmailed(tx: Tx, regular: RegularRow, ofUser?: string) {
  const isTheirs =
    ofUser === undefined
      ? undefined
      : inArray(
          regularBookingsUnmailed.bookingId,
          tx.select({ id: bookings.id }).from(bookings).where(eq(bookings.userId, ofUser)),
        )
  const rows = await tx
    .delete(regularBookingsUnmailed)
    .where(and(eq(regularBookingsUnmailed.regularBookingId, regular.id), isTheirs))
    .returning({ id: regularBookingsUnmailed.bookingId })
  return await tx
    .select({ booking: bookings, class: classes })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(
      and(
        inArray(
          bookings.id,
          rows.map(({ id }) => id),
        ),
        eq(bookings.status, 'confirmed'),
      ),
    )
    .orderBy(asc(classes.startsAt))
}

/** Records that a member was emailed about a regular booking. */
export async function noteMailed(tx: Tx, ids: readonly number[], now: Temporal.Instant): Promise<void> {
  await tx
    .update(regularBookings)
    .set({ mailedAt: now })
    .where(sql`${regularBookings.id} = any(${sql.param([...ids])}::int[])`)
}

const slotOf = ({ weekday, startTime }: RegularRow) => ({ day: dayOfWeekday(weekday), startTime })

async function peopleOf(tx: Tx, { userId, companionUserId }: RegularRow) {
  const companion = companionUserId === null ? undefined : await findUser(tx, companionUserId)
  return { member: await findUser(tx, userId), companion }
}

type End = {
  because: Mails['regular-ended']['because']
  cancelled?: readonly MailedBooking[]
  /** Sends no email that would only repeat what they have just done themselves. */
  isKnown?: boolean
}

/** Emails the member, or their companion, that a regular booking or their part ends, before it is deleted. */
export async function emailEnd(
  tx: Tx,
  ended: RegularRow,
  who: 'member' | 'companion',
  { because, cancelled = [], isKnown = false }: End,
): Promise<void> {
  const { member, companion } = await peopleOf(tx, ended)
  const user = who === 'member' ? member : companion
  if (!user || !member) return
  const kept = (await takeUnmailed(tx, ended, user.id)).map((each) => toMailedBooking(each.booking, each.class))
  if (isKnown && cancelled.length === 0 && kept.length === 0) return
  await queueMail(tx, 'regular-ended', {
    to: recipient(user),
    ...slotOf(ended),
    because,
    cancelled: [...cancelled],
    kept,
    bookedBy: who === 'companion' ? member.firstName : undefined,
  })
}

/** Emails the member that their companion no longer comes along, with the companion's cancelled places. */
export async function emailCompanionLeft(
  tx: Tx,
  ended: RegularRow,
  cancelled: readonly MailedBooking[],
): Promise<void> {
  const { member, companion } = await peopleOf(tx, ended)
  if (!companion || !member) return
  await queueMail(tx, 'regular-companion-left', {
    to: recipient(member),
    ...slotOf(ended),
    companion: companion.firstName,
    cancelled: [...cancelled],
  })
}

/** The regular bookings with a companion, of which a member is one of the two. */
export async function findRegularsForTwo(reader: Reader, userId: string): Promise<RegularRow[]> {
  return await findRegulars(reader, and(isOf(userId), isNotNull(regularBookings.companionUserId)))
}

/**
 * Ends a blocked or erased member's part in regular bookings for two, theirs and others'. The other person is emailed.
 *
 * @param cancelled places of the member as a companion that have just been cancelled
 */
export async function partCompanions(
  tx: Tx,
  userId: string,
  cancelled: readonly { booking: BookingRow; studioClass: ClassRow }[] = [],
): Promise<void> {
  for (const regular of await findRegularsForTwo(tx, userId)) {
    await tx.update(regularBookings).set({ companionUserId: null }).where(eq(regularBookings.id, regular.id))
    const isMember = regular.userId === userId
    await emailEnd(tx, regular, 'companion', { because: 'member', isKnown: !isMember })
    if (!isMember) {
      const ofSlot = cancelled.filter(({ studioClass }) => isInSlotOf(regular, studioClass))
      const mailed = ofSlot.map(({ booking, studioClass }) => toMailedBooking(booking, studioClass))
      await emailCompanionLeft(tx, regular, mailed)
    }
  }
}

export const isInSlotOf = ({ weekday, startTime }: RegularRow, studioClass: ClassRow) =>
  weekdayOfDate(studioClass.date) === weekday && studioClass.startTime === startTime
