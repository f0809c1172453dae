import { count, gte, lt, max, min, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Clock } from '#foundation/instants.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { CSP_REPORTS } from '#platform/http/security-headers.ts'
import { timedRoute } from '#platform/http/time-limit.ts'
import { BEHIND_LOGIN } from '#site-map.ts'
import { cspReports } from '../tables.ts'

/** Reports kept in an hour from all networks together. Our choice. */
const KEPT_AN_HOUR = 1000
const KEPT_DAYS = 7
/** This many reports of one kind within an hour need the owner's attention. */
const ALARMING_REPORTS = 10
const MAX_BODY_BYTES = 10 * 1024

const Report = z.object({
  'csp-report': z.object({
    'document-uri': z.string(),
    'blocked-uri': z.string(),
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
  }),
})

type Violation = { page: string; directive: string; blocked: string }

/**
 * What a browser's report says, without anything about the visitor: the page's path, the directive, and the origin of
 * what was blocked. Undefined if it is no report, of another page, or caused by a browser extension.
 */
export function violationOf(body: unknown): Violation | undefined {
  const report = Report.safeParse(body).data?.['csp-report']
  const page = URL.parse(report?.['document-uri'] ?? '')?.pathname
  if (!report || !page || !(BEHIND_LOGIN as readonly string[]).includes(page)) return undefined
  // Older browsers send the whole directive with its sources.
  const [directive = ''] = (report['effective-directive'] ?? report['violated-directive'] ?? '').split(' ')
  const blocked = blockedSource(report['blocked-uri'])
  if (!/^[a-z-]{1,50}$/.test(directive) || !blocked) return undefined
  return { page, directive, blocked }
}

/** `inline`, `eval`, or a scheme such as `data`. */
const WORD = /^[a-z-]{1,30}$/

function blockedSource(blocked: string): string | undefined {
  if (WORD.test(blocked)) return blocked
  const url = URL.parse(blocked)
  if (!url || /-extension:$/.test(url.protocol)) return undefined
  if (url.host !== '') return `${url.protocol}//${url.host}`.slice(0, 200)
  const scheme = url.protocol.slice(0, -1)
  return WORD.test(scheme) ? scheme : undefined
}

/** Receives reports from browsers. Always answers 204, because browsers ignore the answer. */
export async function cspReportRoute(
  app: FastifyInstance,
  options: { database: Database; clock: Clock; mayReport: (address: string) => Promise<boolean> },
): Promise<void> {
  const { database, clock, mayReport } = options
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/csp-report',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      scope.getDefaultJsonParser('error', 'error'),
    )
    timedRoute(scope, 'POST', CSP_REPORTS, { schema: { hide: true } }, async (request, reply) => {
      reply.code(204)
      const violation = violationOf(request.body)
      if (violation && (await mayReport(request.ip)))
        await database.transaction((tx) => keepReport(tx, violation, clock.now()))
    })
  })
}

async function keepReport(tx: Tx, { page, directive, blocked }: Violation, now: Temporal.Instant): Promise<void> {
  const since = now.subtract({ hours: 1 }).toString()
  await tx.execute(sql`
    insert into csp_reports (at, page, directive, blocked)
    select ${now.toString()}::timestamptz, ${page}, ${directive}, ${blocked}
    where (select count(*) from csp_reports where at > ${since}) < ${KEPT_AN_HOUR}
  `)
}

export type FrequentViolation = Violation & { reports: number; since: Temporal.Instant | null }

/** Kinds of violations reported ten times within an hour, at any time in the last seven days. */
export async function frequentViolations(reader: Reader): Promise<FrequentViolation[]> {
  const { page, directive, blocked, at } = cspReports
  const counted = reader
    .select({
      page,
      directive,
      blocked,
      at,
      withinHour: sql<number>`count(*) over (
        partition by ${page}, ${directive}, ${blocked} order by ${at}
        range between interval '1 hour' preceding and current row
      )`.as('within_hour'),
    })
    .from(cspReports)
    .as('counted')
  return await reader
    .select({
      page: counted.page,
      directive: counted.directive,
      blocked: counted.blocked,
      reports: count(),
      since: min(counted.at),
    })
    .from(counted)
    .groupBy(counted.page, counted.directive, counted.blocked)
    .having(gte(max(counted.withinHour), ALARMING_REPORTS))
    .orderBy(counted.page, counted.directive, counted.blocked)
}

export async function deleteOldCspReports(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(cspReports).where(lt(cspReports.at, now.subtract({ hours: 24 * KEPT_DAYS })))
}
