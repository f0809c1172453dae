import { toUser } from '#accounts/server/accounts.ts'
import type { UserRow } from '#accounts/tables.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import { bookClass, cancelBooking, forgetOwnCancellations, returnForfeitedCredit } from '#booking/server/booking.ts'
import { defined } from '#foundation/collections.ts'
import { Refusal } from '#foundation/refusal.ts'
import type { PackageRow } from '#packages/tables.ts'
import { hasPassFor } from '#passes/server/passes.ts'
import type { DeskMethod } from '#payments/contract.ts'
import { activatePurchase, recordSale, saveIntent } from '#payments/server/payments.ts'
import type { Tx } from '#platform/database/database.ts'
import { editClass } from '#schedule/server/schedule.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { SeedContext } from './bank.ts'

const { no_class_pass, no_credits, pass_expires_before_class } = bookingRefusals
const NO_PASS_CAN_PAY = new Set<string>([no_class_pass, no_credits, pass_expires_before_class].map(({ code }) => code))
const HOURS_A_WEEK = 7 * 24

/** `paysBy` is set for members who pay at the desk. */
export type Joined = { row: UserRow; since: Temporal.Instant; paysBy?: DeskMethod | undefined }
type Here = SeedContext & { admin: UserRow }
type Life = { classes: ClassRow[]; packages: PackageRow[]; admin: UserRow; member: Joined; others: Joined[] }

/** The favourite package, and one to buy instead when that is sold once per member. */
type Preferences = [favourite: PackageRow, everyday: PackageRow]
type Visit = {
  member: Joined
  studioClass: ClassRow
  bookedAt: Temporal.Instant
  preferences: Preferences
  isGivenBack: boolean
}

/** Members book in the order of `bookedAt`, and buy a pass whenever they have no credit. */
export async function seedEightWeeks(tx: Tx, context: SeedContext, { classes, packages, admin, member, others }: Life) {
  const { now } = context
  const here = { ...context, admin }
  for (const visit of visitsOf(others, { classes, packages, now })) {
    const { member: someone, studioClass, bookedAt } = visit
    const id = await takePlace(tx, here, someone, studioClass, visit.preferences, bookedAt)
    if (id !== undefined && visit.isGivenBack) {
      await giveBack(tx, someone, { id, studioClass }, bookedAt.add({ minutes: 90 }), now)
    }
  }
  await memberStory(tx, here, { classes, packages, admin, member })
  // These events are in the past, so nobody is emailed.
  await forgetOwnCancellations(tx)
}

/** The bookings to make, first come first. Past classes are fuller than those far ahead. */
function visitsOf(
  members: Joined[],
  { classes, packages, now }: { classes: ClassRow[]; packages: PackageRow[]; now: Temporal.Instant },
): Visit[] {
  const dice = repeatableDice(2026)
  const oneOf = <Choice>(choices: readonly Choice[]) => defined(choices[Math.floor(dice() * choices.length)])
  const everyday = packages.filter((sample) => !sample.purchaseOncePerUser)
  const visits: Visit[] = []
  // Duos first, so that one-on-ones do not change how full they are.
  for (const studioClass of classes.toSorted((a, b) => b.maxParticipants - a.maxParticipants)) {
    const weeksAhead = now.until(studioClass.startsAt).total('hours') / HOURS_A_WEEK
    const wanted = weeksAhead < 0 ? 0.75 : Math.max(0, 0.7 - weeksAhead * 0.2)
    for (let place = 0; place < studioClass.maxParticipants; place++) {
      if (dice() > wanted) continue
      const member = oneOf(members)
      const bookedAt = earlier(studioClass.startsAt.subtract({ hours: 20 + Math.floor(dice() * 60) }), now)
      if (Temporal.Instant.compare(bookedAt, member.since.add({ hours: 1 })) < 0) continue
      visits.push({
        member,
        studioClass,
        bookedAt,
        preferences: [oneOf(packages), oneOf(everyday)],
        isGivenBack: dice() < 0.06,
      })
    }
  }
  return visits.sort((a, b) => Temporal.Instant.compare(a.bookedAt, b.bookedAt))
}

/**
 * The demo member has a pass with credits, three past sessions, one cancelled in time, one late (its credit was
 * returned) and two ahead, one of which the studio has moved.
 */
async function memberStory(tx: Tx, context: Here, { classes, packages, admin, member }: Omit<Life, 'others'>) {
  const { now } = context
  const eight = defined(packages.find((sample) => sample.classCount === 8))
  const isFree = (row: ClassRow) => row.startTime === '09:30' || row.startTime === '12:00'
  const past = classes.filter((row) => isFree(row) && between(row, now.subtract({ hours: 6 * HOURS_A_WEEK }), now))
  const ahead = classes.filter(
    (row) => isFree(row) && between(row, now.add({ hours: 30 }), now.add({ hours: 3 * HOURS_A_WEEK })),
  )
  const takes = async (rows: ClassRow[], count: number) => {
    const taken: { id: number; studioClass: ClassRow }[] = []
    for (const row of rows) {
      if (taken.length === count) break
      const bookedAt = earlier(row.startsAt.subtract({ hours: 50 }), now)
      const id = await takePlace(tx, context, member, row, [eight, eight], bookedAt)
      if (id !== undefined) taken.push({ id, studioClass: row })
    }
    return taken
  }
  const [cancelled, tooLate] = await takes(past, 5)
  if (cancelled) await giveBack(tx, member, cancelled, cancelled.studioClass.startsAt.subtract({ hours: 26 }), now)
  if (tooLate) {
    const { startsAt } = tooLate.studioClass
    await giveBack(tx, member, tooLate, startsAt.subtract({ hours: 1 }), now)
    await returnForfeitedCredit(tx, admin, tooLate.id, 'The trains were cancelled that day', startsAt)
  }
  const [, moved] = await takes(ahead, 2)
  if (moved) await moveAndBack(tx, admin, moved.studioClass, now)
}

/** Moves a class by a quarter of an hour and back, so that the dashboard shows it as moved. */
async function moveAndBack(tx: Tx, admin: UserRow, { id, startTime, endTime }: ClassRow, now: Temporal.Instant) {
  const later = (time: string) =>
    Temporal.PlainTime.from(time).add({ minutes: 15 }).toString({ smallestUnit: 'minute' })
  for (const times of [
    { startTime: later(startTime), endTime: later(endTime) },
    { startTime, endTime },
  ]) {
    await editClass(
      tx,
      admin,
      id,
      { ...times, applyToRecurring: false, ifUpdatedAt: null, onClosedDay: false, ifNoOverlap: false },
      now,
    )
  }
}

const between = (row: ClassRow, from: Temporal.Instant, until: Temporal.Instant) =>
  Temporal.Instant.compare(row.startsAt, from) > 0 && Temporal.Instant.compare(row.endsAt, until) < 0

const earlier = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b)

/** Books, buying a pass first if needed. Returns the booking's id, or undefined when the class is full or booked. */
async function takePlace(
  tx: Tx,
  context: Here,
  { row, paysBy }: Joined,
  studioClass: ClassRow,
  preferences: Preferences,
  at: Temporal.Instant,
): Promise<number | undefined> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return (await bookClass(tx, toUser(row), { classId: studioClass.id }, at)).id
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (!NO_PASS_CAN_PAY.has(error.code)) return undefined
      await buy(tx, context, { row, paysBy }, preferences, at.subtract({ minutes: 15 }))
    }
  }
  return undefined
}

async function buy(
  tx: Tx,
  { bank, admin }: Here,
  { row: member, paysBy }: Pick<Joined, 'row' | 'paysBy'>,
  [favourite, everyday]: Preferences,
  at: Temporal.Instant,
): Promise<void> {
  const isHeld = favourite.purchaseOncePerUser && (await hasPassFor(tx, member.id, favourite.id))
  const bought = isHeld ? everyday : favourite
  if (paysBy) {
    await recordSale(tx, admin, { userId: member.id, packageId: bought.id, method: paysBy }, at)
    return
  }
  const paid = await bank.pay(bought.pricePence, { userId: member.id, packageId: String(bought.id) }, at)
  await saveIntent(tx, paid.id, { userId: member.id, bought }, at)
  await activatePurchase(tx, paid.id, paid, at)
}

async function giveBack(
  tx: Tx,
  { row }: Joined,
  { id, studioClass }: { id: number; studioClass: ClassRow },
  at: Temporal.Instant,
  now: Temporal.Instant,
): Promise<void> {
  if (Temporal.Instant.compare(at, earlier(studioClass.startsAt, now)) < 0) await cancelBooking(tx, toUser(row), id, at)
}

/** Repeatable random numbers between 0 and 1 (mulberry32). */
function repeatableDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
