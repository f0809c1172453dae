import { notify, recipient } from '#accounts/server/accounts.ts'
import { queueMail, queueMails } from '#messages/server/messages.ts'
import { type Database, inOwnTransactions, type Reader, type Tx } from '#platform/database/database.ts'
import {
  classForUpdate,
  classForUpdateEvenDeleted,
  classIdsWithReservedPlaces,
  reservePlaces,
} from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { SkipReason } from '../../contract-waiting.ts'
import { freedPlaceAt, hasOffer, lastAssignmentOf, turnUntil } from '../../rules.ts'
import { countPlacesForUndo } from '../places/own-cancellations.ts'
import { findWaitingFor, lockPassesForFreedPlaces } from '../places/place-locks.ts'
import { toClassFacts, toMailedBooking } from '../places/queries.ts'
import { wayOf, whySkipped } from '../places/standings.ts'
import { takePlaces } from '../places/take-places.ts'
import { findEntries, removeFromWaitingList, restartTurns, setTurns, type WaitingMember } from './waiting-queries.ts'

/**
 * Offers free places of classes to their waiting lists; call it in the transaction that frees them. At least 12 hours
 * before the start the first member who can take it is booked and emailed; until 3 hours before, it is offered to one
 * after the other; later, or if nobody can take it, the whole list is emailed and the first to book gets the place. At
 * night the place is held until the morning. Turns that end are continued by {@link offerReservedPlaces}.
 */
export async function offerFreedPlaces(tx: Tx, classIds: number[], now: Temporal.Instant): Promise<void> {
  // Most classes have no waiting list, so they need not be read.
  const awaited = new Set((await findWaitingFor(tx, classIds)).map(({ classId }) => classId))
  await restartTurns(tx, [...awaited])
  for (const classId of awaited) {
    const offered = await classForUpdate(tx, classId)
    if (offered?.isActive) await offerPlaces(tx, offered, now)
  }
}

/** Offers a place of a (locked) class that a member has declined or left to the next on the list. */
export async function offerToNext(tx: Tx, classId: number, now: Temporal.Instant): Promise<void> {
  await lockPassesForFreedPlaces(tx, [classId])
  const offered = await classForUpdate(tx, classId)
  if (offered?.isActive) await offerPlaces(tx, offered, now)
}

/** Offers the places that were held overnight or whose turn is over; without a waiting list anyone can book. */
export async function offerReservedPlaces(database: Database, now: Temporal.Instant): Promise<void> {
  await inOwnTransactions(database, await classIdsWithReservedPlaces(database.db), async (tx, id) => {
    const offered = await classForUpdateEvenDeleted(tx, id)
    if (!offered || offered.reservedPlaces === 0) return
    const waiting = await lockPassesForFreedPlaces(tx, [id])
    if (waiting.length === 0) await reservePlaces(tx, [id], 0)
    else if (freedPlaceAt(now, offered.startsAt) !== 'waits' && !(await areAllKept(tx, offered, now)))
      await offerPlaces(tx, offered, now)
  })
}

/** Whether every held place of a class is offered, kept for a call that is still to be made, or held for Undo. */
async function areAllKept(tx: Tx, offered: ClassRow, now: Temporal.Instant): Promise<boolean> {
  const offers = (await findEntries(tx, offered.id)).filter((waiting) => hasOffer(waiting, now)).length
  const kept = (await placesToCallAbout(tx, offered, now)).length
  return offered.reservedPlaces <= offers + kept + (await countPlacesForUndo(tx, offered))
}

/** The members without an email address for whom a free place is kept, or to whom it is offered, in their order. */
export async function placesKept(reader: Reader, offered: ClassRow, now: Temporal.Instant): Promise<WaitingMember[]> {
  const line = await findEntries(reader, offered.id)
  const inTurn = line.filter((waiting) => waiting.email === null && hasOffer(waiting, now))
  return [...inTurn, ...(await placesToCallAbout(reader, offered, now))]
}

/**
 * The members without an email address for whom a free place is kept until the owner has called them. From 12 hours
 * before the start it is offered to them in turn.
 */
async function placesToCallAbout(reader: Reader, offered: ClassRow, now: Temporal.Instant): Promise<WaitingMember[]> {
  // At any hour: the quiet hours are about emails.
  if (Temporal.Instant.compare(now, lastAssignmentOf(offered.startsAt)) > 0) return []
  let free = offered.maxParticipants - offered.bookedCount - (await countPlacesForUndo(reader, offered))
  const kept: WaitingMember[] = []
  for (const waiting of await findEntries(reader, offered.id)) {
    if (free === 0) break
    if (waiting.unconfirmedSince || (await whySkipped(reader, offered, waiting, now))) continue
    free -= 1
    if (waiting.email === null) kept.push(waiting)
  }
  return kept
}

async function offerPlaces(tx: Tx, offered: ClassRow, now: Temporal.Instant): Promise<void> {
  const outcome = freedPlaceAt(now, offered.startsAt)
  if (outcome === 'waits') return await reservePlaces(tx, [offered.id], offered.maxParticipants - offered.bookedCount)
  if (outcome === 'left') return await reservePlaces(tx, [offered.id], 0)
  const { line, free } = await (outcome === 'offered' ? offerInTurn : assignFreePlaces)(tx, offered, now)
  if (free > 0) await emailFreePlace(tx, offered, line)
}

/**
 * Offers the free places of a (locked) class to the next on the list who can take them and have not had their turn.
 * Skipped members are emailed why, once, unless a place is left: then the caller emails the list.
 *
 * @returns who still waits without an offer, and how many places are left, which anyone can book
 */
async function offerInTurn(tx: Tx, offered: ClassRow, now: Temporal.Instant) {
  const { offers, undoable, waitingInOrder } = await findOffers(tx, offered, now)
  let free = offered.maxParticipants - offered.bookedCount - undoable - offers
  const line: StillWaiting[] = []
  const next: WaitingMember[] = []
  for (const waiting of waitingInOrder) {
    if (free === 0 || hasOffer(waiting, now)) continue
    const because = await whySkipped(tx, offered, { ...waiting, isOffer: true }, now)
    if (waiting.unconfirmedSince || waiting.turn === 'over') line.push(waiting)
    else if (because) line.push({ ...waiting, because })
    else {
      next.push(waiting)
      free -= 1
    }
  }
  await reservePlaces(tx, [offered.id], undoable + offers + next.length)
  const offeredUntil = turnUntil(now, offered.startsAt)
  await setTurns(tx, offered.id, idsOf(next), { turn: 'offered', offeredUntil })
  const skipped = line.filter(({ because, turn }) => because && turn !== 'skipped')
  await setTurns(tx, offered.id, idsOf(skipped), { turn: 'skipped' })
  await emailOffers(tx, offered, next, { until: offeredUntil, now })
  return { line: await leaveOutBlocked(tx, offered, line, free === 0 ? skipped : []), free }
}

const idsOf = (members: readonly WaitingMember[]) => members.map(({ userId }) => userId)

/** How many places of a (locked) class are offered or held for Undo, and its waiting list; late offers are over. */
async function findOffers(tx: Tx, offered: ClassRow, now: Temporal.Instant) {
  const found = await findEntries(tx, offered.id)
  const ended = found.filter((waiting) => waiting.turn === 'offered' && !hasOffer(waiting, now))
  await setTurns(tx, offered.id, idsOf(ended), { turn: 'over' })
  const waitingInOrder = found.map((waiting) =>
    ended.includes(waiting) ? { ...waiting, turn: 'over' as const, offeredUntil: null } : waiting,
  )
  const offers = waitingInOrder.filter((waiting) => hasOffer(waiting, now)).length
  return { offers, undoable: await countPlacesForUndo(tx, offered), waitingInOrder }
}

/** Emails skipped members why, and takes blocked ones off the waiting list. Returns who is left. */
async function leaveOutBlocked(tx: Tx, offered: ClassRow, line: StillWaiting[], skipped: StillWaiting[]) {
  const blocked = line.filter(({ isBlocked }) => isBlocked)
  await emailSkipped(tx, offered, [...new Set([...skipped, ...blocked])])
  for (const { userId } of blocked) await removeFromWaitingList(tx, userId, offered.id)
  return line.filter(({ isBlocked }) => !isBlocked)
}

/** `because`: why the member was skipped, if they were. */
type StillWaiting = WaitingMember & { because?: SkipReason }

/**
 * Assigns the free places of a (locked) class along its waiting list while places are assigned at all, skipping members
 * who have not confirmed since the studio moved it, or cannot take it; places whose cancellation can be undone stay
 * held, and so do those of members without an email address until the owner has called them. Skipped members are
 * emailed why, unless a place is left: then the caller emails the whole list.
 *
 * @returns who still waits, and how many places are left
 */
export async function assignFreePlaces(tx: Tx, offered: ClassRow, now: Temporal.Instant) {
  const isGiven = freedPlaceAt(now, offered.startsAt) === 'given'
  const open = { ...offered, reservedPlaces: 0 }
  const { offers, undoable, waitingInOrder } = await findOffers(tx, offered, now)
  await reservePlaces(tx, [offered.id], undoable + offers)
  const line: StillWaiting[] = []
  let kept = 0
  let free = offered.maxParticipants - offered.bookedCount - undoable - offers
  for (const waiting of waitingInOrder) {
    if (hasOffer(waiting, now)) continue
    if (!isGiven || free === 0 || waiting.unconfirmedSince) {
      line.push(waiting)
      continue
    }
    const because = await whySkipped(tx, offered, waiting, now)
    if (because) line.push({ ...waiting, because })
    else if (waiting.email === null) {
      kept += 1
      free -= 1
    } else if (await assignPlace(tx, open, waiting, now)) free -= 1
  }
  if (kept > 0) await reservePlaces(tx, [offered.id], undoable + offers + kept)
  return { line: await leaveOutBlocked(tx, offered, line, free === 0 ? line : []), free }
}

/** Books a place for a waiting member. Returns false if they cannot take it. */
export async function assignPlace(
  tx: Tx,
  offered: ClassRow,
  waiting: WaitingMember,
  now: Temporal.Instant,
  /** The admin who has agreed it with the member on the phone, so that no call is needed. */
  admin?: { id: string },
): Promise<boolean> {
  const member = { ...waiting, id: waiting.userId }
  const wish = { studioClass: offered, holder: member, regularBookingId: waiting.regularBookingId }
  const causedBy = admin ? { by: 'admin' as const, id: admin.id } : { by: 'system' as const }
  const cause = { causedBy, reason: 'From the waiting list', now }
  const [taken] = await takePlaces(tx, [wish], wayOf(waiting), cause)
  if (!taken || 'refusal' in taken) return false
  const mailed = toMailedBooking(taken.place, offered)
  if (!admin) await queueMail(tx, 'place-from-waiting-list', { to: recipient(member), class: mailed })
  return true
}

/** Members without an email address are called: {@link placesKept}. */
async function emailOffers(
  tx: Tx,
  offered: ClassRow,
  members: readonly WaitingMember[],
  offer: { until: Temporal.Instant; now: Temporal.Instant },
): Promise<void> {
  const until = offer.until.toString()
  const facts = { classId: offered.id, class: toClassFacts(offered), until }
  const notices = members.flatMap(({ userId, email, firstName }) => {
    if (email === null) return []
    return [
      { mail: { to: { email, firstName }, ...facts }, alert: { kind: 'place_offered' as const, userId, ...facts } },
    ]
  })
  await notify(tx, 'place-offered', notices, offer.now)
}

/** A regular booking that passes a date over for the night says nothing. */
const becauseInEmail = (because: SkipReason | undefined) =>
  because === 'tonight' || because === 'too_soon' ? undefined : because

/** A place is left: the whole waiting list is emailed, skipped members also why. */
async function emailFreePlace(tx: Tx, offered: ClassRow, line: StillWaiting[]): Promise<void> {
  const facts = { classId: offered.id, class: toClassFacts(offered) }
  await queueMails(
    tx,
    'place-free',
    line.map(({ because, ...waiting }) => ({
      to: recipient({ ...waiting, id: waiting.userId }),
      ...facts,
      because: becauseInEmail(because),
    })),
  )
}

/** Emails members who were skipped for someone further back. */
async function emailSkipped(tx: Tx, offered: ClassRow, line: StillWaiting[]): Promise<void> {
  const facts = { classId: offered.id, class: toClassFacts(offered) }
  await queueMails(
    tx,
    'skipped-on-waiting-list',
    line.flatMap(({ because, ...waiting }) => {
      const why = becauseInEmail(because)
      return why ? [{ to: recipient({ ...waiting, id: waiting.userId }), ...facts, because: why }] : []
    }),
  )
}
