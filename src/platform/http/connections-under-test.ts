/** For connections.test.ts: a server process with limits from its arguments, which can be stopped. */
import { once } from 'node:events'
import fastify from 'fastify'
import { openServer } from './connections.ts'

const [requestMs = 0, socketMs = 0, socketGraceMs = 0] = process.argv.slice(2).map(Number)
const app = fastify({ serverFactory: (handle) => openServer(handle, { requestMs, socketMs, socketGraceMs }) })
app.get('/', async () => 'answered')
// Responds when the parent process sends a message.
app.get('/later', async () => {
  process.send?.('asked')
  await once(process, 'message')
  return 'answered later'
})
// Reports the client's address after it disconnected.
app.get('/who', async (request) => {
  process.send?.('asked')
  await once(request.raw.socket, 'close')
  process.send?.({ address: request.ip })
})
process.once('disconnect', () => process.exit())
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(app.server.address())
