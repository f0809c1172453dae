import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import type { MailedBooking, Mails } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { nameOfCompanion } from '../../rules.ts'
import { dayOfWeekday } from '../../rules-regular.ts'
import { bookings, type PlaceRow, type RegularRow, regularBookings } from '../../tables.ts'
import { invitationOf } from '../places/email-places.ts'
import type { LockedPlace } from '../places/place-locks.ts'
import { toMailedBooking } from '../places/queries.ts'
import type { OutcomeOfDate } from './book-regular-dates.ts'
import { findRegulars, isOf } from './regular-queries.ts'

export const slotOf = ({ weekday, startTime }: RegularRow) => ({ day: dayOfWeekday(weekday), startTime })

/** What an email about dates says: the places that were booked, of both people, and the dates that were not. */
type Dates = {
  booked: readonly LockedPlace[]
  notBooked: { date: string; code: Mails['regular-dates']['notBooked'][number]['code'] }[]
  bookedUntil: string | null
  companionUntil: string | null
}

/** The dates of outcomes. */
export function datesIn(outcomes: readonly OutcomeOfDate[]): Dates {
  const placesOf = (booking: PlaceRow | null, studioClass: ClassRow) =>
    booking ? [{ place: booking, studioClass }] : []
  return {
    booked: outcomes.flatMap(({ booking, companionBooking, class: studioClass }) => [
      ...placesOf(booking, studioClass),
      ...placesOf(companionBooking, studioClass),
    ]),
    notBooked: outcomes.flatMap(({ class: studioClass, decision, isBooked }) =>
      'code' in decision && !isBooked && decision.code !== 'skipped'
        ? [{ date: studioClass.date, code: decision.code }]
        : [],
    ),
    bookedUntil: outcomes.findLast(({ isBooked }) => isBooked)?.class.date ?? null,
    companionUntil:
      outcomes.findLast(({ companionBooking, companionBookingId }) => companionBooking ?? companionBookingId !== null)
        ?.class.date ?? null,
  }
}

/** Emails a member which dates were booked just now, and which were not; and the companion, their own. */
export async function queueDatesMail(
  tx: Tx,
  regular: RegularRow,
  { kind, booked, notBooked, bookedUntil, companionUntil }: Dates & { kind: Mails['regular-dates']['kind'] },
): Promise<void> {
  const { member, companion, companionName } = await peopleOf(tx, regular)
  if (!member) return
  const mailedOf = (userId: string | undefined) =>
    booked
      .filter(({ place }) => place.userId === userId)
      .map(({ place, studioClass }) => toMailedBooking(place, studioClass))
  const together = companion ? mailedOf(companion.id) : []
  const slot = { kind, ...slotOf(regular) }
  await queueMail(tx, 'regular-dates', {
    to: recipient(member),
    ...slot,
    booked: mailedOf(member.id),
    companion: together.length > 0 ? { firstName: companionName, dates: together.map(({ date }) => date) } : undefined,
    notBooked,
    bookedUntil,
  })
  if (!companion || together.length === 0) return
  await queueMail(tx, 'regular-dates', {
    to: recipient(companion),
    ...slot,
    booked: together,
    notBooked: [],
    bookedUntil: companionUntil,
    bookedBy: member.firstName,
  })
}

/**
 * The bookings of a regular booking that nobody was emailed about yet; from now on they count as announced.
 *
 * @param ofUser only those of the member, or only those of the companion
 */
export async function takeUnannounced(
  tx: Tx,
  regular: RegularRow,
  now: Temporal.Instant,
  ofUser?: string,
): Promise<LockedPlace[]> {
  const taken = await tx
    .update(bookings)
    .set({ announcedAt: now })
    .where(
      and(
        eq(bookings.regularBookingId, regular.id),
        isNull(bookings.announcedAt),
        eq(bookings.status, 'confirmed'),
        ofUser === undefined ? undefined : eq(bookings.userId, ofUser),
      ),
    )
    .returning({ id: bookings.id })
  return await tx
    .select({ place: bookings, studioClass: classes })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(
      inArray(
        bookings.id,
        taken.map(({ id }) => id),
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

/** `companionName`: as the member typed it. */
async function peopleOf(tx: Tx, regular: RegularRow) {
  const companion = regular.companionUserId === null ? undefined : await findUser(tx, regular.companionUserId)
  const companionName = nameOfCompanion((await invitationOf(tx, regular))?.firstName)
  return { member: await findUser(tx, regular.userId), companion, companionName }
}

type End = {
  because: Mails['regular-ended']['because']
  cancelled?: readonly MailedBooking[]
  /** Sends no email that would only repeat what they have just done themselves. */
  isKnown?: boolean
  now: Temporal.Instant
}

/** Emails the member, or their companion, that a regular booking or their part ends, before it is deleted. */
export async function emailEnd(
  tx: Tx,
  ended: RegularRow,
  who: 'member' | 'companion',
  { because, cancelled = [], isKnown = false, now }: End,
): Promise<void> {
  const { member, companion } = await peopleOf(tx, ended)
  const user = who === 'member' ? member : companion
  if (!user || !member) return
  const unannounced = await takeUnannounced(tx, ended, now, user.id)
  const kept = unannounced.map(({ place, studioClass }) => toMailedBooking(place, studioClass))
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
export async function emailCompanionLeft(tx: Tx, ended: RegularRow, cancelled: readonly MailedBooking[]) {
  const { member, companion, companionName } = await peopleOf(tx, ended)
  if (!companion || !member) return
  await queueMail(tx, 'regular-companion-left', {
    to: recipient(member),
    ...slotOf(ended),
    companion: companionName,
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
  now: Temporal.Instant,
  cancelled: readonly LockedPlace[] = [],
): Promise<void> {
  for (const regular of await findRegularsForTwo(tx, userId)) {
    await tx.update(regularBookings).set({ companionUserId: null }).where(eq(regularBookings.id, regular.id))
    const isMember = regular.userId === userId
    await emailEnd(tx, regular, 'companion', { because: 'member', isKnown: !isMember, now })
    if (isMember) continue
    const ofRegular = cancelled.filter(({ place }) => place.regularBookingId === regular.id)
    const mailed = ofRegular.map(({ place, studioClass }) => toMailedBooking(place, studioClass))
    await emailCompanionLeft(tx, regular, mailed)
  }
}
