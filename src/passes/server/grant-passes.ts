import type { Tx } from '../../platform/database/database.ts'
import { creditLedger, passes } from '../tables.ts'
import { type CausedBy, causeColumns } from './credits.ts'

export type Grant = { userId: string; packageId: number; credits: number; expiresAt: Temporal.Instant }

/** So many rows a statement: it takes no more than 65,535 values. */
const A_STATEMENT = 1000

/** Gives many members a pass each, without payment: two statements for a thousand. They pay until `expiresAt`. */
export async function grantPasses(
  tx: Tx,
  grants: readonly Grant[],
  { giftedBy, reason }: { giftedBy: CausedBy; reason: string },
  now: Temporal.Instant,
): Promise<void> {
  for (let from = 0; from < grants.length; from += A_STATEMENT) {
    const some = grants.slice(from, from + A_STATEMENT)
    const made = await tx
      .insert(passes)
      .values(some.map(({ credits, ...grant }) => ({ ...grant, creditsTotal: credits, createdAt: now })))
      .returning({ id: passes.id, credits: passes.creditsTotal })
    const cause = causeColumns(giftedBy)
    await tx
      .insert(creditLedger)
      .values(
        made.map(({ id, credits }) => ({ passId: id, kind: 'gift' as const, credits, reason, ...cause, at: now })),
      )
  }
}
