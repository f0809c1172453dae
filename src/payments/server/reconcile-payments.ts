import { and, eq, inArray, isNotNull, lt, lte, or, sql } from 'drizzle-orm'
import { today } from '#foundation/instants.ts'
import { inForce, isFormerPriceKept } from '#packages/rules.ts'
import { packages } from '#packages/tables.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { listPence } from '../order-rules.ts'
import { nextPollAt } from '../rules.ts'
import { type PaymentIntentRow, paymentIntents, refunds } from '../tables.ts'
import { endedReservations } from './codes.ts'
import type { Provider } from './provider.ts'
import { sendRefund } from './refunds.ts'
import { syncPayment } from './sync-payment.ts'

/** Payments polled concurrently, and batches per run; the next minute continues. */
const BATCH = 10
const BATCHES = 20
/** A failed poll is retried after this. */
const RETRY_AFTER = { minutes: 15 }
/** A refund is sent from here if its job has not sent it by then. */
const JOB_PATIENCE = { hours: 1 }

/**
 * Polls the payments that are due, since browsers close and webhooks get lost. In batches, each payment less and less
 * often ({@link nextPollAt}); a failure does not hold up the others.
 *
 * @param onError called for each payment that could not be reconciled
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
  await cancelPaymentsAtOldPrices(database, provider, now, onError)
  await sendOverdueRefunds(database, provider, now, onError)
}

async function reconcile(
  database: Database,
  provider: Provider,
  intent: PaymentIntentRow,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<void> {
  try {
    const full = intent.state !== 'open' && intent.state !== 'processing'
    await syncPayment(database, provider, intent.id, now, { full, mayAbandon: true })
  } catch (error) {
    onError(new Error(`payment ${intent.id} could not be reconciled`, { cause: error }))
    await postpone(database, intent, now)
  }
}

/**
 * Cancels open payments at the provider whose price no longer holds: a former price, or one with a code that is not
 * reserved any more. The checkout starts again at the price of now. One that was paid first is honoured.
 */
async function cancelPaymentsAtOldPrices(
  database: Database,
  provider: Provider,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<void> {
  const open = await database.db
    .select({
      id: paymentIntents.id,
      lines: paymentIntents.lines,
      sold: packages,
    })
    .from(paymentIntents)
    .innerJoin(packages, eq(packages.id, paymentIntents.packageId))
    .where(
      and(
        eq(paymentIntents.state, 'open'),
        or(isNotNull(packages.cameIntoForceAt), lte(packages.nextPriceFrom, today(now))),
      ),
    )
  const atOldPrice = open.filter(({ sold, ...payment }) => {
    const { pricePence, cameIntoForceAt } = inForce(sold, now)
    return listPence(payment) !== pricePence && !isFormerPriceKept(cameIntoForceAt, now)
  })
  const ended = await endedReservations(database.db, now)
  for (const id of new Set([...atOldPrice.map((payment) => payment.id), ...ended])) {
    await syncPayment(database, provider, id, now, { full: false, isPriceOver: true }).catch((error) =>
      onError(new Error(`payment ${id}, whose price no longer holds, could not be cancelled`, { cause: error })),
    )
  }
}

/** Takes the payments that are due and postpones them, so that no other process takes them too. */
async function takeDue(database: Database, now: Temporal.Instant): Promise<PaymentIntentRow[]> {
  const due = database.db
    .select({ id: paymentIntents.id })
    .from(paymentIntents)
    .where(lte(paymentIntents.nextPollAt, now))
    .orderBy(paymentIntents.nextPollAt)
    .limit(BATCH)
    .for('update', { skipLocked: true })
  return await database.db
    .update(paymentIntents)
    .set({ nextPollAt: now.add(RETRY_AFTER) })
    .where(and(inArray(paymentIntents.id, due), sql`${paymentIntents.nextPollAt} <= ${now.toString()}`))
    .returning()
}

/** Even a payment that cannot be read is polled less and less often. `unreadSince` is kept for the owner. */
async function postpone(database: Database, intent: PaymentIntentRow, now: Temporal.Instant): Promise<void> {
  const state = intent.state === 'open' || intent.state === 'processing' ? intent.state : 'moving'
  const nextPoll = nextPollAt(state, intent.settledAt ?? intent.createdAt, now) ?? null
  await database.db
    .update(paymentIntents)
    .set({ nextPollAt: nextPoll, unreadSince: sql`coalesce(${paymentIntents.unreadSince}, ${now.toString()})` })
    .where(eq(paymentIntents.id, intent.id))
}

/** Refunds whose job the queue has given up. */
async function sendOverdueRefunds(
  database: Database,
  provider: Provider,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<void> {
  const waiting = await database.db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.status, 'decided'), lt(refunds.createdAt, now.subtract(JOB_PATIENCE))))
    .orderBy(refunds.id)
    .limit(BATCH)
  for (const { id } of waiting) {
    await sendRefund(database, provider, id, now).catch((error) =>
      onError(new Error(`refund ${id} could not be sent`, { cause: error })),
    )
  }
}

/** Makes every payment that is still polled due now: after a restore the provider does not repeat its events. */
export async function schedulePollOfPayments(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(paymentIntents).set({ nextPollAt: now }).where(isNotNull(paymentIntents.nextPollAt))
}

/** Retries every payment that could not be read, now. */
export async function retryUnreadPayments(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(paymentIntents).set({ nextPollAt: now }).where(isNotNull(paymentIntents.unreadSince))
  await tx.enqueue('reconcile-payments', {})
}
