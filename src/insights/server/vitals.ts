import { gte, lt, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { listVitals, type PageVitals, reportVitals, type VitalsReport } from '../contract-vitals.ts'
import { vitals } from '../tables.ts'

/** Reports kept in an hour from all networks together. Our choice. */
const KEPT_AN_HOUR = 2000
const KEPT = { hours: 28 * 24 }

/** @param options.mayReport counts a browser's report; false if its network has reached the limit */
export function vitalsRoutes(
  http: Http,
  options: {
    /** Accepts only pages of this site, so that nobody fills the table with other text. */
    isPage: (path: string) => boolean
    mayReport: (address: string) => Promise<boolean>
  },
): void {
  const { isPage, mayReport } = options
  serve(http, reportVitals, async ({ db, now, body, request }) => {
    if (isPage(body.page) && (await mayReport(request.ip))) await keepVitals(db, body, now)
    return { message: 'Thank you' }
  })
  serve(http, listVitals, ({ db, now }) => pageVitals(db, now))
}

async function keepVitals(db: Reader, { page, metrics }: VitalsReport, now: Temporal.Instant): Promise<void> {
  const kept = await db.$count(vitals, gte(vitals.at, now.subtract({ hours: 1 })))
  if (kept >= KEPT_AN_HOUR) return
  const rows = new Map(metrics.map(({ name, value }) => [name, { at: now, page, metric: name, value }]))
  await db.insert(vitals).values([...rows.values()])
}

/** Each page's 75th percentiles, the most visited first. */
export async function pageVitals(reader: Reader, now: Temporal.Instant): Promise<PageVitals[]> {
  const p75 = (metric: 'LCP' | 'INP' | 'CLS') =>
    sql<
      number | null
    >`percentile_cont(0.75) within group (order by ${vitals.value}) filter (where ${vitals.metric} = ${metric})`
  const visits = sql<number>`count(*) filter (where ${vitals.metric} = 'LCP')::int`
  return await reader
    .select({ page: vitals.page, visits, LCP: p75('LCP'), INP: p75('INP'), CLS: p75('CLS') })
    .from(vitals)
    .where(gte(vitals.at, now.subtract(KEPT)))
    .groupBy(vitals.page)
    .orderBy(sql`${visits} desc`, vitals.page)
}

export async function deleteOldVitals(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(vitals).where(lt(vitals.at, now.subtract(KEPT)))
}
