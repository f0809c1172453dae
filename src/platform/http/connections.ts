import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../limits.ts'

/** Each check wakes the process. */
const MAX_CHECK_MS = 10_000

/** The HTTP server of a Fastify application (its `serverFactory`), with our connection limits. */
export function openServer(
  listener: RequestListener,
  limits: Pick<Limits, 'requestMs' | 'socketMs' | 'socketGraceMs'>,
): Server {
  const { requestMs, socketMs, socketGraceMs } = limits
  const server = createServer(
    {
      requestTimeout: requestMs,
      keepAliveTimeout: requestMs,
      // By default Node allows headers a minute, and checks for late requests every 30 s.
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.min(requestMs, MAX_CHECK_MS),
    },
    listener,
  )
  server.setTimeout(socketMs)
  server.on('connection', readRemoteAddress)
  closeSilentConnections(server, socketGraceMs)
  return server
}

/** A socket reports its peer's address after closing only if it was read before; records need it then. */
const readRemoteAddress = (socket: Socket) => void socket.remoteAddress

/**
 * Closes a connection after its timeout only if nothing moves on it for another `graceMs`. A process that stood still
 * (stopped, swapped out, its machine asleep) finds every timeout expired before it reads or writes anything.
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
