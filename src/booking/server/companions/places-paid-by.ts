import { and, asc, between, eq, gt, inArray } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { CONTACT, users } from '#accounts/tables.ts'
import { pick } from '#foundation/collections.ts'
import { queueMails } from '#messages/server/messages.ts'
import type { DateRange } from '#passes/rules.ts'
import type { CausedBy } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import { type Reader, RetryTransaction, type Tx } from '#platform/database/database.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import { classes } from '#timetable/tables.ts'
import { ENDINGS } from '../../rules-places.ts'
import { bookings, invitations } from '../../tables.ts'
import { emailEndedHold, emailOther, payerOf } from '../places/email-places.ts'
import { giveUpPlaces } from '../places/give-up-places.ts'
import { lockedPlaces, lockPassesForFreedPlaces } from '../places/place-locks.ts'
import { toMailedBooking } from '../places/queries.ts'

/** The places of classes ahead that a pass pays for, held ones included. @param during only those on these days */
export async function placesPaidBy(reader: Reader, passId: number, now: Temporal.Instant, during?: DateRange) {
  return await reader
    .select({
      place: bookings,
      class: classes,
      user: pick(users, CONTACT),
      invited: { firstName: invitations.firstName, lastName: invitations.lastName },
    })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .leftJoin(users, eq(users.id, bookings.userId))
    .leftJoin(invitations, eq(invitations.id, bookings.invitationId))
    .where(
      and(
        eq(bookings.passId, passId),
        inArray(bookings.status, ['held', 'confirmed']),
        gt(classes.startsAt, now),
        during && between(classes.date, during.from, during.to),
      ),
    )
    .orderBy(asc(classes.startsAt), asc(bookings.id))
}

/**
 * Locks everything that ending a pass's upcoming places touches, in the lock order: their classes, then the passes of
 * everyone affected.
 *
 * @param during only places on these days
 * @throws RetryTransaction when the pass has just paid for another class, which would now be locked too late
 */
export async function lockPlacesPaidBy(
  tx: Tx,
  pass: Pick<PassRow, 'id' | 'userId'>,
  now: Temporal.Instant,
  during?: DateRange,
): Promise<void> {
  const classesPaid = async () => (await placesPaidBy(tx, pass.id, now, during)).map(({ place }) => place.classId)
  const before = await classesPaid()
  await classesForUpdate(tx, before)
  await lockPassesForFreedPlaces(tx, before, pass.userId)
  if ((await classesPaid()).some((classId) => !before.includes(classId)))
    throw new RetryTransaction('the pass paid for another class')
}

/** How many places were cancelled, and how many of them were held; their classes, to offer once the pass is void. */
export type EndedPlaces = { places: number; held: number; classIds: number[] }

/**
 * Ends the upcoming places paid by a pass whose money was returned, or that is paused on their days: the credits go
 * back to it, and their people are emailed. Everything is locked ({@link lockPlacesPaidBy}).
 */
export async function endPlacesPaidBy(
  tx: Tx,
  passId: number,
  { causedBy, reason, now, during }: { causedBy: CausedBy; reason: string; now: Temporal.Instant; during?: DateRange },
): Promise<EndedPlaces> {
  const upcoming = await placesPaidBy(tx, passId, now, during)
  const ids = upcoming.map(({ place }) => place.id)
  const locked = await lockedPlaces(tx, inArray(bookings.id, ids))
  const why = during ? 'pass_paused' : 'pass_ended'
  const ended = await giveUpPlaces(tx, locked, why, { causedBy, reason, now })
  const payer = ended[0] && (await payerOf(tx, ended[0].place))
  const outcome = during
    ? ({ outcome: 'credit_returned', reason: 'paused' } as const)
    : ({ outcome: 'pass_ended', reason: null } as const)
  const cancelled = ended.flatMap(({ place, studioClass }) => {
    const user = upcoming.find((each) => each.place.id === place.id)?.user
    return user ? [{ place, studioClass, user }] : []
  })
  await queueMails(
    tx,
    'booking-cancelled',
    cancelled.map(({ place, studioClass, user }) => ({
      to: recipient(user),
      class: toMailedBooking(place, studioClass),
      paidBy: user.id === payer?.id ? undefined : payer?.firstName,
      ...outcome,
    })),
  )
  const together = new Set(ids)
  for (const { place, studioClass } of cancelled)
    await emailOther(tx, place, studioClass, { together, hasPassEnded: !during })
  const held = ended.filter(({ place }) => place.userId === null)
  for (const one of held) await emailEndedHold(tx, one, ENDINGS[why].hold)
  const classIds = [...new Set(locked.map(({ place }) => place.classId))].sort((a, b) => a - b)
  return { places: ended.length, held: held.length, classIds }
}
