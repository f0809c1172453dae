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
import type { BareResponse } from './bare-server.ts'

/** Lowest rate compared with a bare server. */
const MIN_RATE_TO_BARE = 0.5
const AT_ONCE = 8
const PER_ROUND = 4000
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }
/** Headers that node:http writes. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive']

type Server = { origin: string; pid: number }

/**
 * Compares the rate of a public page, logging included, with a bare node:http that sends the same bytes and headers,
 * and measures the processor time of both.
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
      const ms = await driver.run({ times: PER_ROUND })
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
  const child = fork(join(import.meta.dirname, 'bare-server.ts'))
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
