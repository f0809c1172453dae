import { desc, eq } from 'drizzle-orm'
import { studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { recordMarketingConsent, takeBackConsents } from '#mailings/server/mailings.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { importRefusals } from '../contract.ts'
import { importRows, imports } from '../tables.ts'

const LISTED = 10

/** The newest imports first. */
export async function recentImports(reader: Reader, now: Temporal.Instant) {
  const found = await reader.select().from(imports).orderBy(desc(imports.id)).limit(LISTED)
  return found.map((batch) => ({
    ...batch,
    mayTakeBack: !batch.takenBackAt && batch.bookings === 0 && isToday(batch.importedAt, now),
  }))
}

const isToday = (at: Temporal.Instant, now: Temporal.Instant) => studioDate(at).equals(studioDate(now))

/**
 * Locks an import that may be taken back: on its London day, and if it booked nothing.
 *
 * @returns its rows, and when it was imported
 */
export async function importToTakeBack(tx: Tx, id: number, now: Temporal.Instant) {
  const [batch] = await tx.select().from(imports).where(eq(imports.id, id)).for('no key update')
  if (!batch) refuse(importRefusals.import_not_found)
  if (batch.takenBackAt) refuse(importRefusals.already_taken_back)
  if (!isToday(batch.importedAt, now)) refuse(importRefusals.take_back_too_late)
  if (batch.bookings > 0) refuse(importRefusals.import_has_bookings)
  const rows = await tx.select().from(importRows).where(eq(importRows.importId, id)).orderBy(importRows.importedAt)
  return { rows, importedAt: batch.importedAt }
}

/** Takes back the consents to news that an import recorded; those that they replaced count again. */
export async function takeBackImportedConsents(
  tx: Tx,
  { rows, importedAt }: Awaited<ReturnType<typeof importToTakeBack>>,
): Promise<void> {
  const taken = await takeBackConsents(
    tx,
    rows.flatMap(({ userId }) => userId ?? []),
    importedAt,
  )
  for (const { userId, consentBefore: before } of rows) {
    if (!userId || !before || !taken.has(userId)) continue
    const agreedAt = Temporal.Instant.from(before.agreedAt)
    await recordMarketingConsent(tx, { ...before, userId, agreedAt }, Temporal.Instant.from(before.recordedAt))
  }
}

/** Marks an import as taken back. Its rows can be imported again. */
export async function forgetImport(tx: Tx, id: number, now: Temporal.Instant): Promise<void> {
  await tx.delete(importRows).where(eq(importRows.importId, id))
  await tx.update(imports).set({ takenBackAt: now }).where(eq(imports.id, id))
}
