import { and, eq, gt, inArray, isNull, ne, or } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { bookings, takenPlaces } from '../tables.ts'
import { emailOther } from './places/email-places.ts'
import { giveUpPlaces } from './places/give-up-places.ts'
import type { LockedPlace } from './places/place-locks.ts'
import { findRegularsForTwo, partCompanions } from './regular/regular-mails.ts'

/**
 * Before a member is erased (everything is locked): their companions keep their places, their own places that another
 * member pays for are cancelled by the 120-minute rule, and the others are emailed.
 */
export async function leaveOthers(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  const bringing = tx.select({ id: bookings.broughtBy }).from(bookings).where(eq(bookings.status, 'confirmed'))
  const isPaidByOther = or(isNull(takenPlaces.payerId), ne(takenPlaces.payerId, userId))
  const ahead = await tx
    .select({ place: bookings, studioClass: classes })
    .from(takenPlaces)
    .innerJoin(bookings, eq(bookings.id, takenPlaces.id))
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(
      and(
        eq(takenPlaces.userId, userId),
        eq(takenPlaces.status, 'confirmed'),
        gt(classes.startsAt, now),
        or(isPaidByOther, inArray(takenPlaces.id, bringing)),
      ),
    )
    .orderBy(takenPlaces.id)
  const isPaid = ({ place }: LockedPlace) => place.payerId === userId
  const regulars = new Set((await findRegularsForTwo(tx, userId)).map(({ id }) => id))
  const how = { causedBy: { by: 'system' as const }, now }
  const cancelled = await giveUpPlaces(
    tx,
    ahead.filter((locked) => !isPaid(locked)),
    'erased',
    how,
  )
  // One email about all dates of a regular booking.
  const isInOneMail = ({ place }: LockedPlace) => regulars.has(place.regularBookingId ?? 0)
  const inOneMail = cancelled.filter((ended) => isInOneMail(ended) && ended.place.paymentStatus === 'refunded')
  for (const ended of cancelled) if (!inOneMail.includes(ended)) await emailOther(tx, ended.place, ended.studioClass)
  for (const own of ahead.filter(isPaid)) if (!isInOneMail(own)) await emailOther(tx, own.place, own.studioClass)
  await partCompanions(tx, userId, now, inOneMail)
}
