import { and, eq, inArray, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { healthQuestionnaires } from '#health/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Consent, maySendMarketing } from '../rules.ts'
import { marketingConsents, marketingObjections } from '../tables.ts'

/** Whether the health form was saved without the tick at the time of the consent given elsewhere, or later. */
const isOverruled = sql`(not ${healthQuestionnaires.marketingConsent}
  and ${healthQuestionnaires.consentedAt} >= ${marketingConsents.agreedAt})`

/**
 * When a member last agreed to news and offers, in the health form or elsewhere; null if they did not, or withdrew it.
 * The query joins `health_questionnaires` and `marketing_consents`.
 */
export const agreedAt = sql<Temporal.Instant | null>`greatest(
  case when ${healthQuestionnaires.marketingConsent} then ${healthQuestionnaires.consentedAt} end,
  case when ${isOverruled} then null else ${marketingConsents.agreedAt} end
)`.mapWith(marketingConsents.agreedAt)

/** A member's consent given outside the health form. `note` says in words where. */
export type MarketingConsent = {
  userId: string
  agreedAt: Temporal.Instant
  source: 'import' | 'dashboard'
  note?: string | null
}

/**
 * Records that a member agreed to news and offers. A later consent on record stays.
 *
 * @returns the consent that it replaced, or null
 */
export async function recordMarketingConsent(tx: Tx, consent: MarketingConsent, now: Temporal.Instant) {
  const { agreedAt: at, source, note = null } = consent
  const values = { agreedAt: at, source, note, recordedAt: now }
  const before = await marketingConsentOf(tx, consent.userId)
  await tx
    .insert(marketingConsents)
    .values({ userId: consent.userId, ...values })
    .onConflictDoUpdate({
      target: marketingConsents.userId,
      set: values,
      setWhere: sql`${marketingConsents.agreedAt} < excluded.agreed_at`,
    })
  return before && Temporal.Instant.compare(before.agreedAt, at) < 0 ? before : null
}

/** Takes back the consents of members that an import recorded at `recordedAt`. Returns whose they were. */
export async function takeBackConsents(tx: Tx, userIds: readonly string[], recordedAt: Temporal.Instant) {
  const isOfImport = and(eq(marketingConsents.source, 'import'), eq(marketingConsents.recordedAt, recordedAt))
  const taken = await tx
    .delete(marketingConsents)
    .where(and(inArray(marketingConsents.userId, [...userIds]), isOfImport))
    .returning({ userId: marketingConsents.userId })
  return new Set(taken.map(({ userId }) => userId))
}

/** The consent that a member gave outside the health form, or null. */
export async function marketingConsentOf(reader: Reader, userId: string) {
  const [row] = await reader.select().from(marketingConsents).where(eq(marketingConsents.userId, userId))
  return row
    ? { agreedAt: row.agreedAt.toString(), source: row.source, note: row.note, recordedAt: row.recordedAt.toString() }
    : null
}

/** When a member agreed to news and offers, and when they objected. */
export async function newsConsentOf(reader: Reader, userId: string): Promise<Consent> {
  const [row] = await reader
    .select({ agreedAt, objectedAt: marketingObjections.objectedAt })
    .from(users)
    .leftJoin(healthQuestionnaires, eq(healthQuestionnaires.userId, users.id))
    .leftJoin(marketingConsents, eq(marketingConsents.userId, users.id))
    .leftJoin(marketingObjections, eq(marketingObjections.userId, users.id))
    .where(eq(users.id, userId))
  return row ?? { agreedAt: null, objectedAt: null }
}

/** The members who may be sent news and offers: when they last agreed, and where, in words. */
export async function newsConsents(
  reader: Reader,
): Promise<Map<string, { agreedAt: Temporal.Instant; where: string }>> {
  const rows = await reader
    .select({
      userId: users.id,
      agreedAt,
      elsewhereAt: marketingConsents.agreedAt,
      note: marketingConsents.note,
      objectedAt: marketingObjections.objectedAt,
    })
    .from(users)
    .leftJoin(healthQuestionnaires, eq(healthQuestionnaires.userId, users.id))
    .leftJoin(marketingConsents, eq(marketingConsents.userId, users.id))
    .leftJoin(marketingObjections, eq(marketingObjections.userId, users.id))
    .where(sql`${agreedAt} is not null`)
  const given = rows.flatMap(({ userId, agreedAt: at, objectedAt, elsewhereAt, note }) => {
    if (!at || !maySendMarketing({ agreedAt: at, objectedAt })) return []
    const isElsewhere = elsewhereAt?.equals(at) ?? false
    return [[userId, { agreedAt: at, where: isElsewhere ? (note ?? 'Dashboard') : 'Health form' }] as const]
  })
  return new Map(given)
}

/** Deletes a consent that a later health form overruled. Call it before erasing the form, or it would count again. */
export async function deleteOverruledConsent(tx: Tx, userId: string): Promise<void> {
  await tx.delete(marketingConsents).where(
    sql`${marketingConsents.userId} = ${userId} and exists (
      select from ${healthQuestionnaires} where ${healthQuestionnaires.userId} = ${userId} and ${isOverruled})`,
  )
}
