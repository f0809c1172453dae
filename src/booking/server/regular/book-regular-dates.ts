import type { CausedBy } from '#passes/server/passes.ts'
import { lockPassesOf } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import type { WayIn } from '../../rules-places.ts'
import { planRegularDates } from '../../rules-regular.ts'
import { type PlaceRow, waitingList } from '../../tables.ts'
import { takePlaces, type Wish } from '../places/take-places.ts'
import { type FoundDate, findRegularDates, standingsFor, type Which } from './regular-queries.ts'

/** A date with its outcome. */
export type OutcomeOfDate = FoundDate & {
  booking: PlaceRow | null
  companionBooking: PlaceRow | null
} & Pick<ReturnType<typeof planRegularDates>[number], 'decision' | 'companionDecision'>

/**
 * Books the dates of regular bookings that are missing and can be booked, in order of date; in one class the oldest
 * regular booking comes first. Locks the classes, then the members' passes, and writes as many statements for one date
 * as for many. Members are put on the waiting list of a full class. Running twice does no harm. Emails are left to the
 * caller.
 */
export async function bookRegularDates(
  tx: Tx,
  which: Which,
  way: WayIn,
  { causedBy, now }: { causedBy: CausedBy; now: Temporal.Instant },
): Promise<OutcomeOfDate[]> {
  const isMissing = ({ isBooked, isLeftOut }: { isBooked: boolean; isLeftOut: boolean }) => !isBooked && !isLeftOut
  const missing = (await findRegularDates(tx, which, now)).filter(
    (date) => isMissing(date) || (date.companion && isMissing(date.companion)),
  )
  if (missing.length === 0) return await plan(tx, which, way, now)
  const classIds = [...new Set(missing.map((date) => date.class.id))]
  await classesForUpdate(tx, classIds)
  await lockPassesOf(tx, [...new Set(missing.map(({ userId }) => userId))])
  // Read again, as a place or a credit may have been taken before it was locked.
  const isLocked = new Set(classIds)
  const outcomes = await plan(tx, which, way, now)
  const wishes = outcomes.flatMap(wishesOf).filter(({ studioClass }) => isLocked.has(studioClass.id))
  // A companion's place names the member's, so those come first.
  const own = await take(
    tx,
    wishes.filter(({ payer }) => !payer),
  )
  const brought = wishes.flatMap((wish) => {
    if (!wish.payer) return []
    const { bookingId } =
      outcomes.find((date) => date.class.id === wish.studioClass.id && date.regular.id === wish.regularBookingId) ?? {}
    const broughtBy = bookingId ?? own.find((place) => isOf(place, wish.studioClass, wish.payer?.id))?.id ?? null
    return [{ ...wish, broughtBy }]
  })
  const made = [...own, ...(await take(tx, brought))]
  await joinWaitingLists(
    tx,
    outcomes.filter((date) => 'code' in date.decision && date.decision.code === 'full' && isLocked.has(date.class.id)),
    now,
  )
  return outcomes.map((date) => {
    const booking = made.find((place) => isOf(place, date.class, date.userId)) ?? null
    const companionBooking = made.find((place) => isOf(place, date.class, date.companion?.userId)) ?? null
    const bookingId = booking?.id ?? date.bookingId
    return { ...date, booking, companionBooking, bookingId, isBooked: bookingId !== null }
  })

  async function take(tx: Tx, wishes: readonly Wish[]): Promise<PlaceRow[]> {
    if (wishes.length === 0) return []
    const taken = await takePlaces(tx, wishes, way, { causedBy, reason: 'Regular booking', now })
    return taken.flatMap((one) => ('place' in one ? [one.place] : []))
  }
}

const isOf = ({ classId, userId }: PlaceRow, studioClass: { id: number }, holderId: string | undefined) =>
  classId === studioClass.id && userId === holderId

/** The member's place, and the companion's, as far as the plan allows them. */
function wishesOf({ regular, userId, companion, class: studioClass, ...date }: OutcomeOfDate): Wish[] {
  const facts = { studioClass, regularBookingId: regular.id }
  const wishes: Wish[] = []
  if ('passId' in date.decision) wishes.push({ ...facts, holder: { id: userId } })
  if (companion && date.companionDecision && 'passId' in date.companionDecision) {
    const { invitationId } = regular
    wishes.push({ ...facts, holder: { id: companion.userId }, payer: { id: userId }, invitationId })
  }
  return wishes
}

async function joinWaitingLists(tx: Tx, full: readonly OutcomeOfDate[], now: Temporal.Instant): Promise<void> {
  if (full.length === 0) return
  await tx
    .insert(waitingList)
    .values(
      full.map(({ userId, regular, class: studioClass }) => {
        return { userId, classId: studioClass.id, joinedAt: now, regularBookingId: regular.id }
      }),
    )
    .onConflictDoNothing()
}

/** What {@link bookRegularDates} would do. */
export async function plan(reader: Reader, which: Which, way: WayIn, now: Temporal.Instant): Promise<OutcomeOfDate[]> {
  const dates = await findRegularDates(reader, which, now)
  const standings = await standingsFor(reader, dates, { now, isUnasked: way.isUnasked ?? false })
  return planRegularDates(dates, standings, way, now).map((date) => ({
    ...date,
    booking: null,
    companionBooking: null,
  }))
}
