import { availableParallelism } from 'node:os'
import { hashPassword } from '#accounts/server/sign-in/passwords.ts'
import { type Bench, type FilledSite, openSite } from '../lib/bench.ts'
import { addClasses, addMembers, FIRST_DAY, type SignedIn } from '../lib/fill.ts'
import { startLiveSite } from '../lib/live-site.ts'
import { memoryOf } from '../lib/process-usage.ts'
import { nearestRank } from '../lib/rounds.ts'
import { bookingsOf, type Request, startSender } from '../lib/sender.ts'
import type { Cost } from '../lib/table.ts'

const MEMBERS = 200
const PASSWORD = 'a bench of oak and linen'
const AT_ONCE = { writes: 32, reads: 8, signIns: 8 }
const MANY = { bookings: 1500, oneClass: 1000, lists: 1000, pages: 5000, signIns: 60, warmUp: 300 }
/** The first day of the listed week. */
const LISTED = FIRST_DAY.subtract({ weeks: 1 })
/** Requests for a full class, or for one the member has booked, are refused. */
const BOOKED = [201]
const BOOKED_OR_REFUSED = [201, 400, 409]

type Filled = { members: SignedIn[]; classIds: number[] }

/**
 * Measures the whole site at 1, 2 and 4 processes on one PostgreSQL, as far as the machine has cores: bookings, week
 * lists, sign-ins, pages and memory.
 */
export async function measureLoad(bench: Bench): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const processes of [1, 2, 4].filter((count) => count <= Math.max(1, availableParallelism()))) {
    costs.push(...(await measure(bench, processes, undefined)))
    if (bench.against) costs.push(...(await measure(bench, processes, bench.against)))
  }
  return costs
}

async function measure(bench: Bench, processes: number, checkout: string | undefined): Promise<Cost[]> {
  await using started = new AsyncDisposableStack()
  const name = `load_${processes}${checkout ? '_before' : ''}`
  const passwordHash = await hashPassword(PASSWORD)
  const first = started.use(
    await openSite<Filled>(bench, {
      name,
      checkout,
      async fillWith(client, secrets) {
        const members = await addMembers(client, MEMBERS, secrets)
        await client.query('update users set password_hash = $1', [passwordHash])
        // The week that is listed: as full as a studio's can be.
        await addClasses(client, { days: 7, aDay: 14, from: LISTED.toString() })
        return { members, classIds: await addClasses(client, { days: 60, aDay: 60 }) }
      },
    }),
  )
  const sites = [first, ...(await startMore(bench, first, { processes, name, checkout }))]
  for (const site of sites.slice(1)) started.defer(site.stop)
  const origins = sites.map(({ origin }) => origin)
  const label = `${processes} ${processes === 1 ? 'process' : 'processes'}${checkout ? ', before' : ''}`
  const costs: Cost[] = []
  const send = async (what: string, atOnce: number, requests: Request[], statuses: number[]) => {
    bench.print(`${label}: ${what}.`)
    await using sender = await startSender()
    const { ms, each } = await sender.run({ origins, requests, atOnce, statuses })
    if (what === WARM_UP) return
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => nearestRank(each, share).toFixed(1))
    costs.push({
      what: `${label}: ${what}`,
      cost: `${(requests.length / (ms / 1000)).toFixed(0)} a second; ${p50} / ${p95} / ${p99} ms`,
      limit: '',
      isKept: true,
    })
  }
  await sendAll(first.filled, send)
  const memory = await Promise.all(sites.map(({ pid }) => memoryOf(pid)))
  costs.push({ what: `${label}: memory of each`, cost: `${memory.join(', ')} MB`, limit: '', isKept: true })
  return costs
}

const WARM_UP = 'warming up'

async function sendAll(
  { members, classIds }: Filled,
  send: (what: string, atOnce: number, requests: Request[], statuses: number[]) => Promise<void>,
): Promise<void> {
  const bookings = (count: number) => bookingsOf(members, classIds.splice(0, count))
  const [last = 0] = classIds.splice(-1)
  const [from, to] = [LISTED.toString(), LISTED.add({ days: 6 }).toString()]
  const list: Request = { method: 'GET', path: `/api/classes?from=${from}&to=${to}` }
  await send(WARM_UP, AT_ONCE.writes, bookings(MANY.warmUp), BOOKED)
  await send('bookings of many classes', AT_ONCE.writes, bookings(MANY.bookings), BOOKED)
  const oneClass = bookingsOf(members, Array<number>(MANY.oneClass).fill(last))
  await send('requests for one class, two of which succeed', AT_ONCE.writes, oneClass, BOOKED_OR_REFUSED)
  await send('week lists', AT_ONCE.reads, Array(MANY.lists).fill(list), [200])
  await send('pages', AT_ONCE.reads, pages(), [200])
  const signIns = members.slice(0, MANY.signIns).map(({ email }): Request => {
    return { method: 'POST', path: '/api/login', body: { username: email, password: PASSWORD } }
  })
  await send('sign-ins', AT_ONCE.signIns, signIns, [200])
}

const pages = () =>
  Array<Request>(MANY.pages).fill({ method: 'GET', path: '/', headers: { 'accept-encoding': 'gzip, deflate, br' } })

async function startMore(
  { postgres }: Bench,
  { databaseUrl, secrets }: FilledSite<Filled>,
  { processes, name, checkout }: { processes: number; name: string; checkout: string | undefined },
) {
  return await Promise.all(
    Array.from({ length: processes - 1 }, (_, place) =>
      startLiveSite({ name: `${name}_${place + 2}`, databaseUrl, folder: postgres.folder, secrets, checkout }),
    ),
  )
}
