import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { BareResponse } from '../drivers/bare-server.ts'
import { type Bench, openSite } from '../lib/bench.ts'
import { addBookings, addClasses, addMembers, FIRST_DAY, type SignedIn } from '../lib/fill.ts'
import type { LiveSite } from '../lib/live-site.ts'
import { cpuMsOf } from '../lib/process-usage.ts'
import { alternate, median, THOROUGH } from '../lib/rounds.ts'
import { startSender } from '../lib/sender.ts'
import { type Cost, costOf } from '../lib/table.ts'

/** Lowest rate compared with a bare server. */
const MIN_RATE_TO_BARE = 0.5
const AT_ONCE = 8
const PER_ROUND = 4000
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }
/** Headers that node:http writes. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive']

/** Processor time for one page of a member. */
const MAX_MEMBER_PAGE_MS = 15
const WARM_UP = 300
const ROUNDS = 9
const PAGES_PER_ROUND = 60

/**
 * Compares a public page's rate with a bare node:http that sends the same bytes, and measures a member's page, with its
 * API reads and compression, in milliseconds of processor time.
 */
export async function measurePageCost(bench: Bench): Promise<Cost[]> {
  await using site = await openSite(bench, {
    name: 'page_cost',
    async fillWith(client, secrets) {
      const [member] = await addMembers(client, 2, secrets)
      await addClasses(client, { days: 14, aDay: 8 })
      await addBookings(client)
      return member as SignedIn
    },
  })
  const costs: Cost[] = []
  for (const path of ['/', '/pricing']) {
    bench.print(`Requesting ${path}, from the site and from node:http.`)
    costs.push(...(await publicPage(site, path)))
  }
  for (const path of [`/booking?date=${FIRST_DAY}`, '/dashboard']) {
    bench.print(`Requesting ${path} for a member.`)
    costs.push(await memberPage(site, path, site.filled))
  }
  return costs
}

type Server = { origin: string; pid: number }

async function publicPage(site: LiveSite, path: string): Promise<Cost[]> {
  await using stack = new AsyncDisposableStack()
  const bare = stack.use(await startBareServer(await answerOf(site.origin + path)))
  const begin = async ({ origin, pid }: Server) => {
    const sender = stack.use(await startSender())
    const requests = [{ method: 'GET', path, headers: HEADERS }]
    const sending = { origins: [origin], requests, atOnce: AT_ONCE, statuses: [200], times: PER_ROUND }
    const micros: number[] = []
    const round = async () => {
      const before = await cpuMsOf(pid)
      const { ms } = await sender.run(sending)
      micros.push((((await cpuMsOf(pid)) - before) / PER_ROUND) * 1000)
      return ms
    }
    return { round, micros }
  }
  const [bareSide, siteSide] = [await begin(bare), await begin(site)]
  const comparison = await alternate(THOROUGH, bareSide.round, siteSide.round)
  const spent = ({ micros }: typeof siteSide) => `${median(micros).toFixed(0)} µs`
  return [
    costOf(`${path}: its rate compared with a bare node:http`, comparison, { atLeast: MIN_RATE_TO_BARE }),
    { what: `${path}: processor time`, cost: `${spent(siteSide)} (bare ${spent(bareSide)})`, limit: '', isKept: true },
  ]
}

/** Not with `fetch`, which decompresses the body. */
async function answerOf(url: string): Promise<BareResponse> {
  const sent = request(url, { headers: HEADERS })
  sent.end()
  const [response] = await once(sent, 'response')
  const body = await buffer(response)
  if (response.statusCode !== 200 || response.headers['content-encoding'] !== 'br')
    throw new Error(`${url} returned ${response.statusCode}, ${response.headers['content-encoding']}`)
  const headers = Object.entries<string>(response.headers).filter(([name]) => !OWN_HEADERS.includes(name))
  return { headers: Object.fromEntries(headers), body: body.toString('base64') }
}

async function startBareServer(response: BareResponse): Promise<Server & AsyncDisposable> {
  const child = fork(join(import.meta.dirname, '../drivers/bare-server.ts'))
  const exited = once(child, 'exit')
  child.send(response)
  const [port] = await once(child, 'message')
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await exited
    },
  }
}

async function memberPage({ origin, pid }: LiveSite, path: string, { cookie }: SignedIn): Promise<Cost> {
  const get = async () => {
    const response = await fetch(origin + path, { headers: { ...HEADERS, cookie } })
    const html = await response.text()
    // The title of a class is there only with the page's first data.
    if (response.status !== 200 || !html.includes('Reformer Pilates Duo'))
      throw new Error(`${path} returned ${response.status}, or without its data`)
  }
  for (let i = 0; i < WARM_UP; i++) await get()
  const rounds: number[] = []
  while (rounds.length < ROUNDS) {
    const before = await cpuMsOf(pid)
    for (let i = 0; i < PAGES_PER_ROUND; i++) await get()
    rounds.push(((await cpuMsOf(pid)) - before) / PAGES_PER_ROUND)
  }
  const [middle, least, most] = [median(rounds), Math.min(...rounds), Math.max(...rounds)].map((ms) => ms.toFixed(1))
  return {
    what: `${path.split('?')[0]}: processor time, rendered for a member`,
    cost: `${middle} ms (${ROUNDS} rounds: ${least} to ${most})`,
    limit: `at most ${MAX_MEMBER_PAGE_MS} ms`,
    isKept: Number(middle) <= MAX_MEMBER_PAGE_MS,
  }
}
