import { and, eq, gt, inArray, isNotNull, lte, ne, or, sql } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { collectMails, queueMail, queueTexts } from '#messages/server/messages.ts'
import type { DateRange } from '#passes/rules.ts'
import { type CausedBy, findPasses, releaseCredit } from '#passes/server/passes.ts'
import { type Database, inOwnTransactions, type Reader, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { classesForUpdate, classForUpdateEvenDeleted } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { hasEnded, heldUntilAfterMove } from '../rules.ts'
import { bookings, companions } from '../tables.ts'
import {
  companionForUpdate,
  endingHolds,
  forAddressesOf,
  type Held,
  heldBy,
  heldIn,
  selectHeld,
} from './companion-queries.ts'
import { lockPassesForFreedPlaces, offerFreedPlaces } from './offer-freed-place.ts'
import { toClassFacts } from './queries.ts'

type Why = 'expired' | 'declined' | 'withdrawn' | 'class_cancelled' | 'pass_ended'
const STATES = {
  expired: 'ended',
  declined: 'declined',
  withdrawn: 'withdrawn',
  class_cancelled: 'ended',
  pass_ended: 'ended',
} as const

/**
 * Ends a held place (its class and the payer's passes are locked): the credit goes back, unless the pass has ended, and
 * the member and the companion are emailed. The caller offers the place to the waiting list.
 */
export async function endHold(
  tx: Tx,
  { place, class: studioClass, member }: Held,
  { why, causedBy, now }: { why: Why; causedBy: CausedBy; now: Temporal.Instant },
): Promise<void> {
  const [pass] = await findPasses(tx, [place.passId])
  const isCreditLost = pass === undefined || hasEnded(pass)
  await tx.update(companions).set({ state: STATES[why], endedAt: now }).where(eq(companions.id, place.id))
  await releaseCredit(tx, place.passId, place.id, { causedBy, now, isLost: isCreditLost })
  const companion = place.firstName ?? ''
  const email = place.email ?? ''
  const facts = { class: toClassFacts(studioClass) }
  if (why === 'declined')
    await queueMail(tx, 'companion-answered', { to: recipient(member), ...facts, companion, answer: 'declined' })
  else await queueMail(tx, 'held-place-ended', { to: recipient(member), ...facts, companion, why, isCreditLost })
  const to = { email, firstName: companion }
  await queueMail(tx, 'invitation-ended', { to, ...facts, invitedBy: member.firstName, why })
}

function whyEnding({ place, class: studioClass }: Held, now: Temporal.Instant): Why {
  if (!studioClass.isActive || studioClass.deletedAt !== null) return 'class_cancelled'
  return Temporal.Instant.compare(place.heldUntil, now) <= 0 ? 'expired' : 'withdrawn'
}

/**
 * Ends every held place whose time is over, or whose booking was cancelled. Running twice does no harm.
 *
 * @param options.isQuiet emails neither of the two, as after a restore; only members who get the place
 */
export async function endHolds(database: Database, now: Temporal.Instant, options: { isQuiet?: true } = {}) {
  await inOwnTransactions(database, await endingHolds(database.db, now), async (tx, { place }) => {
    const { enqueue } = tx
    if (options.isQuiet) collectMails(tx)
    await lockHold(tx, place)
    const due = (await endingHolds(tx, now)).find((held) => held.place.id === place.id)
    if (!due) return
    await endHold(tx, due, { why: whyEnding(due, now), causedBy: { by: 'system' }, now })
    // A member who gets the place is always emailed.
    tx.enqueue = enqueue
    await offerFreedPlaces(tx, [place.classId], now)
  })
}

/** Texts members, once, before a place that they hold for a companion ends. Running twice does no harm. */
export async function textEndingHolds(tx: Tx, now: Temporal.Instant): Promise<void> {
  const soon = now.add({ hours: studio.policies.companions.textedHours })
  const ending = await selectHeld(tx, and(gt(companions.heldUntil, now), lte(companions.heldUntil, soon)))
  const texts = ending.map(({ place, class: studioClass, member }) => ({
    kind: 'hold_ending' as const,
    userId: member.id,
    id: String(place.id),
    class: toClassFacts(studioClass),
    until: place.heldUntil.toString(),
  }))
  await queueTexts(tx, texts, now)
}

/** Locks the class of a held place, the passes that are concerned when it ends, and the place. */
export async function lockHold(tx: Tx, place: { id: number; classId: number; passId: number }) {
  const studioClass = await classForUpdateEvenDeleted(tx, place.classId)
  await lockPassesForFreedPlaces(tx, [place.classId])
  return { studioClass, row: await companionForUpdate(tx, place.id) }
}

/** The studio has moved classes (locked): their held places end at another time, and the companions are emailed. */
export async function moveHolds(
  tx: Tx,
  classIds: number[],
  fromOf: (classId: number) => ClassRow,
  now: Temporal.Instant,
) {
  for (const { place, class: studioClass, member } of await selectHeld(tx, heldIn(classIds))) {
    const until = heldUntilAfterMove(place.invitedAt, studioClass.startsAt, now)
    await tx.update(companions).set({ heldUntil: until }).where(eq(companions.id, place.id))
    await queueMail(tx, 'companion-invited', {
      to: { email: place.email ?? '', firstName: place.firstName ?? '' },
      class: toClassFacts(studioClass),
      from: toClassFacts(fromOf(place.classId)),
      invitedBy: member.firstName,
      until: until.toString(),
      linkId: place.linkId,
    })
  }
}

/** Ends the places that a (locked) pass holds, before it is void; `during`: on these days. Returns their classes. */
export async function endHoldsPaidBy(
  tx: Tx,
  passId: number,
  { causedBy, now, during }: { causedBy: CausedBy; now: Temporal.Instant; during?: DateRange },
): Promise<number[]> {
  const found = await heldPaidBy(tx, passId, during)
  const why = during ? 'withdrawn' : 'pass_ended'
  for (const held of found) await endHold(tx, held, { why, causedBy, now })
  return found.map(({ place }) => place.classId)
}

/** The held places that a pass pays for. @param during only those of classes on these days */
export async function heldPaidBy(tx: Reader, passId: number, during?: DateRange): Promise<Held[]> {
  const isOn = during && sql`${classes.date} between ${during.from} and ${during.to}`
  return await selectHeld(tx, and(eq(companions.passId, passId), isOn))
}

/** Ends the places that a member holds for companions, as they are blocked. */
export async function endHoldsOf(tx: Tx, userId: string, causedBy: CausedBy, now: Temporal.Instant): Promise<void> {
  await endAll(tx, await lockHeld(tx, heldBy(userId)), 'withdrawn', causedBy, now)
}

/** Ends the places that are held for or by a member who is erased (their classes and passes are locked). */
export async function endHoldsOnErasure(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  const own = await selectHeld(tx, heldBy(userId))
  await endAll(tx, own, 'withdrawn', { by: 'system' }, now)
  const hasAddress = forAddressesOf(userId)
  await endAll(tx, await selectHeld(tx, hasAddress), 'declined', { by: 'system' }, now)
  // Accepted under an address that they changed long ago.
  const booked = tx.select({ id: bookings.id }).from(bookings).where(eq(bookings.userId, userId))
  const isTheirs = inArray(companions.companionBookingId, booked)
  await tx
    .update(companions)
    .set({ firstName: null, lastName: null, email: null })
    .where(and(or(isTheirs, hasAddress), ne(companions.state, 'held')))
}

async function lockHeld(tx: Tx, condition: Parameters<typeof selectHeld>[1]): Promise<Held[]> {
  const found = await selectHeld(tx, condition)
  const ids = [...new Set(found.map(({ place }) => place.classId))]
  await classesForUpdate(tx, ids)
  await lockPassesForFreedPlaces(tx, ids)
  return await selectHeld(tx, condition)
}

async function endAll(tx: Tx, found: Held[], why: Why, causedBy: CausedBy, now: Temporal.Instant): Promise<void> {
  for (const held of found) await endHold(tx, held, { why, causedBy, now })
  await offerFreedPlaces(tx, [...new Set(found.map(({ place }) => place.classId))], now)
}

/** Forgets companions' names and addresses: 30 days after their place ended or, once it was booked, after the class. */
export async function forgetCompanions(tx: Tx, now: Temporal.Instant): Promise<void> {
  const before = now.subtract({ hours: 24 * studio.policies.companions.forgottenDays })
  const isOver = inArray(
    companions.classId,
    tx.select({ id: classes.id }).from(classes).where(lte(classes.endsAt, before)),
  )
  await tx
    .update(companions)
    .set({ firstName: null, lastName: null, email: null })
    .where(
      and(
        isNotNull(companions.firstName),
        ne(companions.state, 'held'),
        or(isOver, and(ne(companions.state, 'accepted'), lte(companions.endedAt, before))),
      ),
    )
}
