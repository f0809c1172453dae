import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../limits.ts'

/** The server that a Fastify application answers (its `serverFactory`): how long connections are kept is said here. */
export function openServer(
  listener: RequestListener,
  limits: Pick<Limits, 'requestMs' | 'socketMs' | 'socketGraceMs'>,
): Server {
  const { requestMs, socketMs, socketGraceMs } = limits
  const server = createServer(
    {
      requestTimeout: requestMs,
      keepAliveTimeout: requestMs,
      // Node looks for requests that are late every 30 s, and lets headers take a minute, unless told otherwise.
      headersTimeout: requestMs,
      connectionsCheckingInterval: 1000,
    },
    listener,
  )
  server.setTimeout(socketMs)
  server.on('connection', noteAddress)
  closeSilentConnections(server, socketGraceMs)
  return server
}

/** A socket says who is at its other end only while it is open, or where it has been asked then: records want it later too. */
const noteAddress = (socket: Socket) => void socket.remoteAddress

/**
 * Closes a connection whose time is up only when nothing moves on it for `graceMs` more. A process that stood still
 * (stopped, swapped out, its machine asleep) finds every time over before it has read what came meanwhile, or has
 * written what it owes: closed at once, who asked then would never be answered.
 */
function closeSilentConnections(server: Server, graceMs: number): void {
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
