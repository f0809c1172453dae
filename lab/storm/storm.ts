import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { removeDataDir } from '#testing/cluster-template.ts'
import { withCleanUp } from '../lib/clean-up.ts'
import { connected, runSql } from '../lib/own-postgres.ts'
import { median } from '../lib/rounds.ts'
import { UNSETTLED, violationsIn } from './checks.ts'
import { DemoSite } from './demo-site.ts'
import { type Offer, StormMember } from './member.ts'
import { Witness } from './witness.ts'

const MEMBERS = 24
/** Few enough classes that places run out. */
const CLASSES = 60
/** Kills come within this time after opening; every fifth while still starting. */
const KILL_WITHIN_MS = 4000
const KILL_START_WITHIN_MS = 700
const KILL_WHILE_STARTING = 5
/** Every fourth kill includes PostgreSQL, like a power cut. */
const KILL_DATABASE_TOO = 4
/** Time for webhook, reconciliation and the end of undo. */
const SETTLE_WITHIN_MS = 180_000

export type StormReport = { violations: string[]; lines: string[]; unanswered: number }

/**
 * Members book, cancel and buy while the site is killed repeatedly. After each restart everything that was acknowledged
 * must exist and all invariants must hold.
 */
export async function storm(kills: number, print: (sentence: string) => void): Promise<StormReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'studio-storm-'))
  // Started as root, PostgreSQL runs as another user, who must reach this folder.
  await chmod(dataDir, 0o711)
  const site = await DemoSite.prepare(dataDir)
  let database: Promise<EmbeddedPostgres> | undefined
  const openDatabase = async () => {
    database = startEmbeddedPostgres({ dataDir, print: () => {}, ownerLabel: 'the storm', canShareServer: true })
    return (await database).url
  }
  return await withCleanUp(
    () => runStorm({ site, openDatabase, mailboxDir: join(dataDir, 'mailbox'), kills, print }),
    async () => {
      await site.close()
      // The last owner of the database stops it.
      await (await database?.catch(() => undefined))?.stop()
      await (await startEmbeddedPostgres({ dataDir, print: () => {}, ownerLabel: 'the storm' })).stop()
      await removeDataDir(dataDir)
    },
  )
}

type Scene = {
  site: DemoSite
  /** The URL of the site's database, once the site has it. */
  openDatabase(): Promise<string>
  mailboxDir: string
  kills: number
  print: (sentence: string) => void
}

async function runStorm({ site, openDatabase, mailboxDir, kills, print }: Scene): Promise<StormReport> {
  await site.start()
  await site.stop()
  const undisturbed = (await site.start()) ?? 0
  const databaseUrl = await openDatabase()
  const witness = new Witness()
  const offer = await offerOf(site.origin)
  const members = Array.from(
    { length: MEMBERS },
    (_, place) => new StormMember(site.origin, `Storm${place}`, offer, witness),
  )
  for (const member of members) await member.arrive()

  const gate = new Gate()
  let isOver = false
  const storming = Promise.all(members.map((member) => member.storm(() => isOver, gate)))
  // Errors are thrown where it is awaited, below.
  storming.catch(() => {})
  const violations: string[] = []
  const check = async (when: string) => {
    const found = await connected(databaseUrl, (client) => violationsIn(client, witness, mailboxDir))
    violations.push(...found.map((violation) => `${when}: ${violation}`))
    for (const violation of found) print(`  VIOLATION ${violation}`)
  }

  const ready: number[] = []
  let whileStarting = 0
  let withDatabase = 0
  for (let killed = 1; killed <= kills; killed++) {
    gate.open()
    await Promise.race([pause(Math.random() * KILL_WITHIN_MS), storming])
    gate.shut()
    const database = killed % KILL_DATABASE_TOO === 0 ? await serverProcessOf(databaseUrl) : undefined
    const gone = site.kill()
    if (database) {
      process.kill(database, 'SIGKILL')
      withDatabase++
    }
    await gone
    while (killed < kills && killed % KILL_WHILE_STARTING === 0) {
      const opened = site.start()
      await Promise.race([pause(Math.random() * KILL_START_WITHIN_MS), opened])
      await site.kill()
      killed++
      if ((await opened) === undefined) whileStarting++
    }
    const ms = await site.start()
    if (ms === undefined) throw new Error('The site was killed by another process.')
    ready.push(ms / undisturbed)
    await check(`after kill ${killed}`)
    print(
      `Kill ${killed} of ${kills}: ${witness.bookings.size} bookings and ${witness.purchases.size} purchases acknowledged so far.`,
    )
  }
  gate.open()
  isOver = true
  await storming
  const unsettled = await settled(databaseUrl)
  if (unsettled > 0) violations.push(`at the end: ${unsettled} payments or cancellations were not settled`)
  await check('at the end')
  violations.push(...witness.surprises)
  const { acknowledged, refused, unanswered, paid, purchases } = witness
  const [usual, worst] = [median(ready), Math.max(...ready)].map((ratio) => `${ratio.toFixed(2)} ×`)
  const lines = [
    `acknowledged: ${JSON.stringify(acknowledged)}; refused: ${refused}, lost in a kill: ${unanswered}`,
    `payments confirmed: ${paid.size}, of which purchase-package settled ${purchases.size}, webhook or reconciliation the others`,
    `killed ${kills} times, ${whileStarting} of them while starting, ${withDatabase} together with PostgreSQL`,
    `restart after a kill, compared with an undisturbed start: median ${usual}, worst ${worst}`,
  ]
  return { violations, unanswered, lines }
}

/** Lets members through while the site is up and has been checked. */
class Gate {
  #opened = Promise.withResolvers<void>()
  isOpen = false

  waitUntilOpen(): Promise<void> {
    return this.#opened.promise
  }
  open(): void {
    this.isOpen = true
    this.#opened.resolve()
  }
  shut(): void {
    this.isOpen = false
    this.#opened = Promise.withResolvers<void>()
  }
}

async function offerOf(origin: string): Promise<Offer> {
  const today = Temporal.Now.plainDateISO('Europe/London')
  const span = `from=${today.add({ days: 3 })}&to=${today.add({ days: 40 })}`
  const get = async (path: string) => (await fetch(origin + path)).json()
  const classes = (await get(`/api/classes?${span}`)) as { id: number; availableSpots: number }[]
  const packages = (await get('/api/packages')) as Offer['packages']
  const free = classes.filter(({ availableSpots }) => availableSpots > 0)
  return { classIds: free.slice(0, CLASSES).map(({ id }) => id), packages }
}

/** Waits until every payment is settled and every cancellation final; returns how many are not in the end. */
async function settled(url: string): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const { rows } = await runSql(url, UNSETTLED)
    if (rows.length === 0 || performance.now() - startedAt > SETTLE_WITHIN_MS) return rows.length
    await pause(500)
  }
}

/** The process id of the postmaster. */
async function serverProcessOf(url: string): Promise<number> {
  const { rows } = await runSql(url, 'show data_directory')
  const text = await readFile(join(rows[0].data_directory, 'postmaster.pid'), 'utf8')
  return Number.parseInt(text, 10)
}
