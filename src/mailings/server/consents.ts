import { eq, sql } from 'drizzle-orm'
import { healthQuestionnaires } from '#health/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { marketingConsents } from '../tables.ts'

/**
 * When a member last agreed to news and offers, in the health form or elsewhere; null if they did not, or withdrew it. The
 * query joins `health_questionnaires` and `marketing_consents`.
 */
export const agreedAt = sql<Temporal.Instant | null>`greatest(
  case when ${healthQuestionnaires.marketingConsent} then ${healthQuestionnaires.consentedAt} end,
  ${marketingConsents.agreedAt}
)`.mapWith(marketingConsents.agreedAt)

/** A member's consent given outside the health form. `note` says in words where. */
export type MarketingConsent = {
  userId: string
  agreedAt: Temporal.Instant
  source: 'import' | 'dashboard'
  note?: string | null
}

/** Records that a member agreed to news and offers. A later consent on record stays. */
export async function recordMarketingConsent(tx: Tx, consent: MarketingConsent, now: Temporal.Instant): Promise<void> {
  const { agreedAt: at, source, note = null } = consent
  const values = { agreedAt: at, source, note, recordedAt: now }
  await tx
    .insert(marketingConsents)
    .values({ userId: consent.userId, ...values })
    .onConflictDoUpdate({
      target: marketingConsents.userId,
      set: values,
      setWhere: sql`${marketingConsents.agreedAt} < excluded.agreed_at`,
    })
}

/** The consent that a member gave outside the health form, or null. */
export async function marketingConsentOf(reader: Reader, userId: string) {
  const [row] = await reader.select().from(marketingConsents).where(eq(marketingConsents.userId, userId))
  return row ? { agreedAt: row.agreedAt.toString(), source: row.source, note: row.note } : null
}
