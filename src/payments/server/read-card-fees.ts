import { inArray, sql } from 'drizzle-orm'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import type { BalanceChange, ProviderPayout } from '../provider-state.ts'
import { balanceChanges, paymentIntents, payouts } from '../tables.ts'
import type { Provider } from './provider.ts'

/** The balance is read in spans of this length, each stored before the next, so that a failure leaves no gap. */
const SPAN = { hours: 30 * 24 }
/** Lines and payouts of this time are read again: clocks differ, and a paid payout may still fail. */
const AGAIN = { changes: { hours: 3 * 24 }, payouts: { hours: 14 * 24 } }

/** Reads the card fees and payouts since the last time from the provider. It may run twice, also at the same time. */
export async function readCardFees(database: Database, provider: Provider, now: Temporal.Instant): Promise<void> {
  const { db } = database
  const [read] = await db
    .select({
      firstPayment: sql<string | null>`(select min(${paymentIntents.createdAt})::text from ${paymentIntents})`,
      lastChange: sql<string | null>`(select max(${balanceChanges.madeAt})::text from ${balanceChanges})`,
    })
    .from(sql`(select) as one_row`)
  const last = read?.lastChange ?? read?.firstPayment
  if (!last) return
  const first = Temporal.Instant.from(last).subtract(AGAIN.changes)
  for (let from = first; Temporal.Instant.compare(from, now) <= 0; from = from.add(SPAN)) {
    const changes = await provider.balanceChanges(from, from.add(SPAN))
    await database.transaction((tx) => saveChanges(tx, changes, null))
  }
  await readPayouts(database, provider, first)
}

async function readPayouts(database: Database, provider: Provider, first: Temporal.Instant): Promise<void> {
  for (const payout of await provider.payouts(await payoutsToReadSince(database.db, first))) {
    const isRead = await database.db.$count(payouts, sql`${payouts.id} = ${payout.id} and ${payouts.isItemised}`)
    const lines = isRead || payout.lines === 'never' ? [] : await provider.linesOfPayout(payout.id)
    await database.transaction(async (tx) => {
      await savePayout(tx, payout)
      await saveChanges(tx, lines, payout.id)
    })
  }
}

/** Since the oldest payout that is still under way or without its lines; at least {@link AGAIN}. */
async function payoutsToReadSince(reader: Reader, first: Temporal.Instant): Promise<Temporal.Instant> {
  const isOpen = sql`not ${payouts.isItemised} or ${payouts.status} in ('pending', 'in_transit')`
  const [found] = await reader
    .select({
      at: sql<
        string | null
      >`least(min(${payouts.createdAt}) filter (where ${isOpen}), max(${payouts.createdAt}))::text`,
    })
    .from(payouts)
  return found?.at ? Temporal.Instant.from(found.at).subtract(AGAIN.payouts) : first
}

async function savePayout(tx: Tx, { lines, ...payout }: ProviderPayout): Promise<void> {
  const row = { ...payout, isItemised: lines !== 'incomplete' }
  await tx.insert(payouts).values(row).onConflictDoUpdate({ target: payouts.id, set: row })
}

/** Stores new lines. @param payoutId what brought them to the bank; null if that is not known */
async function saveChanges(tx: Tx, changes: readonly BalanceChange[], payoutId: string | null): Promise<void> {
  if (changes.length === 0) return
  const named = changes.flatMap(({ paymentIntentId }) => paymentIntentId ?? [])
  const ours = await tx.select({ id: paymentIntents.id }).from(paymentIntents).where(inArray(paymentIntents.id, named))
  const known = new Set(ours.map(({ id }) => id))
  // By id, so that two runs at the same time do not deadlock.
  const rows = changes
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ paymentIntentId: id, ...change }) => ({
      ...change,
      paymentIntentId: id !== null && known.has(id) ? id : null,
      payoutId,
    }))
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await tx
      .insert(balanceChanges)
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .onConflictDoUpdate({
        target: balanceChanges.id,
        set: { payoutId: sql`coalesce(excluded.payout_id, ${balanceChanges.payoutId})` },
      })
  }
}

/** PostgreSQL takes 65,535 values in a statement. */
const ROWS_AT_ONCE = 1000
