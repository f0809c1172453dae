import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * A keep-alive connection that sends prepared requests and parses as little of the responses as possible, so that the
 * client costs little.
 */
export type Connection = {
  /** Returns the status. */
  send(request: Buffer): Promise<number>
  close(): void
}

export async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let waiting: { resolve(status: number): void; reject(error: Error): void } | undefined
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const status = statusOfCompleteResponse(received)
    if (status === undefined) return
    received = Buffer.alloc(0)
    waiting?.resolve(status)
  })
  onSocketClosed(socket, (error) => waiting?.reject(error))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

function onSocketClosed(socket: Socket, report: (error: Error) => void) {
  socket.on('error', report)
  socket.on('close', () => report(new Error('the connection was closed')))
}

/** The status once head and body have arrived; undefined before. */
function statusOfCompleteResponse(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`a response without a length:\n${head}`)
  return received.length >= headEnd + 4 + Number(length) ? Number(head.slice(9, 12)) : undefined
}

/** The bytes of a request; a body is sent as JSON. */
export function requestBytes(
  origin: string,
  options: {
    method: string
    path: string
    cookie?: string | undefined
    headers?: Record<string, string>
    body?: unknown
  },
): Buffer {
  const { method, path, cookie, headers = {}, body } = options
  const json = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(origin).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(cookie ? [`cookie: ${cookie}`] : []),
    ...(json ? ['content-type: application/json', `content-length: ${Buffer.byteLength(json)}`] : []),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`)
}
