import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

// A starter (as scripts/start.mjs is one) in a process of its own, whose server counts the signals that it gets.

const here = path.join(import.meta.dirname, 'processes.mjs')
const wire = path.join(import.meta.dirname, 'stop-with-parent.mjs')
const SERVER = `
  let signals = 0
  const open = setInterval(() => {}, 1000)
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => {
    console.log(JSON.stringify({ name, signals: ++signals }))
    if (signals === Number(process.env.ENDS_AT ?? 1)) setImmediate(() => setImmediate(() => { clearInterval(open); process.exitCode = 7 }))
  })
  console.log(JSON.stringify({ pid: process.pid }))`
const STARTER = `
  import { run } from ${JSON.stringify(here)}
  const server = ['--import', ${JSON.stringify(wire)}, '--eval', ${JSON.stringify(SERVER)}]
  process.exitCode = await run(process.execPath, server, { server: true })`

async function starter(more: Record<string, string> = {}) {
  const { npm_lifecycle_event: _, ...inherited } = process.env
  const env = { ...inherited, ...more }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', STARTER], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const said = async () => JSON.parse((await lines.next()).value ?? 'null')
  const { pid } = await said()
  return { child, said, pid: pid as number, ended: once(child, 'exit') }
}

test('sends a repeated signal to a server once and returns its exit code', async () => {
  const { child, said, ended } = await starter()
  child.kill('SIGINT')
  child.kill('SIGTERM')
  const [first, second] = [await said(), await said()]
  expect(first.signals).toBe(1)
  expect(second).toBeNull()
  expect(await ended).toEqual([7, null])
})

test('forwards a second Ctrl-C', async () => {
  const { child, said, ended } = await starter({ ENDS_AT: '2' })
  const impatient = setInterval(() => child.kill('SIGINT'), 100)
  expect([(await said()).signals, (await said()).signals]).toEqual([1, 2])
  clearInterval(impatient)
  expect(await ended).toEqual([7, null])
})

test('stops the server when its parent is killed', async () => {
  const { child, said } = await starter()
  child.kill('SIGKILL')
  expect(await said()).toEqual({ name: 'SIGTERM', signals: 1 })
  expect(await said()).toBeNull() // its output closed: it is gone
})
