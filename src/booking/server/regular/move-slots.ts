import { and, asc, eq, exists, gt, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { shiftClasses } from '#timetable/server/timetable.ts'
import { type ClassRow, classes, closedClasses } from '#timetable/tables.ts'
import { weekdayOfDate } from '../../rules-regular.ts'
import { bookings, type RegularRow, regularBookings, waitingList } from '../../tables.ts'
import { emailEnd } from './regular-mails.ts'
import { findRegulars, isInSlotOf } from './regular-queries.ts'

type Move = { from: ClassRow; to: ClassRow }
type Slot = Pick<RegularRow, 'weekday' | 'startTime'>

const slotOf = ({ date, startTime }: ClassRow): Slot => ({ weekday: weekdayOfDate(date), startTime })

/**
 * Moves regular bookings along when all later classes of their slot were moved together, and the classes that a closed
 * day hides. A single class moves them only if it was the last of its slot. If the member already has a
 * regular booking in the new slot, the two become one, and the member is emailed.
 *
 * @param moves classes before and after, already written
 */
export async function moveRegularSlots(tx: Tx, moves: readonly Move[], now: Temporal.Instant): Promise<void> {
  const keyOf = ({ weekday, startTime }: Slot) => `${weekday} ${startTime}`
  const groups = Map.groupBy(moves, ({ from, to }) => `${keyOf(slotOf(from))} ${keyOf(slotOf(to))}`)
  for (const group of groups.values()) {
    const [move] = group
    if (!move) continue
    const [from, to] = [slotOf(move.from), slotOf(move.to)]
    if (keyOf(from) === keyOf(to)) continue
    const first = group.map((each) => each.from.date).sort()[0] ?? move.from.date
    const hidden = await hiddenClasses(tx, from, first)
    const isLeftBehind = await hasClasses(tx, from, group.length > 1 ? first : undefined, now)
    if (isLeftBehind) continue
    const days = Temporal.PlainDate.from(move.from.date).until(move.to.date).days
    const minutes = minutesOf(to.startTime) - minutesOf(from.startTime)
    if (hidden.length > 0) await shiftClasses(tx, hidden, { days, minutes }, now)
    for (const regular of await findRegulars(tx, isOfSlot(from))) await moveRegular(tx, regular, to, days, now)
  }
}

const minutesOf = (time: string) => {
  const { hour, minute } = Temporal.PlainTime.from(time)
  return 60 * hour + minute
}

const isOfSlot = ({ weekday, startTime }: Slot) =>
  and(eq(regularBookings.weekday, weekday), eq(regularBookings.startTime, startTime))

/** Whether active classes stay in a slot, after a date if one is given. */
async function hasClasses(tx: Tx, slot: Slot, after: string | undefined, now: Temporal.Instant): Promise<boolean> {
  const isOn = and(isNull(classes.deletedAt), eq(classes.isActive, true), gt(classes.startsAt, now))
  return (await tx.$count(classes, and(isOn, isInSlotOf(slot), after ? gt(classes.date, after) : undefined))) > 0
}

/** The later classes of a slot that a closed day takes off the timetable. */
async function hiddenClasses(tx: Tx, slot: Slot, after: string): Promise<ClassRow[]> {
  const isClosed = exists(tx.select({ one: sql`1` }).from(closedClasses).where(eq(closedClasses.classId, classes.id)))
  return await tx
    .select()
    .from(classes)
    .where(
      and(isNull(classes.deletedAt), eq(classes.isActive, false), isClosed, isInSlotOf(slot), gt(classes.date, after)),
    )
    .orderBy(asc(classes.id))
    .for('no key update')
}

async function moveRegular(tx: Tx, regular: RegularRow, to: Slot, days: number, now: Temporal.Instant): Promise<void> {
  const [there] = await findRegulars(tx, and(eq(regularBookings.userId, regular.userId), isOfSlot(to)))
  if (!there) {
    await tx
      .update(regularBookings)
      // Or the first class, moved to an earlier day, would be before it.
      .set({ ...to, from: sql`${regularBookings.from} + ${days}::int` })
      .where(eq(regularBookings.id, regular.id))
    return
  }
  await tx.update(bookings).set({ regularBookingId: there.id }).where(eq(bookings.regularBookingId, regular.id))
  await tx.update(waitingList).set({ regularBookingId: there.id }).where(eq(waitingList.regularBookingId, regular.id))
  if (there.companionUserId === null) {
    const { companionUserId, invitationId } = regular
    await tx.update(regularBookings).set({ companionUserId, invitationId }).where(eq(regularBookings.id, there.id))
  }
  await emailEnd(tx, regular, 'member', { because: 'merged', now })
  await emailEnd(tx, regular, 'companion', { because: 'merged', now })
  await tx.delete(regularBookings).where(eq(regularBookings.id, regular.id))
}
