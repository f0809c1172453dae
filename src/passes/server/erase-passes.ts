import { asc, inArray } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { passes } from '../tables.ts'

/** Locks the passes of purchases by ascending id. */
export async function lockPassesOfPurchases(tx: Tx, purchaseIds: number[]): Promise<void> {
  const bought = inArray(passes.purchaseId, purchaseIds)
  await tx.select({ id: passes.id }).from(passes).where(bought).orderBy(asc(passes.id)).for('no key update')
}

/** Detaches (locked) passes from purchases that are erased. */
export async function detachPurchases(tx: Tx, purchaseIds: number[]): Promise<void> {
  await tx.update(passes).set({ purchaseId: null }).where(inArray(passes.purchaseId, purchaseIds))
}

/** Erases members' passes with ledgers and bookings. */
export async function erasePasses(tx: Tx, userIds: string[]): Promise<void> {
  await tx.delete(passes).where(inArray(passes.userId, userIds))
}
