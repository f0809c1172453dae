import { eq } from 'drizzle-orm'
import type { Tx } from '../../platform/database/database.ts'
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

/** What every line about a booking says; its class is filled in by the database. */
export type BookingMovement = {
  bookingId: number
  causedBy: CausedBy
  /** Why, in words that the member reads, where the kind of line does not say it all. */
  reason?: string
  now: Temporal.Instant
}
type BookingLine = Pick<typeof creditLedger.$inferInsert, 'kind' | 'credits'>

/** Pays for a booking with one credit of a locked pass. */
export async function spendCredit(tx: Tx, passId: number, movement: BookingMovement): Promise<void> {
  await addBookingLine(tx, passId, { kind: 'booking', credits: -1 }, movement)
}

/**
 * Gives a booking's credit back to the locked pass that paid.
 *
 * @param movement.validUntil where given, a pass that would expire before is extended to this instant
 */
export async function returnCredit(
  tx: Tx,
  passId: number,
  movement: BookingMovement & { validUntil?: Temporal.Instant },
): Promise<void> {
  if (movement.validUntil) await prolong(tx, passId, movement.validUntil, movement.now)
  await addBookingLine(tx, passId, { kind: 'return', credits: 1 }, movement)
}

/** An admin gives a credit back that the rules had kept, to a locked pass; it is valid at least until `validUntil`. */
export async function returnAsGoodwill(
  tx: Tx,
  passId: number,
  movement: BookingMovement & { reason: string; validUntil: Temporal.Instant },
): Promise<void> {
  await prolong(tx, passId, movement.validUntil, movement.now)
  await addBookingLine(tx, passId, { kind: 'goodwill', credits: 1 }, movement)
}

/** Says in the ledger that a cancelled booking's credit stays spent. */
export async function forfeitCredit(tx: Tx, passId: number, movement: BookingMovement): Promise<void> {
  await addBookingLine(tx, passId, { kind: 'forfeit', credits: 0 }, movement)
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

async function addBookingLine(
  tx: Tx,
  passId: number,
  line: BookingLine,
  { bookingId, causedBy, reason, now }: BookingMovement,
): Promise<void> {
  await tx
    .insert(creditLedger)
    .values({ passId, ...line, bookingId, reason, ...causeColumns(causedBy), at: now })
    .prepare()
    .execute()
}

/**
 * Extends a pass. What it still held when it expired stays lost: only what comes back now can be spent. A frozen one may
 * yet get its time back.
 */
async function prolong(tx: Tx, passId: number, until: Temporal.Instant, now: Temporal.Instant): Promise<void> {
  const [pass] = await tx.select().from(passes).where(eq(passes.id, passId)).for('update')
  if (!pass || Temporal.Instant.compare(pass.expiresAt, until) >= 0) return
  const isOver = Temporal.Instant.compare(pass.expiresAt, now) < 0 && !pass.frozenAt
  if (isOver && pass.creditsRemaining > 0) await writeOff(tx, [pass], now)
  await tx.update(passes).set({ expiresAt: until }).where(eq(passes.id, passId))
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
