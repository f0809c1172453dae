import { desc } from 'drizzle-orm'
import type { Database, Reader } from '#platform/database/database.ts'
import { checkoutFindings } from '../rules.ts'
import { checkoutChecks } from '../tables.ts'

const WITHIN_MS = 20_000

/** Fetches the checkout page from the site's public address, as a visitor, and compares it with the inventory. */
export async function checkCheckout(database: Database, appUrl: string, now: Temporal.Instant): Promise<void> {
  const { origin } = new URL(appUrl)
  let findings: string[]
  try {
    const response = await fetch(`${appUrl}/checkout`, { redirect: 'manual', signal: AbortSignal.timeout(WITHIN_MS) })
    findings = response.ok
      ? checkoutFindings(await response.text(), response.headers.get('content-security-policy'), origin)
      : [`The page answered with status ${response.status}.`]
  } catch (error) {
    findings = [`The page could not be fetched: ${error instanceof Error ? error.message : 'unknown'}.`]
  }
  await database.db.insert(checkoutChecks).values({ checkedAt: now, findings })
}

/** The last check. */
export async function lastCheckoutCheck(reader: Reader) {
  const [last] = await reader.select().from(checkoutChecks).orderBy(desc(checkoutChecks.id)).limit(1)
  return last
}
