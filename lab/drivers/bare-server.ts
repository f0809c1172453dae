/** Sends the response that its parent process passed, with node:http alone. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type BareResponse = { headers: Record<string, string>; body: string }

const [{ headers, body }] = (await once(process, 'message')) as [BareResponse]
const bytes = Buffer.from(body, 'base64')
const server = createServer((_request, response) => response.writeHead(200, headers).end(bytes))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.once('disconnect', () => process.exit())
process.send?.((server.address() as AddressInfo).port)
