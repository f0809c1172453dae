import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

const SERVER = join(import.meta.dirname, 'connections-under-test.ts')
/** Node keeps an idle connection for a second longer than it announces. */
const NODES_MS = 1000

/** A server process, and connections to it. */
async function openServer(limits: { requestMs: number; socketMs: number; graceMs: number }) {
  const child = fork(SERVER, [limits.requestMs, limits.socketMs, limits.graceMs].map(String))
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const { port } = await nextMessage<AddressInfo>(child)
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

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const [message] = await once(child, 'message')
  return message
}

class Line {
  readonly #socket: Socket
  received = ''
  /** How it ended; undefined while it is open. */
  end: string | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.received += chunk
    })
    socket.on('error', (error) => {
      this.end = error.message
    })
    socket.on('close', () => {
      this.end ??= 'closed'
    })
  }

  ask(path: string): void {
    this.received = ''
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`)
  }

  leave(): void {
    this.#socket.destroy()
  }

  async receives(words: string): Promise<void> {
    await expect.poll(() => this.end ?? this.received, { timeout: 60_000 }).toContain(words)
  }
}

test('answers after the process stood still for longer than any limit', async () => {
  const limits = { requestMs: 500, socketMs: 1500, graceMs: 30_000 }
  const { child, open } = await openServer(limits)
  const [kept, waiting] = [await open(), await open()]
  kept.ask('/')
  await kept.receives('answered')
  const requested = nextMessage(child)
  waiting.ask('/later')
  await requested

  child.kill('SIGSTOP')
  kept.ask('/')
  // Every limit of the server expires during this freeze.
  await pause(limits.socketMs + limits.requestMs + NODES_MS)
  child.kill('SIGCONT')
  await kept.receives('answered')
  child.send('go on')
  await waiting.receives('answered later')
})

test('closes an idle connection after its limit and the grace', async () => {
  const { open } = await openServer({ requestMs: 100, socketMs: 100, graceMs: 100 })
  const [silent, kept] = [await open(), await open()]
  kept.ask('/')
  await kept.receives('answered')
  await expect.poll(() => [silent.end, kept.end], { timeout: 60_000 }).toEqual(['closed', 'closed'])
})

test('keeps the client’s address after it disconnected, for the records', async () => {
  const { child, open } = await openServer({ requestMs: 60_000, socketMs: 60_000, graceMs: 60_000 })
  const line = await open()
  const requested = nextMessage(child)
  line.ask('/who')
  await requested
  const known = nextMessage(child)
  line.leave()
  expect(await known).toEqual({ address: '127.0.0.1' })
})
