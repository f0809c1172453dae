import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

const SERVER = join(import.meta.dirname, 'connections-under-test.ts')
/** Node keeps an idle connection for a second more than it says. */
const NODES_MS = 1000

/** A server in a process of its own, and connections to it. */
async function openServer(limits: { requestMs: number; socketMs: number; graceMs: number }) {
  const child = fork(SERVER, [limits.requestMs, limits.socketMs, limits.graceMs].map(String))
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const { port } = await told<AddressInfo>(child)
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => {
      socket.destroy()
    })
    await once(socket, 'connect')
    return new Line(socket)
  }
  return { child, open }
}

async function told<Message>(child: ChildProcess): Promise<Message> {
  const [message] = await once(child, 'message')
  return message
}

/** One connection, and what came over it. */
class Line {
  readonly #socket: Socket
  heard = ''
  /** How it ended; undefined while it is open. */
  end: string | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.heard += chunk
    })
    socket.on('error', (error) => {
      this.end = error.message
    })
    socket.on('close', () => {
      this.end ??= 'closed'
    })
  }

  ask(path: string): void {
    this.heard = ''
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`)
  }

  leave(): void {
    this.#socket.destroy()
  }

  async hears(words: string): Promise<void> {
    await expect.poll(() => this.end ?? this.heard, { timeout: 60_000 }).toContain(words)
  }
}

test('answers after the process stood still for longer than any limit', async () => {
  const limits = { requestMs: 500, socketMs: 1500, graceMs: 30_000 }
  const { child, open } = await openServer(limits)
  const [kept, waiting] = [await open(), await open()]
  kept.ask('/')
  await kept.hears('answered')
  const asked = told(child)
  waiting.ask('/later')
  await asked

  child.kill('SIGSTOP')
  kept.ask('/')
  // The freeze itself: every limit of the server runs out in it.
  await pause(limits.socketMs + limits.requestMs + NODES_MS)
  child.kill('SIGCONT')
  await kept.hears('answered')
  child.send('go on')
  await waiting.hears('answered later')
})

test('closes an idle connection after its limit and the grace', async () => {
  const { open } = await openServer({ requestMs: 100, socketMs: 100, graceMs: 100 })
  const [silent, kept] = [await open(), await open()]
  kept.ask('/')
  await kept.hears('answered')
  await expect.poll(() => [silent.end, kept.end], { timeout: 60_000 }).toEqual(['closed', 'closed'])
})

test('keeps the client’s address after it disconnected, for the records', async () => {
  const { child, open } = await openServer({ requestMs: 60_000, socketMs: 60_000, graceMs: 60_000 })
  const line = await open()
  const asked = told(child)
  line.ask('/who')
  await asked
  const known = told(child)
  line.leave()
  expect(await known).toEqual({ address: '127.0.0.1' })
})
