import { and, eq, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { Database, Tx } from '#platform/database/database.ts'
import { nextLookAt } from '../rules.ts'
import { type PaymentIntentRow, paymentIntents, refunds } from '../tables.ts'
import type { Provider } from './provider.ts'
import { sendRefund } from './refunds.ts'
import { syncPayment } from './sync-payment.ts'

/** Payments asked about at the same time, and batches in one run: the next minute goes on. */
const BATCH = 10
const BATCHES = 20
/** How long one that could not be asked about rests. */
const RESTS = { minutes: 15 }
/** How long the job that sends a refund has before we send it ourselves. */
const PATIENCE = { hours: 1 }

/**
 * Asks the provider about payments whose turn it is: the browser may have closed and webhooks may have missed us.
 * Taken in batches, each with its next turn further away ({@link nextLookAt}) and at last none. One that fails keeps
 * nobody waiting and rests for a while.
 *
 * @param onError told about each payment that could not be brought up to date
 */
export async function reconcilePayments(
  database: Database,
  provider: Provider,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const due = await takeDue(database, now)
    await Promise.all(due.map((intent) => reconcile(database, provider, intent, now, onError)))
    if (due.length < BATCH) break
  }
  await sendForgotten(database, provider, now, onError)
}

async function reconcile(
  database: Database,
  provider: Provider,
  intent: PaymentIntentRow,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<void> {
  try {
    const whole = intent.state !== 'open' && intent.state !== 'processing'
    await syncPayment(database, provider, intent.id, now, { whole, mayAbandon: true })
  } catch (error) {
    onError(new Error(`payment ${intent.id} could not be reconciled`, { cause: error }))
    await putOff(database, intent, now)
  }
}

/** Takes the payments whose turn it is; until they are asked about they rest, so that no other process takes them too. */
async function takeDue(database: Database, now: Temporal.Instant): Promise<PaymentIntentRow[]> {
  const due = database.db
    .select({ id: paymentIntents.id })
    .from(paymentIntents)
    .where(lte(paymentIntents.nextLookAt, now))
    .orderBy(paymentIntents.nextLookAt)
    .limit(BATCH)
    .for('update', { skipLocked: true })
  return await database.db
    .update(paymentIntents)
    .set({ nextLookAt: now.add(RESTS) })
    .where(and(inArray(paymentIntents.id, due), sql`${paymentIntents.nextLookAt} <= ${now.toString()}`))
    .returning()
}

/** Even one that cannot be asked about has its last turn; since when it cannot is kept for the owner. */
async function putOff(database: Database, intent: PaymentIntentRow, now: Temporal.Instant): Promise<void> {
  const asked = intent.state === 'open' || intent.state === 'processing' ? intent.state : 'moving'
  const nextLook = nextLookAt(asked, intent.settledAt ?? intent.createdAt, now) ?? null
  await database.db
    .update(paymentIntents)
    .set({ nextLookAt: nextLook, unreadSince: sql`coalesce(${paymentIntents.unreadSince}, ${now.toString()})` })
    .where(eq(paymentIntents.id, intent.id))
}

/** Refunds whose job is lost: given up by the queue, or queued by an older version. */
async function sendForgotten(
  database: Database,
  provider: Provider,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<void> {
  const waiting = await database.db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.status, 'decided'), lt(refunds.createdAt, now.subtract(PATIENCE))))
    .orderBy(refunds.id)
    .limit(BATCH)
  for (const { id } of waiting) {
    await sendRefund(database, provider, id, now).catch((error) =>
      onError(new Error(`refund ${id} could not be sent`, { cause: error })),
    )
  }
}

/**
 * Asks about every payment that may still move at the next turn of the reconciliation: the database was restored to an
 * earlier moment, and the provider will not tell again what it has told since.
 */
export async function lookAgainAtPayments(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(paymentIntents).set({ nextLookAt: now }).where(isNotNull(paymentIntents.nextLookAt))
}

/** Asks now about every payment that the provider could not be asked about. */
export async function readPaymentsAgain(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(paymentIntents).set({ nextLookAt: now }).where(isNotNull(paymentIntents.unreadSince))
  await tx.enqueue('reconcile-payments', {})
}
