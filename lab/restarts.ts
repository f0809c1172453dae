// npm run lab -- restarts [<rounds>]: restarts two processes behind Caddy in turn, under 50 requests a second.
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#platform/database/embedded/cluster.ts'
import { check, type OnFinished } from './lib/check.ts'
import { inconsistencies } from './lib/consistency.ts'
import { fillWithMembers } from './lib/fill.ts'
import { startInbox } from './lib/inbox.ts'
import { type LiveSite, startLiveSite } from './lib/live-site.ts'
import { startLoad } from './lib/load.ts'
import { startOwnPostgres } from './lib/own-postgres.ts'
import { startProxy } from './lib/proxy.ts'

const ROUNDS = 2
const PER_SECOND = 50
const MEMBERS = 200
/** The wait of deploy/rolling-restart.sh until the proxy notices a restarted process. */
const NOTICED_MS = 10_000

const rounds = Number(process.argv[2] ?? ROUNDS)
const print = (sentence: string) => console.log(sentence)

async function restart(onFinished: OnFinished): Promise<string[]> {
  const postgres = await startOwnPostgres()
  onFinished(postgres.stop)
  const inbox = await startInbox()
  onFinished(inbox.stop)
  const databaseUrl = await postgres.database('restarts')
  const { secrets, members, classIds } = await fillWithMembers(databaseUrl, { members: MEMBERS, days: 60, aDay: 20 })
  const sites = new Map<number, LiveSite>()
  onFinished(() => Promise.all([...sites.values()].map((site) => site.stop())))
  const start = async (port: number) => {
    const env = { PORT: String(port), STOP_NOTICE_SECONDS: '5', SMTP_URL: inbox.url }
    const options = { name: `port-${port}`, databaseUrl, folder: postgres.folder, secrets, env }
    sites.set(port, await startLiveSite(options))
  }
  const ports = [await freePort(), await freePort()]
  for (const port of ports) await start(port)
  const proxy = await startProxy(postgres.folder, ports)
  onFinished(proxy.stop)

  const load = startLoad({ origins: [proxy.origin], members, classIds, perSecond: PER_SECOND })
  await pause(NOTICED_MS)
  for (let round = 0; round < rounds; round++) {
    for (const port of ports) {
      const startedAt = performance.now()
      await sites.get(port)?.stop()
      await start(port)
      print(`port ${port} restarted in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
      await pause(NOTICED_MS)
    }
  }
  const result = await load.stop()
  print(`\n${result.summary}`)
  print(`${result.bookings.size} bookings acknowledged, ${rounds * ports.length} restarts, ${result.later} got 503`)
  // Behind a proxy visitors should notice nothing, so a 503 is a failure.
  const later = result.later > 0 ? [`${result.later} got 503`] : []
  return [...result.faults, ...later, ...(await inconsistencies(databaseUrl, result))]
}

await check(restart, 'None failed.')
