import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { GetSetup, Gets } from '../drivers/get.ts'
import { startDriver } from '../lib/driver.ts'
import type { LiveSite } from '../lib/live-site.ts'
import { cpuMsOf } from '../lib/process-usage.ts'
import { alternate, median, THOROUGH } from '../lib/rounds.ts'
import { type Cost, costOf } from '../lib/table.ts'
import type { BareAnswer } from './bare-server.ts'

/** Of the rate of a server that does nothing else, the least. */
const RATE_BESIDE_BARE = 0.6
const AT_ONCE = 8
const A_ROUND = 4000
/** As browsers ask. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }
/** What node:http writes by itself. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive']

type Server = { origin: string; pid: number }

/**
 * How many requests for a public page the site answers, its log included, beside a bare node:http that sends the same bytes
 * and headers; and what a request costs both of processor time, which says the same where others use the machine as well.
 */
export async function measurePublicPage(site: LiveSite, path: string): Promise<Cost[]> {
  await using stack = new AsyncDisposableStack()
  const bare = stack.use(await startBareServer(await answerOf(site.origin + path)))
  const begin = async ({ origin, pid }: Server) => {
    const setup = { origin, path, headers: HEADERS, atOnce: AT_ONCE }
    const driver = stack.use(await startDriver<GetSetup, Gets>('get', setup))
    const micros: number[] = []
    const round = async () => {
      const before = await cpuMsOf(pid)
      const ms = await driver.run({ times: A_ROUND })
      micros.push((((await cpuMsOf(pid)) - before) / A_ROUND) * 1000)
      return ms
    }
    return { round, micros }
  }
  const [beside, here] = [await begin(bare), await begin(site)]
  const comparison = await alternate(THOROUGH, beside.round, here.round)
  const spent = ({ micros }: typeof here) => `${median(micros).toFixed(0)} µs`
  return [
    costOf(`${path}: its rate beside a bare node:http`, comparison, { atLeast: RATE_BESIDE_BARE }),
    { what: `${path}: processor time`, cost: `${spent(here)} (bare ${spent(beside)})`, limit: '', isKept: true },
  ]
}

/** Not by `fetch`, which unpacks the body. */
async function answerOf(url: string): Promise<BareAnswer> {
  const asked = request(url, { headers: HEADERS })
  asked.end()
  const [response] = await once(asked, 'response')
  const body = await buffer(response)
  if (response.statusCode !== 200 || response.headers['content-encoding'] !== 'br')
    throw new Error(`${url} was answered with ${response.statusCode}, ${response.headers['content-encoding']}`)
  const headers = Object.entries<string>(response.headers).filter(([name]) => !OWN_HEADERS.includes(name))
  return { headers: Object.fromEntries(headers), body: body.toString('base64') }
}

async function startBareServer(answer: BareAnswer): Promise<Server & AsyncDisposable> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'))
  const gone = once(child, 'exit')
  child.send(answer)
  const [port] = await once(child, 'message')
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await gone
    },
  }
}
