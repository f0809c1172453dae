import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'

const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The best encoding we have that the request accepts. @param accepted its `accept-encoding` */
export function encodingFor(accepted = 'identity'): Encoding {
  const best = negotiate(accepted, [...ENCODINGS])
  return ENCODINGS.find((known) => known === best) ?? 'identity'
}

/** A text that is the same for every client, in memory, compressed on the first request; a known version is a 304. */
export class WrittenFile {
  readonly #text: string
  readonly #type: string
  readonly #version: string
  readonly #bodies = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string, type: string) {
    this.#text = text
    this.#type = type
    this.#version = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  }

  /**
   * Writes the head and answers the body, which a handler returns: undefined where nothing changed. Headers that belong
   * to the file go in before, since a response that nothing changed carries them too.
   */
  async send(request: FastifyRequest, reply: FastifyReply, status = 200): Promise<Buffer | undefined> {
    const encoding = encodingFor(request.headers['accept-encoding'])
    const etag = `"${this.#version}-${encoding}"`
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
    if (status === 200 && fresh(request.headers, { etag })) {
      reply.code(304)
      return undefined
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    reply.code(status).type(this.#type)
    return await this.#bodyIn(encoding)
  }

  /** Compresses it as most browsers will ask for it. */
  async prepare(): Promise<void> {
    await this.#bodyIn('br')
  }

  #bodyIn(encoding: Encoding): Promise<Buffer> {
    const known = this.#bodies.get(encoding)
    if (known) return known
    const body = compressed(this.#text, encoding)
    this.#bodies.set(encoding, body)
    return body
  }
}

async function compressed(text: string, encoding: Encoding): Promise<Buffer> {
  const bytes = Buffer.from(text)
  if (encoding === 'identity') return bytes
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: 9 })
  return promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
}

/** Bytes. Smaller responses fit in one packet anyway. */
const MIN_COMPRESSED = 1024
/** Bytes. Up to here compressing at once takes a millisecond or two, less than a stream and its threads. */
const MAX_COMPRESSED_AT_ONCE = 256 * 1024

/**
 * Compresses responses of the API and pages rendered for a member. Short responses are left out, among them every
 * response with a secret (a calendar's address, a payment's), because the size of a compressed response could reveal
 * it. Prerendered pages and built files are compressed already.
 */
export async function compressResponses(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: MIN_COMPRESSED,
    syncThreshold: MAX_COMPRESSED_AT_ONCE,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  })
}
