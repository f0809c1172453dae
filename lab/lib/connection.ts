import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * A keep-alive connection that sends ready-made requests one after the other and reads only what it must of the
 * answers. Both sides of a measurement share the machine, so a client that parses all of HTTP would measure itself.
 */
export type Connection = {
  /** Answers the status. */
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
    const status = statusOfWholeAnswer(received)
    if (status === undefined) return
    received = Buffer.alloc(0)
    waiting?.resolve(status)
  })
  whenGone(socket, (error) => waiting?.reject(error))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

function whenGone(socket: Socket, tell: (error: Error) => void) {
  socket.on('error', tell)
  socket.on('close', () => tell(new Error('the connection was closed')))
}

/** The status once head and body are there; the server always says how long its body is. */
function statusOfWholeAnswer(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length:\n${head}`)
  return received.length >= headEnd + 4 + Number(length) ? Number(head.slice(9, 12)) : undefined
}

/** A request as it goes over the wire; a body is JSON. */
export function requestBytes(
  origin: string,
  options: { method: string; path: string; cookie?: string; headers?: Record<string, string>; body?: unknown },
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
