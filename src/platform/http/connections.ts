import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../limits.ts'

/** How long a connection is kept: Fastify's own settings. {@link closeSilentConnections} belongs to them. */
export function connectionSettings({ requestMs, socketMs }: Pick<Limits, 'requestMs' | 'socketMs'>) {
  return {
    requestTimeout: requestMs,
    connectionTimeout: socketMs,
    keepAliveTimeout: requestMs,
    // Node looks for requests that are late every 30 s, and lets headers take a minute, unless told otherwise.
    http: { headersTimeout: requestMs, connectionsCheckingInterval: 1000 },
  }
}

/**
 * Closes a connection whose time is up only when nothing moves on it for `graceMs` more. A process that stood still
 * (stopped, swapped out, its machine asleep) finds every time over before it has read what came meanwhile, or has
 * written what it owes: closed at once, who asked then would never be answered.
 */
export function closeSilentConnections(server: Server, graceMs: number): void {
  const moved = new WeakMap<Socket, number>()
  server.on('timeout', (socket: Socket) => {
    const bytes = socket.bytesRead + socket.bytesWritten
    if (moved.get(socket) === bytes) {
      socket.destroy()
      return
    }
    moved.set(socket, bytes)
    socket.setTimeout(graceMs)
  })
}
