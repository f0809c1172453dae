import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'

/**
 * What to send as an answer of the API that carries the version of its text: a browser keeps it, asks each time whether it
 * is still so, and is told 304 when it is. The tag is a weak one: whatever the answer is compressed with says the same.
 */
export function versioned(request: FastifyRequest, reply: FastifyReply, answer: unknown): string | FastifyReply {
  const write = reply.getSerializationFunction('200', 'application/json')
  if (!write) throw new Error('Only what a contract describes has versions.')
  const text = write(answer as Record<string, unknown>)
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  if (!fresh(request.headers, { etag })) return text
  return reply.code(304).removeHeader('content-type').header('vary', 'accept-encoding').send()
}
