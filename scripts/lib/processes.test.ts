import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

// Starts a server as scripts/start.mjs does. The server counts its signals.

const processes = path.join(import.meta.dirname, 'processes.mjs')
const stopWithParent = path.join(import.meta.dirname, 'stop-with-parent.mjs')
const SERVER = `
  let signals = 0
  const open = setInterval(() => {}, 1000)
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => {
    console.log(JSON.stringify({ name, signals: ++signals }))
    if (signals === Number(process.env.ENDS_AT ?? 1)) setImmediate(() => setImmediate(() => { clearInterval(open); process.exitCode = 7 }))
  })
  console.log(JSON.stringify({ pid: process.pid }))`
const STARTER = `
  import { run } from ${JSON.stringify(processes)}
  const server = ['--import', ${JSON.stringify(stopWithParent)}, '--eval', ${JSON.stringify(SERVER)}]
  process.exitCode = await run(process.execPath, server, { server: true })`

async function startServer(more: Record<string, string> = {}) {
  const { npm_lifecycle_event: _, ...inherited } = process.env
  const env = { ...inherited, ...more }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', STARTER], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => JSON.parse((await lines.next()).value ?? 'null')
  const { pid } = await nextLine()
  return { child, nextLine, pid: pid as number, ended: once(child, 'exit') }
}

test('sends a repeated signal to a server once and returns its exit code', async () => {
  const { child, nextLine, ended } = await startServer()
  child.kill('SIGINT')
  child.kill('SIGTERM')
  const [first, second] = [await nextLine(), await nextLine()]
  expect(first.signals).toBe(1)
  expect(second).toBeNull()
  expect(await ended).toEqual([7, null])
})

test('forwards a second Ctrl-C', async () => {
  const { child, nextLine, ended } = await startServer({ ENDS_AT: '2' })
  const interval = setInterval(() => child.kill('SIGINT'), 100)
  expect([(await nextLine()).signals, (await nextLine()).signals]).toEqual([1, 2])
  clearInterval(interval)
  expect(await ended).toEqual([7, null])
})

test('stops the server when its parent is killed', async () => {
  const { child, nextLine } = await startServer()
  child.kill('SIGKILL')
  expect(await nextLine()).toEqual({ name: 'SIGTERM', signals: 1 })
  expect(await nextLine()).toBeNull() // the output is closed
})
