import { setTimeout as pause } from 'node:timers/promises'
import { BreakablePostgres } from '../lib/breakable-postgres.ts'
import { fillWithMembers, type SignedIn } from '../lib/fill.ts'
import { type Inbox, startInbox } from '../lib/inbox.ts'
import { type LiveSite, startLiveSite } from '../lib/live-site.ts'
import { type Heard, type Load, startLoad } from '../lib/load.ts'
import { runSql } from '../lib/own-postgres.ts'
import { untruths } from '../lib/truth.ts'

const PER_SECOND = 20
const MEMBERS = 200
const BEFORE_MS = 5000
/** However long a queue waits before it tries again; none waits longer in these scenes. */
const MAIL_PATIENCE_MS = 180_000

export type Say = (sentence: string) => void

/** One live site on a PostgreSQL of its own, whose mails come in here, and members who come whatever happens. */
export type Scene = {
  postgres: BreakablePostgres
  site: LiveSite
  inbox: Inbox
  load: Load
  members: readonly SignedIn[]
  classIds: readonly number[]
  say: Say
}

/** What came of a trouble. Who was not answered is a fault, but for whoever asked a process that was killed then. */
export type Told = { faults: string[]; lines: string[]; unanswered: number }

/**
 * Opens a scene, lets `trouble` happen in it while members come, and looks afterwards whether anything was lost.
 *
 * @param options.disk the folder on whose disk database and data lie
 */
export async function inScene(
  trouble: (scene: Scene) => Promise<string[]>,
  { say, disk }: { say: Say; disk?: string },
): Promise<Told> {
  const toClose: (() => Promise<unknown>)[] = []
  try {
    const postgres = await BreakablePostgres.start(disk)
    toClose.unshift(() => postgres.stop())
    const inbox = await startInbox()
    toClose.unshift(inbox.stop)
    const { secrets, members, classIds } = await fillWithMembers(postgres.url, { members: MEMBERS, days: 60, aDay: 20 })
    const env = { SMTP_URL: inbox.url }
    const site = await startLiveSite({ name: 'site', databaseUrl: postgres.url, folder: postgres.folder, secrets, env })
    toClose.unshift(site.stop)
    const load = startLoad({ origins: [site.origin], members, classIds, perSecond: PER_SECOND })
    toClose.unshift(() => load.stop())
    await pause(BEFORE_MS)
    const lines = await trouble({ postgres, site, inbox, load, members, classIds, say })
    const heard = await load.stop()
    const faults = [
      ...heard.faults,
      ...(await untruths(postgres.url, heard)),
      ...(await lateMails(postgres.url, inbox)),
    ]
    const errors = faults.length > 0 ? errorsIn(await site.said()) : []
    return { faults, lines: [heard.summary, ...lines, linesOf(heard), ...errors], unanswered: heard.unanswered }
  } finally {
    for (const close of toClose) await close()
  }
}

function linesOf({ bookings, later, unknown }: Heard): string {
  return `${bookings.size} bookings acknowledged; ${later} told to come again later, ${unknown.size} of them that it may have been done`
}

/** What the site itself said of its faults, each kind once. */
function errorsIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes('"level":50'))
  return [...new Set(lines.map((line) => line.replace(/^.*?"err":/, 'it said: ').slice(0, 400)))].slice(0, 5)
}

/** Waits until the queue is empty; whatever was owed then must have come, each mail once. */
async function lateMails(url: string, inbox: Inbox): Promise<string[]> {
  const begun = performance.now()
  for (;;) {
    const { rows } = await runSql(url, `select id::text, state::text from pgboss.job where name = 'mail'`)
    const waiting = rows.filter(({ state }) => state !== 'completed')
    if (waiting.length > 0 && performance.now() - begun < MAIL_PATIENCE_MS) {
      await runSql(url, `update pgboss.job set start_after = now() where name = 'mail' and state = 'retry'`)
      await pause(500)
      continue
    }
    const missing = rows.filter(({ id }) => !inbox.came.has(id)).length
    const twice = [...inbox.came.values()].filter((times) => times > 1).length
    return [
      ...(waiting.length > 0 ? [`${waiting.length} mails still wait`] : []),
      ...(missing > 0 ? [`${missing} of ${rows.length} mails never came`] : []),
      ...(twice > 0 ? [`${twice} mails came more than once`] : []),
    ]
  }
}

/** How long after something the last visitor was turned away, or not answered. */
export function secondsOfTrouble({ lastTroubleAt }: Heard, since: number): string {
  return lastTroubleAt < since ? '0 s' : `${((lastTroubleAt - since) / 1000).toFixed(1)} s`
}
