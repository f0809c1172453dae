import { setTimeout as pause } from 'node:timers/promises'
import { BreakablePostgres } from '../lib/breakable-postgres.ts'
import { inconsistencies } from '../lib/consistency.ts'
import { fillWithMembers, type SignedIn } from '../lib/fill.ts'
import { type Inbox, startInbox } from '../lib/inbox.ts'
import { type LiveSite, startLiveSite } from '../lib/live-site.ts'
import { type Load, type LoadResult, startLoad } from '../lib/load.ts'
import { runSql } from '../lib/own-postgres.ts'

const PER_SECOND = 20
const MEMBERS = 200
const BEFORE_MS = 5000
const MAIL_PATIENCE_MS = 180_000

export type Say = (sentence: string) => void

/** A live site with its own PostgreSQL and mail server, under constant load. */
export type Scene = {
  postgres: BreakablePostgres
  site: LiveSite
  inbox: Inbox
  load: Load
  members: readonly SignedIn[]
  classIds: readonly number[]
  print: Say
}

/** The result of a trouble. `unanswered` counts requests to killed processes. */
export type Outcome = { faults: string[]; lines: string[]; unanswered: number }

/**
 * Causes `trouble` under load and then checks whether anything was lost.
 *
 * @param options.disk folder for database and data
 */
export async function runTrouble(
  trouble: (scene: Scene) => Promise<string[]>,
  { print, disk }: { print: Say; disk?: string },
): Promise<Outcome> {
  const onFinished: (() => Promise<unknown>)[] = []
  try {
    const postgres = await BreakablePostgres.start(disk)
    onFinished.unshift(() => postgres.stop())
    const inbox = await startInbox()
    onFinished.unshift(inbox.stop)
    const { secrets, members, classIds } = await fillWithMembers(postgres.url, { members: MEMBERS, days: 60, aDay: 20 })
    const env = { SMTP_URL: inbox.url }
    const site = await startLiveSite({ name: 'site', databaseUrl: postgres.url, folder: postgres.folder, secrets, env })
    onFinished.unshift(site.stop)
    const load = startLoad({ origins: [site.origin], members, classIds, perSecond: PER_SECOND })
    onFinished.unshift(() => load.stop())
    await pause(BEFORE_MS)
    const lines = await trouble({ postgres, site, inbox, load, members, classIds, print })
    const result = await load.stop()
    const faults = [
      ...result.faults,
      ...(await inconsistencies(postgres.url, result)),
      ...(await lateMails(postgres.url, inbox)),
    ]
    const errors = faults.length > 0 ? errorsIn(await site.log()) : []
    return { faults, lines: [result.summary, ...lines, linesOf(result), ...errors], unanswered: result.unanswered }
  } finally {
    for (const close of onFinished) await close()
  }
}

function linesOf({ bookings, later, unknown }: LoadResult): string {
  return `${bookings.size} bookings acknowledged; ${later} responses of 503, ${unknown.size} of them with an unknown outcome`
}

/** Errors in the log, each kind once. */
function errorsIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes('"level":50'))
  return [...new Set(lines.map((line) => line.replace(/^.*?"err":/, 'log: ').slice(0, 400)))].slice(0, 5)
}

/** Waits until the queue is empty; each email must have arrived once. */
async function lateMails(url: string, inbox: Inbox): Promise<string[]> {
  const startedAt = performance.now()
  for (;;) {
    const { rows } = await runSql(url, `select id::text, state::text from pgboss.job where name = 'mail'`)
    const waiting = rows.filter(({ state }) => state !== 'completed')
    if (waiting.length > 0 && performance.now() - startedAt < MAIL_PATIENCE_MS) {
      await runSql(url, `update pgboss.job set start_after = now() where name = 'mail' and state = 'retry'`)
      await pause(500)
      continue
    }
    const missing = rows.filter(({ id }) => !inbox.arrived.has(id)).length
    const twice = [...inbox.arrived.values()].filter((times) => times > 1).length
    return [
      ...(waiting.length > 0 ? [`${waiting.length} emails still wait`] : []),
      ...(missing > 0 ? [`${missing} of ${rows.length} emails never arrived`] : []),
      ...(twice > 0 ? [`${twice} emails arrived more than once`] : []),
    ]
  }
}

/** Seconds from `since` to the last failed request. */
export function recoveryTime({ lastTroubleAt }: LoadResult, since: number): string {
  return lastTroubleAt < since ? '0 s' : `${((lastTroubleAt - since) / 1000).toFixed(1)} s`
}
