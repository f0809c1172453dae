import { and, asc, inArray, isNull, notInArray } from 'drizzle-orm'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { expiryOf, type LEDGER_KINDS } from '../rules.ts'
import { creditLedger, type PassRow, passes } from '../tables.ts'
import { type CausedBy, causeColumns } from './credits.ts'

type GrantCause =
  | { purchaseId: number; soldBy: CausedBy }
  | { giftedBy: CausedBy; reason?: string }
  /** The purchase of the voucher; null once that is erased. */
  | { voucherOf: number | null }

type Origin = {
  kind: 'purchase' | 'gift' | 'voucher'
  purchaseId: number | null
  causedBy: CausedBy
  reason: string | null
}

function originOf(cause: GrantCause): Origin {
  if ('giftedBy' in cause) {
    return { kind: 'gift', purchaseId: null, causedBy: cause.giftedBy, reason: cause.reason || null }
  }
  if ('voucherOf' in cause) {
    return { kind: 'voucher', purchaseId: cause.voucherOf, causedBy: { by: 'member' }, reason: null }
  }
  return { kind: 'purchase', purchaseId: cause.purchaseId, causedBy: cause.soldBy, reason: null }
}

/** Gives a member a pass with credits, bought or gifted. */
export async function grantPass(
  tx: Tx,
  grant: {
    userId: string
    packageId: number
    credits: number
    validityMonths: number
    cause: GrantCause
  },
  now: Temporal.Instant,
): Promise<PassRow> {
  const { kind, purchaseId, causedBy, reason } = originOf(grant.cause)
  const pass = await tx
    .insert(passes)
    .values({
      userId: grant.userId,
      packageId: grant.packageId,
      purchaseId,
      creditsTotal: grant.credits,
      expiresAt: expiryOf(now, grant.validityMonths),
      createdAt: now,
    })
    .returning()
    .then(onlyRow)
  const line = { passId: pass.id, kind, credits: grant.credits, reason, ...causeColumns(causedBy), at: now }
  await tx.insert(creditLedger).values(line)
  return { ...pass, creditsRemaining: grant.credits }
}

export type Grant = { userId: string; packageId: number; credits: number; expiresAt: Temporal.Instant }

/** Rows per statement: PostgreSQL takes at most 65,535 values. */
const BATCH = 1000

/** Gives many members a pass each, without payment. Returns the passes' ids in the order of the grants. */
export async function grantPasses(
  tx: Tx,
  grants: readonly Grant[],
  { giftedBy, reason }: { giftedBy: CausedBy; reason: string },
  now: Temporal.Instant,
): Promise<number[]> {
  const ids: number[] = []
  for (let from = 0; from < grants.length; from += BATCH) {
    const some = grants.slice(from, from + BATCH)
    const made = await tx
      .insert(passes)
      .values(some.map(({ credits, ...grant }) => ({ ...grant, creditsTotal: credits, createdAt: now })))
      .returning({ id: passes.id, credits: passes.creditsTotal })
    ids.push(...made.map(({ id }) => id))
    const cause = causeColumns(giftedBy)
    await tx
      .insert(creditLedger)
      .values(
        made.map(({ id, credits }) => ({ passId: id, kind: 'gift' as const, credits, reason, ...cause, at: now })),
      )
  }
  return ids
}

const UNUSED_KINDS: (typeof LEDGER_KINDS)[number][] = ['gift', 'correction', 'pause', 'resume', 'extension']

/** Locks passes by ascending id. `isUsed`: anything but the gift and the studio's own changes has changed it. */
export async function giftedPassesForUpdate(tx: Tx, ids: readonly number[]) {
  const locked = await tx
    .select()
    .from(passes)
    .where(inArray(passes.id, [...ids]))
    .orderBy(asc(passes.id))
    .for('no key update')
  const moved = await tx
    .selectDistinct({ passId: creditLedger.passId })
    .from(creditLedger)
    .where(and(inArray(creditLedger.passId, [...ids]), notInArray(creditLedger.kind, UNUSED_KINDS)))
  const used = new Set(moved.map(({ passId }) => passId))
  return locked.map((pass) => ({ ...pass, isUsed: used.has(pass.id) }))
}

/** Voids (locked) passes, with a correction line each. */
export async function voidPasses(
  tx: Tx,
  voided: readonly PassRow[],
  { admin, reason, now }: { admin: { id: string }; reason: string; now: Temporal.Instant },
): Promise<void> {
  const cause = causeColumns({ by: 'admin', id: admin.id })
  const lines = voided
    .filter(({ creditsRemaining }) => creditsRemaining > 0)
    .map(({ id, creditsRemaining }) => {
      return { passId: id, kind: 'correction' as const, credits: -creditsRemaining, reason, ...cause, at: now }
    })
  for (let from = 0; from < lines.length; from += BATCH) {
    await tx.insert(creditLedger).values(lines.slice(from, from + BATCH))
  }
  const ids = voided.map(({ id }) => id)
  await tx
    .update(passes)
    .set({ voidedAt: now })
    .where(and(inArray(passes.id, ids), isNull(passes.voidedAt)))
}
