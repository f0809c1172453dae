/** For this folder's tests: other connections to a studio's database. */
import { createServer, connect as dial, type Socket } from 'node:net'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'
import { databaseUrl } from '#testing/test-databases.ts'

/** A proxy to the database that can be cut or frozen. */
export async function openDatabaseProxy(databaseUrl: string) {
  const to = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isUp = true
  let isHeld = false
  const line = createServer((socket) => {
    if (!isUp) return socket.resetAndDestroy()
    if (isHeld) {
      sockets.add(socket.on('error', () => {}))
      return
    }
    const there = dial(Number(to.port), to.hostname)
    for (const end of [socket, there]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => sockets.delete(end))
    }
    socket.pipe(there).pipe(socket)
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void line.close())
  const address = line.address()
  if (typeof address !== 'object' || !address) throw new Error('the line is closed')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${address.port}`
  return {
    url: url.href,
    cut() {
      isUp = false
      isHeld = false
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isUp = true
    },
    /** Forwards nothing, and keeps connections open. */
    hold() {
      isHeld = true
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}

/** A connection from outside the studio, past any pooler, for holding locks. */
export async function openSeparateConnection(studio: StudioUnderTest): Promise<pg.Client> {
  const name = new URL(studio.settings.databaseUrl as string).pathname.slice(1)
  const client = new pg.Client({ connectionString: databaseUrl(inject('databaseServer'), name) })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
