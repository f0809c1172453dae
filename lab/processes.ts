// npm run lab -- processes: three processes on one database: jobs run once, limits are shared, memory and connections
// are measured.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { initialFacts } from '#studio.ts'
import { brokenInvariants, sample } from '#testing/invariants.ts'
import { check, type OnFinished } from './lib/check.ts'
import { addClasses, addMembers, fill } from './lib/fill.ts'
import { type LiveSite, newSecrets, startLiveSite } from './lib/live-site.ts'
import { type LoadResult, startLoad } from './lib/load.ts'
import { startMailServer } from './lib/mail-server.ts'
import { connected, runSql, startOwnPostgres } from './lib/own-postgres.ts'
import { memoryOf } from './lib/process-usage.ts'
import { lostBookings } from './storm/checks.ts'

const PER_SECOND = 20
const MEMBERS = 200
/** Long enough for two runs of each minutely job. */
const LOAD_MS = 150_000
/** The limits in docs/operations/database.md. */
const MAX_CONNECTIONS: Record<string, number> = {
  studio: 20,
  'studio background': 6,
  'studio jobs': 3,
  'studio watch': 2,
}
/** Failed logins without a wait (accounts/server/sign-in/throttle.ts). */
const FREE_FAILURES = 5
const NIGHTLY = ['back-up', 'tidy-up', 'apply-retention', 'expire-passes', 'mail-attention']
const NAMES = ['first', 'second', 'third']

const print = (sentence: string) => console.log(sentence)

async function measure(onFinished: OnFinished): Promise<string[]> {
  const postgres = await startOwnPostgres()
  onFinished(postgres.stop)
  const arrived = new Map<string, number>()
  const inbox = await startMailServer({
    async onData(stream, _session, done) {
      const id = /^Message-ID: <([^@>]+)/im.exec((await buffer(stream)).toString('latin1'))?.[1] ?? 'none'
      arrived.set(id, (arrived.get(id) ?? 0) + 1)
      done()
    },
  })
  onFinished(inbox.stop)
  const databaseUrl = await postgres.database('processes')
  const secrets = newSecrets()
  const { members, classIds } = await fill(databaseUrl, async (client) => ({
    members: await addMembers(client, MEMBERS, secrets),
    classIds: await addClasses(client, { days: 60, aDay: 20 }),
  }))
  const sites: LiveSite[] = []
  onFinished(() => Promise.all(sites.map((site) => site.stop())))
  const env = { SMTP_URL: inbox.url }
  // All start together: one migrates, the others wait.
  const options = NAMES.map((name) => ({ name, databaseUrl, folder: postgres.folder, secrets, env }))
  sites.push(...(await Promise.all(options.map(startLiveSite))))
  const idle = await Promise.all(sites.map(({ pid }) => memoryOf(pid)))
  // Run nightly jobs every minute; each must still run once.
  await runSql(databaseUrl, `update pgboss.schedule set cron = '* * * * *' where name = any($1)`, [NIGHTLY])

  const load = startLoad({ origins: sites.map(({ origin }) => origin), members, classIds, perSecond: PER_SECOND })
  const most = await watchConnections(LOAD_MS, databaseUrl)
  const busy = await Promise.all(sites.map(({ pid }) => memoryOf(pid)))
  const result = await load.stop()
  print(`responses by status: ${JSON.stringify(result.counts)}`)
  print(`memory of each in MB: ${idle.join(', ')} after the start, ${busy.join(', ')} under load`)
  await runSql(databaseUrl, `update pgboss.schedule set cron = '15 4 * * *' where name = any($1)`, [NIGHTLY])
  await settled(databaseUrl)
  const nights = await filesOfNights(postgres.folder)
  return [
    ...result.faults,
    ...(await connected(databaseUrl, (client) => inconsistencies(client, result))),
    ...findExcessConnections(most),
    ...(await checkScheduledJobs(databaseUrl, nights)),
    ...(await checkEmails(databaseUrl, arrived)),
    ...(await checkSharedLimit(sites)),
  ]
}

/** Contradictions between the database and acknowledged responses, and broken invariants. */
async function inconsistencies(client: pg.Client, { bookings, unknown }: LoadResult): Promise<string[]> {
  const found = [...(await brokenInvariants(client)), ...(await lostBookings(client, bookings))]
  const { rows } = await client.query('select id, user_id, class_id from bookings')
  const isExpected = (row: pg.QueryResultRow) => bookings.has(row.id) || unknown.has(`${row.user_id} ${row.class_id}`)
  const unexpected = rows.filter((row) => !isExpected(row))
  return unexpected.length > 0 ? [...found, `done although refused: ${sample(unexpected)}`] : found
}

/** The highest number of open connections of each kind. */
async function watchConnections(ms: number, url: string): Promise<Map<string, number>> {
  const most = new Map<string, number>()
  const until = performance.now() + ms
  while (performance.now() < until) {
    const { rows } = await runSql(
      url,
      `select application_name as name, count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name like 'studio%' group by 1`,
    )
    for (const { name, open } of rows) most.set(name, Math.max(open, most.get(name) ?? 0))
    await pause(250)
  }
  return most
}

function findExcessConnections(most: Map<string, number>): string[] {
  print(`most connections at once: ${[...most].map(([name, open]) => `${name} ${open}`).join(', ')}`)
  return Object.entries(MAX_CONNECTIONS).flatMap(([name, each]) =>
    (most.get(name) ?? 0) > each * NAMES.length ? [`${name} has ${most.get(name)} connections`] : [],
  )
}

async function filesOfNights(folder: string): Promise<number> {
  const found = await Promise.all(NAMES.map((name) => readdir(join(folder, name, 'backups')).catch(() => [])))
  return found.flat().filter((file) => file.startsWith('night-')).length
}

async function checkScheduledJobs(url: string, files: number): Promise<string[]> {
  const { rows } = await runSql(
    url,
    `select name, count(*)::int as turns, max(jobs)::int as most from (
       select name, date_trunc('minute', created_on) as minute, count(*) as jobs from pgboss.job
        where name in (select name from pgboss.schedule) and singleton_key is null and name not like '\\_\\_%' group by 1, 2) as turn
      group by 1 order by 1`,
  )
  const { rows: backups } = await runSql(url, 'select count(*)::int as made from backups')
  print(
    `scheduled jobs, turns (jobs in a turn): ${rows.map(({ name, turns, most }) => `${name} ${turns} (${most})`).join(', ')}`,
  )
  print(`nightly backups: ${files} files in three folders, ${backups[0].made} in the table`)
  const missing = NIGHTLY.filter((name) => !rows.some((row) => row.name === name))
  return [
    ...rows.filter(({ most }) => most > 1).map(({ name, most }) => `${name} was queued ${most} times in one minute`),
    ...missing.map((name) => `${name} was never queued`),
    ...(files === backups[0].made ? [] : ['a backup was made more than once, or not at all']),
  ]
}

/** Waits until every job is done. */
async function settled(url: string): Promise<void> {
  const open = `select 1 from pgboss.job where state in ('created', 'retry', 'active') and name not like '\\_\\_%'`
  for (let tries = 0; tries < 240 && (await runSql(url, open)).rowCount; tries++) await pause(250)
}

/** @param arrived how often each Message-ID, without its domain, arrived */
async function checkEmails(url: string, arrived: ReadonlyMap<string, number>): Promise<string[]> {
  // The example's owner gets no email on a live site.
  const { rowCount } = await runSql(
    url,
    `select 1 from pgboss.job where name = 'mail' and data #>> '{data,to,email}' <> $1`,
    [initialFacts.ownerEmail],
  )
  const twice = [...arrived.values()].filter((times) => times > 1).length
  print(`${rowCount} emails queued, ${arrived.size} arrived, ${twice} of them more than once`)
  return rowCount === arrived.size && twice === 0 ? [] : ['an email arrived more than once, or not at all']
}

async function checkSharedLimit(sites: readonly LiveSite[]): Promise<string[]> {
  const statuses: number[] = []
  for (let attempt = 0; attempt < FREE_FAILURES + 1; attempt++) {
    const response = await fetch(`${sites[attempt % sites.length]?.origin}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'member-0@people.example', password: 'not the password' }),
    })
    statuses.push(response.status)
  }
  print(`wrong logins, each at the next process: ${statuses.join(', ')}`)
  const expected = [...Array<number>(FREE_FAILURES).fill(401), 429]
  return statuses.join() === expected.join() ? [] : ['failed logins are not counted together']
}

await check(measure, 'All as documented.')
