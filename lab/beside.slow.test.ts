import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const HOURS = ['09:00', '09:45', '10:30', '11:15']

/** The two requests of Easy!Appointments' booking page. It books each time once. */
async function openStandIn() {
  const booked: string[] = []
  const asked = new Set<string>()
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const respond = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const date = form.get('selected_date')
    if (request.url === '/index.php/booking/get_available_hours' && date) {
      asked.add(`${form.get('service_id')} ${form.get('provider_id')} ${date}`)
      return respond(HOURS.filter((hour) => !booked.includes(`${date} ${hour}:00`)))
    }
    const start = form.get('post_data[appointment][start_datetime]')
    if (request.url === '/index.php/booking/register' && start && !booked.includes(start)) {
      return respond({ appointment_id: booked.push(start) })
    }
    response.statusCode = 400
    return respond({ success: false, message: 'The stand-in does not know this request.' })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, booked, asked }
}

const beside = (...args: string[]) =>
  run(process.execPath, ['lab/run.mjs', 'beside', ...args], { cwd: join(import.meta.dirname, '..') })

// The first may have to build the pages.
test('beside reads a week and books in both sites, in pairs, and prints both times and their ratio', {
  timeout: 600_000,
}, async () => {
  const peer = await openStandIn()
  const { stdout } = await beside(peer.origin, '--service', '3', '--provider', '4')
  const line = (what: string) =>
    expect.stringMatching(
      new RegExp(`^${what}: ours \\d+\\.\\d ms, Easy!Appointments \\d+\\.\\d ms; theirs / ours \\d+\\.\\d$`),
    )
  expect(stdout.trim().split('\n').slice(-2)).toEqual([line('freeTimes'), line('book')])
  expect(peer.booked.length).toBeGreaterThan(5)
  expect([...peer.asked].filter((each) => each.startsWith('3 4 ')).length).toBeGreaterThanOrEqual(7)
})

test('beside says what the other site answered when it does not book', async () => {
  const peer = await openStandIn()
  peer.booked.push = () => 0
  await expect(beside(peer.origin)).rejects.toMatchObject({
    stderr: expect.stringContaining('Easy!Appointments did not book: {"appointment_id":0}'),
  })
})
