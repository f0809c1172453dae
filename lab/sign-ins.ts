import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Person } from '#testing/person.ts'
import { withCleanUp } from './lib/clean-up.ts'
import { DemoSite } from './storm/demo-site.ts'

const ROUNDS = 5
const PAUSE_MS = 20

type Timing = { status: number; ms: number }

/**
 * `npm run lab -- sign-ins [150]`: members send the right password at the same moment. Measures each sign-in, and
 * another visitor's pages during the sign-ins and without them.
 */
async function main(): Promise<void> {
  const many = Number(process.argv[2] ?? 150)
  const folder = await mkdtemp(join(tmpdir(), 'studio-sign-ins-'))
  const site = await DemoSite.prepare(folder)
  await withCleanUp(
    async () => {
      await site.start()
      const member = new Person(site.origin, 'Mia')
      const form = { email: member.email, password: member.password, firstName: 'Mia', lastName: 'Stranger' }
      await member.request('POST', '/api/register', form)
      await round(site.origin, member, 10)
      const alone = await visit(site.origin, () => pause(3000))
      const rounds: { signIns: Timing[]; others: Timing[] }[] = []
      for (let n = 0; n < ROUNDS; n += 1) {
        rounds.push(await round(site.origin, member, many))
        await pause(2000)
      }
      console.log(
        `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; ${ROUNDS} rounds of ${many} at once`,
      )
      const signIns = rounds.flatMap((one) => one.signIns)
      const responses = Object.entries(Object.groupBy(signIns, ({ status }) => String(status)))
      console.table({
        ...Object.fromEntries(responses.map(([status, some = []]) => [`sign-ins with ${status}`, summary(some)])),
        'another visitor during sign-ins': summary(rounds.flatMap((one) => one.others)),
        'another visitor otherwise': summary(alone),
      })
    },
    async () => {
      await site.stop()
      await rm(folder, { recursive: true, force: true })
    },
  )
}

async function round(origin: string, { email, password }: Person, many: number) {
  let signIns: Timing[] = []
  const others = await visit(origin, async () => {
    const one = () =>
      timed(() => new Person(origin, 'Mia').request('POST', '/api/login', { username: email, password }))
    signIns = await Promise.all(Array.from({ length: many }, one))
  })
  return { signIns, others }
}

/** Timings of a visitor who loads the packages repeatedly until `work` is done. */
async function visit(origin: string, work: () => Promise<unknown>): Promise<Timing[]> {
  const visitor = new Person(origin, 'Vera')
  const seen: Timing[] = []
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    seen.push(await timed(() => visitor.request('GET', '/api/packages')))
    await pause(PAUSE_MS)
  }
  await working
  return seen
}

async function timed(send: () => Promise<{ status: number }>): Promise<Timing> {
  const startedAt = performance.now()
  const { status } = await send()
  return { status, ms: performance.now() - startedAt }
}

function summary(all: readonly Timing[]) {
  const sorted = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)} ms`
  return { responses: all.length, median: at(0.5), '95 %': at(0.95), longest: at(1) }
}

await main()
