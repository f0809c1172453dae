import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { createBrotliCompress, createGzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PublicFacts } from '#facts/contract.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Render, Visit } from '#pages/shell/visit.ts'
import { nonceOnlyPolicy } from '#platform/http/security-headers.ts'
import { encodingFor } from '#platform/http/written-file.ts'

/** A database that is slow must not keep the page from coming: the browser asks for what is missing. Ours. */
const ASK_MS = 2000
/** Half of what brotli's best saves over its quickest, for a tenth of the time. */
const QUALITY = 4

/**
 * Draws a page for whoever asks for it, with what it shows first, and sends it as it comes.
 *
 * @param options.ask asks the site's own API as whoever asks for the page
 * @returns false when it could not be drawn: nothing has been sent then
 */
export async function sendDrawn(
  request: FastifyRequest,
  reply: FastifyReply,
  options: { render: Render; clock: Clock; origin: string; facts: PublicFacts; ask: Visit['ask'] },
): Promise<boolean> {
  const { render, clock, origin, facts, ask } = options
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const nonce = randomBytes(16).toString('base64')
  const visit: Visit = {
    origin,
    facts,
    now: clock.now().epochMilliseconds,
    nonce,
    scripts: 'soon',
    ask: (path) => within(ASK_MS, ask(path)),
    onError: (error) => {
      // Whoever has left is missed by nobody.
      if (!gone.signal.aborted) request.log.error({ err: error }, 'a page could not be drawn')
    },
  }
  const response = await render(request.url, visit, gone.signal).catch(visit.onError)
  if (response?.status !== 200 || !response.body) return false
  reply.headers({
    'content-security-policy': nonceOnlyPolicy(nonce),
    'content-type': 'text/html; charset=utf-8',
    // It is one person's: nobody who comes back to this browser later may find it.
    'cache-control': 'no-store',
    vary: 'accept-encoding, cookie',
  })
  const html = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'identity') {
    reply.header('content-encoding', encoding)
    const params = { [zlib.BROTLI_PARAM_QUALITY]: QUALITY }
    const packed = encoding === 'br' ? createBrotliCompress({ params }) : createGzip({ level: QUALITY })
    html.once('error', (error) => packed.destroy(error))
    await reply.send(html.pipe(packed))
  } else {
    await reply.send(html)
  }
  return true
}

function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}
