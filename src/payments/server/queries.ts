import { and, count, desc, eq, lte } from 'drizzle-orm'
import { passes } from '../../passes/tables.ts'
import type { Reader, Tx } from '../../server/database/database.ts'
import { type PaymentIntentRow, paymentIntents, purchases } from '../tables.ts'

/** A member's payment of a package that is still open, the newest. */
export async function openIntentOf(
  reader: Reader,
  userId: string,
  packageId: number,
): Promise<PaymentIntentRow | undefined> {
  const [row] = await reader
    .select()
    .from(paymentIntents)
    .where(
      and(eq(paymentIntents.userId, userId), eq(paymentIntents.packageId, packageId), eq(paymentIntents.state, 'open')),
    )
    .orderBy(desc(paymentIntents.createdAt))
    .limit(1)
  return row
}

/** How often a member has begun to pay for a package. */
export async function attemptsOf(reader: Reader, userId: string, packageId: number): Promise<number> {
  const [row] = await reader
    .select({ attempts: count() })
    .from(paymentIntents)
    .where(and(eq(paymentIntents.userId, userId), eq(paymentIntents.packageId, packageId)))
  return row?.attempts ?? 0
}

/** A payment by the provider's id. */
export async function findIntent(reader: Reader, id: string): Promise<PaymentIntentRow | undefined> {
  const [row] = await reader.select().from(paymentIntents).where(eq(paymentIntents.id, id))
  return row
}

/** Locks a payment until the transaction ends. */
export async function intentForUpdate(tx: Tx, id: string): Promise<PaymentIntentRow | undefined> {
  const [row] = await tx.select().from(paymentIntents).where(eq(paymentIntents.id, id)).for('update')
  return row
}

/** The pass that a payment became. */
export async function passIdOfIntent(reader: Reader, intentId: string): Promise<number | undefined> {
  const [row] = await reader
    .select({ id: passes.id })
    .from(passes)
    .innerJoin(purchases, eq(purchases.id, passes.purchaseId))
    .where(eq(purchases.paymentIntentId, intentId))
  return row?.id
}

/** Payments left open that began at `before` or earlier, the newest first: those are the likeliest to have been paid. */
export async function intentsLeftOpen(reader: Reader, before: Temporal.Instant): Promise<PaymentIntentRow[]> {
  return await reader
    .select()
    .from(paymentIntents)
    .where(and(eq(paymentIntents.state, 'open'), lte(paymentIntents.createdAt, before)))
    .orderBy(desc(paymentIntents.createdAt))
}
