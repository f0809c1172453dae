import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import { type CausedBy, findPasses, forfeitCredits, returnCredits } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { bookingRefusals } from '../../refusals.ts'
import { cancellationAt, graceUntil, hasEnded, isMovedByStudio } from '../../rules.ts'
import { ENDINGS, type EndingName } from '../../rules-places.ts'
import { bookings, invitations, type PlaceRow } from '../../tables.ts'
import { leaveDatesOut } from './dates-left-out.ts'
import { emailEndedHold } from './email-places.ts'
import { type EndedPlace, type LockedPlace, lockedPlaces, lockPassesForFreedPlaces } from './place-locks.ts'

// The only code that ends places: `take-places.ts` writes them.

type How = {
  causedBy: CausedBy
  /** In the ledger, instead of the reason that the rules give. */
  reason?: string
  /** An admin's decision about the credit, against the rule. */
  returnCredit?: boolean | null | undefined
  /** The holder can still undo it, so what hangs on it goes on. */
  isUndoable?: boolean
  now: Temporal.Instant
}

/** For the ledger, when an admin decided about the credit. */
const DECIDED = {
  credit_returned: 'Returned by the studio, although it was late',
  forfeited: 'The studio decided that the credit is not returned',
  no_pass: 'The pass that paid has ended',
}

/** For the ledger, when the rules decided. */
const LEDGER_REASONS = {
  in_time: undefined,
  late: undefined,
  moved: 'The studio had moved the class',
  other_teacher: 'The studio had given the class to another teacher',
}

/**
 * Ends places (locked, like their classes) and settles their credits by the table {@link ENDINGS}. The places that they
 * hold for companions end with them, once that is final. Emailing their people and offering the places is left to the
 * caller, except about companions' places.
 *
 * @throws a refusal if one has ended, or the rule applies and the class has started
 */
export async function giveUpPlaces(
  tx: Tx,
  ending: readonly LockedPlace[],
  why: EndingName,
  how: How,
): Promise<EndedPlace[]> {
  if (ending.length === 0) return []
  if (ending.some(({ place }) => place.status !== 'confirmed' && place.status !== 'held'))
    refuse(bookingRefusals.booking_not_confirmed)
  const { causedBy, now } = how
  const payers = ending.flatMap(({ place }) => place.payerId ?? [])
  await lockPassesForFreedPlaces(tx, [...new Set(ending.map(({ place }) => place.classId))], ...payers)
  const passes = await findPasses(tx, [...new Set(ending.flatMap(({ place }) => place.passId ?? []))])
  const good = new Set(passes.filter((pass) => !hasEnded(pass)).map(({ id }) => id))
  const settled = ending.map((locked) => {
    const hasPassEnded = locked.place.passId === null || !good.has(locked.place.passId)
    return { ...locked, ...settlementOf(locked, why, { ...how, hasPassEnded }) }
  })
  const rows = new Map<number, PlaceRow>()
  for (const outcome of ['refunded', 'forfeited'] as const) {
    const ids = settled.filter((one) => paymentStatusOf(one) === outcome).map(({ place }) => place.id)
    for (const row of await markCancelled(tx, ids, outcome, now)) rows.set(row.id, row)
  }
  for (const group of Map.groupBy(settled, settlementKey(why, how)).values()) await settleCredits(tx, group, why, how)
  const given = ENDINGS[why].leavesDateOut ? ending : []
  await leaveDatesOut(
    tx,
    given.flatMap(({ place: { userId, classId } }) => (userId === null ? [] : [{ userId, classId }])),
  )
  await closeInvitations(tx, ending, why)
  if (!how.isUndoable) await endHoldsBroughtBy(tx, [...rows.keys()], { causedBy, now })
  return settled.map((one) => ({ ...one, place: rows.get(one.place.id) ?? one.place }))
}

type Settlement = Pick<EndedPlace, 'outcome' | 'reason'>

function settlementOf(
  { place, studioClass }: LockedPlace,
  why: EndingName,
  { hasPassEnded, returnCredit, now }: How & { hasPassEnded: boolean },
): Settlement {
  const isByRule = ENDINGS[why].credit === 'rule' && place.status !== 'held'
  const facts = { startsAt: studioClass.startsAt, isMoved: isMovedByStudio(place), hasPassEnded }
  const rule = isByRule ? cancellationAt(now, facts) : 'credit_returned'
  if (rule === 'too_late') refuse(bookingRefusals.too_late_to_cancel)
  if (returnCredit && hasPassEnded) refuse(bookingRefusals.pass_voided)
  if (hasPassEnded) return { outcome: 'no_pass', reason: 'decided' }
  const decided = returnCredit ? 'credit_returned' : 'forfeited'
  const outcome = returnCredit == null ? rule : decided
  if (outcome !== rule) return { outcome, reason: 'decided' }
  if (outcome === 'forfeited') return { outcome, reason: 'late' }
  const isLate = cancellationAt(now, { ...facts, isMoved: false }) !== 'credit_returned'
  if (!isLate || !facts.isMoved) return { outcome, reason: 'in_time' }
  return { outcome, reason: place.movedAt === null ? 'other_teacher' : 'moved' }
}

const paymentStatusOf = ({ outcome }: Settlement) => (outcome === 'credit_returned' ? 'refunded' : 'forfeited')

/** Places with one key are settled by the same statements. */
const settlementKey =
  (why: EndingName, { reason: given }: How) =>
  ({ outcome, reason, place }: LockedPlace & Settlement) =>
    `${outcome} ${given ?? reason} ${keepsPassValid(place, why)}`

function keepsPassValid(place: PlaceRow, why: EndingName): boolean {
  const { grace } = ENDINGS[why]
  return grace === 'always' || (grace === 'if_moved' && isMovedByStudio(place))
}

async function settleCredits(
  tx: Tx,
  group: (LockedPlace & Settlement)[],
  why: EndingName,
  { causedBy, reason, now }: How,
) {
  const [first] = group
  if (!first) return
  const places = group.map(({ place }) => place)
  const byRule = first.reason === 'decided' ? DECIDED[first.outcome] : LEDGER_REASONS[first.reason]
  const cause = { causedBy, reason: first.outcome === 'no_pass' ? DECIDED.no_pass : (reason ?? byRule), now }
  if (first.outcome !== 'credit_returned') return await forfeitCredits(tx, places, cause)
  const validUntil = keepsPassValid(first.place, why) ? graceUntil(now) : undefined
  await returnCredits(tx, places, { ...cause, validUntil })
}

async function markCancelled(tx: Tx, ids: number[], paymentStatus: 'refunded' | 'forfeited', now: Temporal.Instant) {
  if (ids.length === 0) return []
  return await tx
    .update(bookings)
    .set({ status: 'cancelled', paymentStatus, cancelledAt: now })
    .where(inArray(bookings.id, ids))
    .returning()
}

/** The invitations of held places can no longer be answered. */
async function closeInvitations(tx: Tx, ending: readonly LockedPlace[], why: EndingName): Promise<void> {
  const ids = ending.flatMap(({ place }) => (place.status === 'held' && place.invitationId ? [place.invitationId] : []))
  if (ids.length === 0) return
  const answer = ENDINGS[why].hold === 'declined' ? 'declined' : 'ended'
  await tx.update(invitations).set({ answer }).where(inArray(invitations.id, ids))
}

/** Ends the places that members hold for companions beside bookings of theirs that have ended for good. */
export async function endHoldsBroughtBy(
  tx: Tx,
  bookingIds: readonly number[],
  { causedBy, now }: { causedBy: CausedBy; now: Temporal.Instant },
): Promise<void> {
  if (bookingIds.length === 0) return
  const held = await lockedPlaces(
    tx,
    and(inArray(bookings.broughtBy, [...bookingIds]), eq(bookings.status, 'held'), isNotNull(bookings.payerId)),
  )
  await endHolds(tx, held, 'withdrawn', { causedBy, now })
}

/** Ends held places (locked, like their classes) and emails both people. */
export async function endHolds(tx: Tx, held: readonly LockedPlace[], why: EndingName, how: How): Promise<EndedPlace[]> {
  const ended = await giveUpPlaces(tx, held, why, how)
  for (const one of ended) await emailEndedHold(tx, one, ENDINGS[why].hold)
  return ended
}

/** Marks a credit that was forfeited as returned. */
export async function markReturned(tx: Tx, ids: readonly number[]): Promise<PlaceRow[]> {
  if (ids.length === 0) return []
  return await tx
    .update(bookings)
    .set({ paymentStatus: 'refunded' })
    .where(inArray(bookings.id, [...ids]))
    .returning()
}

/** Keeps the credits of late cancellations again, as when the studio undoes a cancellation that had returned them. */
export async function forfeitAgain(tx: Tx, ids: readonly number[]): Promise<PlaceRow[]> {
  if (ids.length === 0) return []
  return await tx
    .update(bookings)
    .set({ paymentStatus: 'forfeited', reinstatements: sql`${bookings.reinstatements} + 1` })
    .where(inArray(bookings.id, [...ids]))
    .returning()
}
