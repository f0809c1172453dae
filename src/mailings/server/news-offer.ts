import { eq, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { takenPlaces } from '#booking/tables.ts'
import { recordMarketingConsentInForm } from '#health/server/health.ts'
import { healthQuestionnaires } from '#health/tables.ts'
import { newsletterSubscribers } from '#messages/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { NEWS_OFFER } from '../rules.ts'
import { marketingConsents, marketingObjections, newsOffers } from '../tables.ts'
import { agreedAt, recordMarketingConsent } from './consents.ts'

/** Whether to offer a member news: once, after the first booking, unless subscribed, objecting or unreachable. */
export async function isNewsOffered(reader: Reader, userId: string): Promise<boolean> {
  const [row] = await reader
    .select({ id: users.id })
    .from(users)
    .leftJoin(healthQuestionnaires, eq(healthQuestionnaires.userId, users.id))
    .leftJoin(marketingConsents, eq(marketingConsents.userId, users.id))
    .where(
      sql`${users.id} = ${userId} and ${users.email} is not null and not ${users.isAdmin} and not ${users.isTeacher}
        and ${users.blockedAt} is null and ${agreedAt} is null
        and exists (select from ${takenPlaces} where ${takenPlaces.userId} = ${users.id})
        and not exists (select from ${marketingObjections} where ${marketingObjections.userId} = ${users.id})
        and not exists (select from ${newsOffers} where ${newsOffers.userId} = ${users.id})
        and not exists (select from ${newsletterSubscribers} where lower(${newsletterSubscribers.email}) = lower(${users.email}))`,
    )
  return row !== undefined
}

/** Records a member's answer, after which news is not offered again. The health form then shows the tick. */
export async function answerNewsOffer(
  tx: Tx,
  { id: userId }: { id: string },
  { wantsNews }: { wantsNews: boolean },
  now: Temporal.Instant,
): Promise<void> {
  await tx.insert(newsOffers).values({ userId, answeredAt: now }).onConflictDoNothing()
  if (!wantsNews) return
  await recordMarketingConsent(tx, { userId, agreedAt: now, source: 'dashboard', note: NEWS_OFFER }, now)
  await recordMarketingConsentInForm(tx, userId, true)
}

/** When a member answered the offer, or null. */
export async function newsOfferAnsweredAt(reader: Reader, userId: string): Promise<Temporal.Instant | null> {
  const [row] = await reader.select().from(newsOffers).where(eq(newsOffers.userId, userId))
  return row?.answeredAt ?? null
}
