import { and, asc, eq, getColumns, inArray, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { recordAdminChange, recordAdminChanges } from '#audit/server/audit.ts'
import { undoRefusals } from '#booking/refusals.ts'
import { graceUntil, hasEnded, undoableUntil } from '#booking/rules.ts'
import {
  bookForRegulars,
  emailEndedHold,
  emailOther,
  endedInvitations,
  findWaitingFor,
  forfeitAgain,
  lockedPlaces,
  offerFreedPlaces,
  payersIn,
  reopenInvitations,
  restoreEntries,
  takePlacesAgain,
  toMailedBooking,
} from '#booking/server/booking.ts'
import { bookings, type PlaceRow, takenPlaces } from '#booking/tables.ts'
import { many } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMails } from '#messages/server/messages.ts'
import { isPausedOn } from '#passes/rules.ts'
import { findPasses, forfeitCredits, lockPassesOf, spendCreditsAgain, undoExtension } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import {
  classesForUpdate,
  deleteClosure,
  lengthenSeries,
  lockDays,
  reservePlaces,
  restoreClasses,
} from '#timetable/server/timetable.ts'
import { type ClassRow, type ClosureRow, classes } from '#timetable/tables.ts'
import { type Lost, studioCancellations } from '../tables.ts'
import { emailLosses } from './studio-cancellations.ts'

type Cancellation = typeof studioCancellations.$inferSelect

const REASON = 'The studio undid its cancellation'

/**
 * Undoes deleted classes or closed days within a minute, by any admin: classes, bookings, credits and waiting lists
 * come back, also of a class that has started since. A booking stays cancelled, and its member is emailed, if the
 * returned credit is spent or the class was changed in the meantime; a member who has spent the credit of a late
 * cancellation keeps it.
 */
export async function undoCancellation(tx: Tx, admin: { id: string }, id: number, now: Temporal.Instant) {
  const [made] = await tx.select().from(studioCancellations).where(eq(studioCancellations.id, id)).for('update')
  if (!made || Temporal.Instant.compare(now, undoableUntil(made.madeAt)) >= 0) refuse(undoRefusals.undo_expired)
  if (made.undoneAt) refuse(undoRefusals.already_undone)
  await tx.update(studioCancellations).set({ undoneAt: now }).where(eq(studioCancellations.id, id))
  const { lost, closed } = made
  if (closed) await lockDays(tx, 'exclusive')
  const locked = await classesForUpdate(
    tx,
    made.classes.map((one) => one.id),
  )
  const closure = closed && (await deleteClosure(tx, closed.id))
  const back = await restoreClasses(tx, locked, { taken: made.classes, closureId: closed?.id }, now)
  await lengthenSeries(tx, back, new Map(made.classes.map((one) => [one.id, one.seriesUntil])))
  const left = locked.filter((studioClass) => !back.some((row) => row.id === studioClass.id))
  const openIds = new Set([...back, ...left].filter((row) => row.isActive && !row.deletedAt).map((row) => row.id))
  const places = await restorePlaces(tx, admin, made, back, now)
  for (const { id: classId, reservedPlaces } of made.classes) {
    if (reservedPlaces > 0 && back.some((row) => row.id === classId)) await reservePlaces(tx, [classId], reservedPlaces)
  }

  // What could not be brought back stays cancelled, which its members do not know yet.
  const idsOf = (rows: readonly PlaceRow[], isOpen: boolean) =>
    rows.filter(({ classId }) => openIds.has(classId) === isOpen).map((row) => row.id)
  const nothing = { bookings: [], late: [], waiting: [], passes: [] }
  await emailBookings(tx, idsOf(places.cancelled, true))
  await emailLosses(
    tx,
    { ...nothing, late: idsOf(places.late, true) },
    now,
    'We had cancelled this class for a moment.',
  )
  const stillLost = {
    bookings: idsOf(places.cancelled, false),
    late: idsOf(places.late, false),
    waiting: lost.waiting.filter(({ classId }) => !openIds.has(classId)),
    passes: [],
  }
  await emailLosses(tx, stillLost, now)
  const freed = places.cancelled.map((row) => row.classId).filter((classId) => openIds.has(classId))
  await offerFreedPlaces(tx, [...new Set(freed)], now)
  await bookForRegulars(
    tx,
    back.map((row) => row.id),
    now,
  )
  await recordUndo(tx, admin, { closure, back, restored: places.restored }, now)
  const notBroughtBack = places.cancelled.length
  const message =
    notBroughtBack === 0
      ? 'Undone. Nobody was emailed.'
      : `Undone, but ${many(notBroughtBack, 'booking')} could not be brought back. We will email those members.`
  return { message, classes: back.length, bookings: places.restored.length, notBroughtBack }
}

/** Puts members back on the waiting lists of classes that have not started, except members blocked since. */
async function restoreWaitingLists(tx: Tx, lost: Lost, back: readonly ClassRow[], now: Temporal.Instant) {
  const open = new Set(back.filter((row) => row.isActive && !hasStarted(row.startsAt, now)).map((row) => row.id))
  const wanted = lost.waiting.filter(({ classId }) => open.has(classId))
  const existing = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...new Set(wanted.map(({ userId }) => userId))]), isNull(users.blockedAt)))
    .for('key share')
  const existingIds = new Set(existing.map((user) => user.id))
  const rows = wanted.filter(({ userId }) => existingIds.has(userId))
  if (rows.length === 0) return
  await restoreEntries(tx, rows)
}

/** Restores the bookings whose credits are still there, forfeits late credits again, and restores the waiting lists. */
async function restorePlaces(
  tx: Tx,
  admin: { id: string },
  { lost, madeAt }: Cancellation,
  back: readonly ClassRow[],
  now: Temporal.Instant,
) {
  const byId = new Map(back.map((row) => [row.id, row]))
  const isLate = new Set(lost.late)
  const found = (await lockedPlaces(tx, inArray(bookings.id, [...lost.bookings, ...lost.late]))).map(
    ({ place }) => place,
  )
  // Everyone affected, including those who may get a place that is left over, is locked before the first credit moves.
  const waiting = await findWaitingFor(tx, [...byId.keys()])
  const affected = [...waiting, ...lost.waiting].map(({ userId }) => userId)
  const payers = [...found.flatMap(({ payerId }) => payerId ?? []), ...(await payersIn(tx, [...byId.keys()]))]
  await lockPassesOf(tx, [...new Set([...affected, ...payers])])
  await restoreWaitingLists(tx, lost, back, now)
  const held = await findPasses(tx, [...new Set(found.flatMap(({ passId }) => passId ?? []))])
  const isOver = await endedInvitations(tx, found, now)
  const ended = new Set(held.filter(hasEnded).map((pass) => pass.id))
  const byPass = new Map(held.map((pass) => [pass.id, pass]))
  const credits = new Map(held.map((pass) => [pass.id, pass.creditsRemaining]))
  const spendCredit = (row: PlaceRow) => {
    const pass = byPass.get(row.passId ?? 0)
    const studioClass = byId.get(row.classId)
    if (pass && studioClass && isPausedOn(pass, studioClass.date)) return false
    // Its pass had already ended, so no credit came back and none is owed.
    if (row.paymentStatus === 'forfeited') return true
    const left = credits.get(pass?.id ?? 0) ?? 0
    if (!pass || ended.has(pass.id) || left === 0) return false
    credits.set(pass.id, left - 1)
    return true
  }
  const places = found.filter(({ id }) => !isLate.has(id))
  const canTake = (row: PlaceRow) => row.userId !== null || !isOver(row)
  const restored = places.filter((row) => byId.has(row.classId) && canTake(row) && spendCredit(row))
  const late = found.filter(({ id }) => isLate.has(id))
  const keptAgain = late.filter((row) => byId.has(row.classId) && spendCredit(row))

  const cause = { causedBy: { by: 'admin' as const, id: admin.id }, reason: REASON, now }
  await takePlacesAgain(tx, restored, ended, cause)
  await reopenInvitations(tx, restored)
  const forfeited = await forfeitAgain(
    tx,
    keptAgain.map((row) => row.id),
  )
  await spendCreditsAgain(tx, forfeited, ended, cause)
  await forfeitCredits(tx, forfeited, cause)
  const settled = new Set([...restored, ...keptAgain].map((row) => row.id))
  const stillExtended = new Set(found.filter((row) => !settled.has(row.id)).flatMap(({ passId }) => passId ?? []))
  const shortened = lost.passes.filter(({ id }) => !stillExtended.has(id))
  await undoExtension(tx, shortened, graceUntil(madeAt))
  const isRestored = new Set(restored.map((row) => row.id))
  return {
    restored,
    cancelled: places.filter((row) => !isRestored.has(row.id)),
    late: late.filter((row) => !settled.has(row.id)),
  }
}

/** Emails members whose class takes place after all, but without their booking. */
async function emailBookings(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const payers = alias(users, 'payers')
  const rows = await tx
    .select({ booking: getColumns(takenPlaces), class: classes, user: users, payer: payers })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .innerJoin(users, eq(users.id, takenPlaces.userId))
    .leftJoin(payers, eq(payers.id, takenPlaces.payerId))
    .where(inArray(takenPlaces.id, ids))
    .orderBy(asc(takenPlaces.id))
  await queueMails(
    tx,
    'booking-cancelled',
    rows.map(({ booking, class: studioClass, user, payer }) => ({
      to: recipient(user),
      paidBy: payer?.id === user.id ? undefined : payer?.firstName,
      class: toMailedBooking(booking, studioClass),
      outcome: booking.paymentStatus === 'refunded' ? ('credit_returned' as const) : ('no_pass' as const),
      reason: 'decided' as const,
    })),
  )
  const isHeld = and(inArray(bookings.id, ids), isNull(bookings.userId))
  for (const held of await lockedPlaces(tx, isHeld))
    await emailEndedHold(tx, { ...held, outcome: 'credit_returned', reason: 'decided' }, 'withdrawn')
  const together = new Set(ids)
  for (const { booking, class: studioClass } of rows) await emailOther(tx, booking, studioClass, { together })
}

async function recordUndo(
  tx: Tx,
  admin: { id: string },
  {
    closure,
    back,
    restored,
  }: {
    closure: ClosureRow | null | undefined
    back: readonly ClassRow[]
    restored: readonly PlaceRow[]
  },
  now: Temporal.Instant,
): Promise<void> {
  if (closure) {
    const { id, from, to, fromTime, toTime, reason } = closure
    const hours = fromTime && { fromTime: { before: fromTime }, toTime: { before: toTime } }
    const days = { from: { before: from }, to: { before: to }, ...hours, reason: { before: reason } }
    const changes = { ...days, classes: { after: back.length }, bookingsBack: { after: restored.length } }
    await recordAdminChange(tx, admin, { action: 'undone', subject: { kind: 'closure', id }, changes }, now)
  }
  await recordAdminChanges(
    tx,
    admin,
    back.map((row) => {
      const bookingsBack = restored.filter(({ classId }) => classId === row.id).length
      return {
        action: 'undone' as const,
        subject: { kind: 'class' as const, id: row.id },
        changes: {
          isActive: { before: false, after: row.isActive },
          ...(bookingsBack > 0 && { bookingsBack: { after: bookingsBack } }),
        },
      }
    }),
    now,
  )
}
