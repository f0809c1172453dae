import { and, asc, desc, eq, inArray, lt } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { packages } from '#packages/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { paged } from '#platform/database/paging.ts'
import type { LedgerLine } from '../contract.ts'
import { creditLedger, type PassRow, passes } from '../tables.ts'

/**
 * Who moves a credit: the member who holds the pass, an admin, the studio's own jobs and waiting lists, or the card
 * provider.
 */
export type CausedBy = { by: 'member' } | { by: 'admin'; id: string } | { by: 'system' } | { by: 'provider' }

/** The member themself, or an admin who acts for them. */
export function actingFor(memberId: string, caller: { id: string }): CausedBy {
  return caller.id === memberId ? { by: 'member' } : { by: 'admin', id: caller.id }
}

/** What the ledger's columns say of a cause. */
export function causeColumns(causedBy: CausedBy) {
  return { causedBy: causedBy.by, causedByAdmin: causedBy.by === 'admin' ? causedBy.id : null }
}

/** What every line about a booking says beside which it is; its class is filled in by the database. */
export type Cause = {
  causedBy: CausedBy
  /** Why, in words that the member reads, where the kind of line does not say it all. */
  reason?: string
  now: Temporal.Instant
}
type BookingMovement = Cause & { bookingId: number }
/** A booking and the pass that paid for it. */
type Paid = { id: number; passId: number }
type BookingLine = Pick<typeof creditLedger.$inferInsert, 'kind' | 'credits'>

/** Pays for a booking with one credit of a locked pass. */
export async function spendCredit(tx: Tx, passId: number, movement: BookingMovement): Promise<void> {
  await addBookingLine(tx, passId, { kind: 'booking', credits: -1 }, movement)
}

/**
 * Gives the credits of bookings back to the passes that paid: so many statements for one as for many. Passes that are not
 * locked yet are locked by ascending id.
 *
 * @param cause.validUntil where given, a pass that would expire before is extended to this instant
 */
export async function returnCredits(
  tx: Tx,
  bookings: readonly Paid[],
  { validUntil, ...cause }: Cause & { validUntil?: Temporal.Instant },
): Promise<void> {
  if (bookings.length === 0) return
  if (validUntil) await prolong(tx, passIdsOf(bookings), validUntil, cause.now)
  await addBookingLines(tx, bookings, { kind: 'return', credits: 1 }, cause)
}

/** Gives back credits that the rules had kept, to locked passes; these are valid at least until `validUntil`. */
export async function returnAsGoodwill(
  tx: Tx,
  bookings: readonly Paid[],
  { validUntil, ...cause }: Cause & { reason: string; validUntil: Temporal.Instant },
): Promise<void> {
  if (bookings.length === 0) return
  await prolong(tx, passIdsOf(bookings), validUntil, cause.now)
  await addBookingLines(tx, bookings, { kind: 'goodwill', credits: 1 }, cause)
}

/**
 * Takes the credits of bookings whose cancellation is undone from the (locked) passes again. To a pass that has ended no
 * credit had come back, so one is added for each first.
 */
export async function spendCreditsAgain(
  tx: Tx,
  bookings: readonly Paid[],
  endedPasses: ReadonlySet<number>,
  cause: Cause & { reason: string },
): Promise<void> {
  const { now, causedBy, reason } = cause
  const added = bookings.filter(({ passId }) => endedPasses.has(passId))
  if (added.length > 0) {
    const line = { kind: 'correction' as const, credits: 1, reason, ...causeColumns(causedBy), at: now }
    await tx.insert(creditLedger).values(added.map(({ passId }) => ({ passId, ...line })))
  }
  await addBookingLines(tx, bookings, { kind: 'booking', credits: -1 }, cause)
}

/** Takes back the extension of (locked) passes, where nothing else has changed it since. */
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

/** Records in the ledger that the credits of cancelled bookings stay spent. */
export async function forfeitCredits(tx: Tx, bookings: readonly Paid[], cause: Cause): Promise<void> {
  await addBookingLines(tx, bookings, { kind: 'forfeit', credits: 0 }, cause)
}

const passIdsOf = (bookings: readonly Paid[]) => [...new Set(bookings.map(({ passId }) => passId))]

async function addBookingLines(tx: Tx, bookings: readonly Paid[], line: BookingLine, cause: Cause): Promise<void> {
  if (bookings.length === 0) return
  const inOrder = bookings.toSorted((a, b) => a.passId - b.passId || a.id - b.id)
  await tx
    .insert(creditLedger)
    .values(inOrder.map(({ id, passId }) => lineOf(passId, line, { ...cause, bookingId: id })))
}

/** Says in the ledger that the member did not come, or (`correction`) that they did after all; no credit moves. */
export async function recordAttendance(
  tx: Tx,
  passId: number,
  kind: 'no_show' | 'correction',
  movement: BookingMovement,
): Promise<void> {
  await addBookingLine(tx, passId, { kind, credits: 0 }, movement)
}

async function addBookingLine(tx: Tx, passId: number, line: BookingLine, movement: BookingMovement): Promise<void> {
  await tx.insert(creditLedger).values(lineOf(passId, line, movement))
}

function lineOf(passId: number, line: BookingLine, { bookingId, causedBy, reason, now }: BookingMovement) {
  return { passId, ...line, bookingId, reason, ...causeColumns(causedBy), at: now }
}

/**
 * Extends passes, locked by ascending id. What one still held when it expired stays lost: only what comes back now can be
 * spent. A frozen one may yet get its time back.
 */
async function prolong(tx: Tx, passIds: number[], until: Temporal.Instant, now: Temporal.Instant): Promise<void> {
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

/** Writes off what expired (locked) passes still hold, a line each. */
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

/**
 * The movements of a member's credits, the newest first.
 *
 * @param options.namesAdmins whether an admin who caused a line is named: to admins, not to members
 */
export async function ledgerOf(
  reader: Reader,
  userId: string,
  options: { limit?: number; offset?: number; namesAdmins: boolean },
): Promise<LedgerLine[]> {
  const found = reader
    .select({ line: creditLedger, package: packages.name, admin: { first: users.firstName, last: users.lastName } })
    .from(creditLedger)
    .innerJoin(passes, eq(passes.id, creditLedger.passId))
    .innerJoin(packages, eq(packages.id, passes.packageId))
    .leftJoin(users, eq(users.id, creditLedger.causedByAdmin))
    .where(eq(passes.userId, userId))
    .orderBy(desc(creditLedger.at), desc(creditLedger.id))
    .$dynamic()
  paged(found, options)
  return (await found).map(({ line, package: held, admin }) => ({
    id: line.id,
    kind: line.kind,
    credits: line.credits,
    passId: line.passId,
    package: held,
    bookingId: line.bookingId,
    class: classOf(line),
    causedBy: line.causedBy && {
      by: line.causedBy,
      name: options.namesAdmins && admin ? `${admin.first} ${admin.last}`.trim() : null,
    },
    reason: line.reason,
    at: line.at.toString(),
  }))
}

function classOf({ classTitle, classDate, classStartTime }: typeof creditLedger.$inferSelect): LedgerLine['class'] {
  if (classTitle === null || classDate === null || classStartTime === null) return null
  return { title: classTitle, date: classDate, startTime: classStartTime }
}
