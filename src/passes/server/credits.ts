import { and, asc, desc, eq, inArray, lt } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { packages } from '#packages/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { limitToPage } from '#platform/database/paging.ts'
import type { LedgerLine } from '../contract.ts'
import { creditLedger, type PassRow, passes } from '../tables.ts'

/** Who moves a credit. `system`: jobs and waiting lists; `provider`: the card provider. */
export type CausedBy = { by: 'member' } | { by: 'admin'; id: string } | { by: 'system' } | { by: 'provider' }

/** The member, or an admin acting for them. */
export function actingFor(memberId: string, caller: { id: string }): CausedBy {
  return caller.id === memberId ? { by: 'member' } : { by: 'admin', id: caller.id }
}

/** The ledger columns that say who caused a line. */
export function causeColumns(causedBy: CausedBy) {
  return { causedBy: causedBy.by, causedByAdmin: causedBy.by === 'admin' ? causedBy.id : null }
}

/** For every ledger line about a booking; the database fills in its class. */
export type Cause = {
  causedBy: CausedBy
  /** In words for the member, if the kind of line does not say it all. */
  reason?: string
  now: Temporal.Instant
}
type BookingMovement = Cause & { bookingId: number }
/** A place, and the pass that paid; null once the payer is erased: nothing moves then. */
type Paid = { id: number; passId: number | null }
type BookingLine = Pick<typeof creditLedger.$inferInsert, 'kind' | 'credits'>

/** Pays for places with one credit each of their (locked) passes, in one statement. */
export async function spendCredits(tx: Tx, places: readonly Paid[], cause: Cause): Promise<void> {
  const [only, ...others] = places.flatMap(({ id, passId }) => (passId === null ? [] : [{ id, passId }]))
  if (only && others.length === 0)
    await addBookingLine(tx, only.passId, { kind: 'booking', credits: -1 }, { ...cause, bookingId: only.id })
  else await addBookingLines(tx, places, { kind: 'booking', credits: -1 }, cause)
}

/**
 * Returns the credits of bookings to the passes that paid, in as many statements for one as for many. Passes not yet
 * locked are locked by ascending id.
 *
 * @param cause.validUntil extends passes that would expire earlier
 */
export async function returnCredits(
  tx: Tx,
  bookings: readonly Paid[],
  { validUntil, ...cause }: Cause & { validUntil?: Temporal.Instant },
): Promise<void> {
  if (bookings.length === 0) return
  if (validUntil) await extendPasses(tx, passIdsOf(bookings), validUntil, cause.now)
  await addBookingLines(tx, bookings, { kind: 'return', credits: 1 }, cause)
}

/** Returns forfeited credits to (locked) passes, which are then valid at least until `validUntil`. */
export async function returnAsGoodwill(
  tx: Tx,
  bookings: readonly Paid[],
  { validUntil, ...cause }: Cause & { reason: string; validUntil: Temporal.Instant },
): Promise<void> {
  if (bookings.length === 0) return
  await extendPasses(tx, passIdsOf(bookings), validUntil, cause.now)
  await addBookingLines(tx, bookings, { kind: 'goodwill', credits: 1 }, cause)
}

/** Takes credits again when bookings are restored. An ended (locked) pass got none back, so one is added first. */
export async function spendCreditsAgain(
  tx: Tx,
  bookings: readonly Paid[],
  endedPasses: ReadonlySet<number>,
  cause: Cause & { reason: string },
): Promise<void> {
  const { now, causedBy, reason } = cause
  const added = bookings.flatMap(({ passId }) => (passId !== null && endedPasses.has(passId) ? [passId] : []))
  if (added.length > 0) {
    const line = { kind: 'correction' as const, credits: 1, reason, ...causeColumns(causedBy), at: now }
    await tx.insert(creditLedger).values(added.map((passId) => ({ passId, ...line })))
  }
  await addBookingLines(tx, bookings, { kind: 'booking', credits: -1 }, cause)
}

/** Takes back the extension of (locked) passes, unless they were changed again since. */
export async function undoExtension(
  tx: Tx,
  extended: readonly { id: number; expiresAt: string }[],
  until: Temporal.Instant,
): Promise<void> {
  for (const { id, expiresAt } of extended) {
    await tx
      .update(passes)
      .set({ expiresAt: Temporal.Instant.from(expiresAt) })
      .where(and(eq(passes.id, id), eq(passes.expiresAt, until)))
  }
}

/** Notes in the ledger that the credits of cancelled bookings stay spent. */
export async function forfeitCredits(tx: Tx, bookings: readonly Paid[], cause: Cause): Promise<void> {
  await addBookingLines(tx, bookings, { kind: 'forfeit', credits: 0 }, cause)
}

const passIdsOf = (bookings: readonly Paid[]) => [...new Set(bookings.flatMap(({ passId }) => passId ?? []))]

async function addBookingLines(tx: Tx, bookings: readonly Paid[], line: BookingLine, cause: Cause): Promise<void> {
  const paid = bookings.flatMap(({ id, passId }) => (passId === null ? [] : [{ id, passId }]))
  if (paid.length === 0) return
  const inOrder = paid.sort((a, b) => a.passId - b.passId || a.id - b.id)
  await tx
    .insert(creditLedger)
    .values(inOrder.map(({ id, passId }) => lineOf(passId, line, { ...cause, bookingId: id })))
}

/** Notes a no-show in the ledger, or its correction; no credit moves. */
export async function recordAttendance(
  tx: Tx,
  passId: number,
  kind: 'no_show' | 'correction',
  movement: BookingMovement,
): Promise<void> {
  await addBookingLine(tx, passId, { kind, credits: 0 }, movement)
}

async function addBookingLine(tx: Tx, passId: number, line: BookingLine, movement: BookingMovement): Promise<void> {
  await tx
    .insert(creditLedger)
    .values(lineOf(passId, line, movement))
    .prepare('add_booking_line')
    .execute()
}

function lineOf(passId: number, line: BookingLine, { bookingId, causedBy, reason, now }: BookingMovement) {
  return { passId, ...line, bookingId, reason: reason ?? null, ...causeColumns(causedBy), at: now }
}

/**
 * Extends passes, locked by ascending id. Credits left at an earlier expiry stay lost: only those that come back now
 * can be spent. Frozen passes are left out, as they may get their time back.
 */
async function extendPasses(tx: Tx, passIds: number[], until: Temporal.Instant, now: Temporal.Instant): Promise<void> {
  const meant = inArray(passes.id, passIds)
  const short = and(meant, lt(passes.expiresAt, until))
  const ending = await tx.select().from(passes).where(meant).orderBy(asc(passes.id)).for('no key update')
  const lost = ending.filter(
    ({ expiresAt, creditsRemaining, frozenAt }) =>
      Temporal.Instant.compare(expiresAt, now) < 0 && !frozenAt && creditsRemaining > 0,
  )
  if (lost.length > 0) await writeOff(tx, lost, now)
  await tx.update(passes).set({ expiresAt: until }).where(short)
}

/** Writes off the credits of expired (locked) passes. */
export async function writeOff(
  tx: Tx,
  expired: readonly Pick<PassRow, 'id' | 'creditsRemaining'>[],
  now: Temporal.Instant,
): Promise<void> {
  const lines = expired.map((pass) => ({
    passId: pass.id,
    kind: 'expiry' as const,
    credits: -pass.creditsRemaining,
    ...causeColumns({ by: 'system' }),
    at: now,
  }))
  await tx.insert(creditLedger).values(lines)
}

/** The movements of a member's credits, newest first. @param options.namesAdmins only for admins */
export async function ledgerOf(
  reader: Reader,
  userId: string,
  options: { limit?: number; offset?: number; namesAdmins: boolean },
) {
  const found = reader
    .select({ line: creditLedger, package: packages.name, admin: { first: users.firstName, last: users.lastName } })
    .from(creditLedger)
    .innerJoin(passes, eq(passes.id, creditLedger.passId))
    .innerJoin(packages, eq(packages.id, passes.packageId))
    .leftJoin(users, eq(users.id, creditLedger.causedByAdmin))
    .where(eq(passes.userId, userId))
    .orderBy(desc(creditLedger.at), desc(creditLedger.id))
    .$dynamic()
  limitToPage(found, options)
  return (await found).map(({ line, package: held, admin }) => ({
    ...line,
    package: held,
    class: classOf(line),
    causedBy: {
      by: line.causedBy,
      name: options.namesAdmins && admin ? `${admin.first} ${admin.last}`.trim() : null,
    },
  }))
}

function classOf({ classTitle, classDate, classStartTime }: typeof creditLedger.$inferSelect): LedgerLine['class'] {
  if (classTitle === null || classDate === null || classStartTime === null) return null
  return { title: classTitle, date: classDate, startTime: classStartTime }
}
