import fresh from 'fresh'
import pLimit from 'p-limit'
import { type Http, serveUpload } from '#platform/http/serve.ts'
import { timedRoute } from '#platform/http/time-limit.ts'
import * as contract from '../contract.ts'
import { makePicture } from './make-picture.ts'
import { findUploaded, pictureIdOf, readPictureFile, storePicture } from './pictures.ts'

const YEAR = 31_536_000
/** Size of the files kept in memory, so that few visits cost a query. Our choice. */
const KEPT_BYTES = 16 * 1024 * 1024

export function pictureRoutes(http: Http): void {
  const { database, clock } = http
  // One at a time: decoding needs a processor and much memory.
  const oneAtATime = pLimit(1)
  serveUpload(http, contract.uploadPicture, async ({ user, query: { place }, reply }, file) => {
    const id = pictureIdOf(place, file)
    const known = await database.transaction((tx) => findUploaded(tx, id, clock.now()))
    if (known) {
      reply.code(200)
      return known
    }
    const made = await oneAtATime(() => makePicture(place, file))
    return await database.transaction((tx) => storePicture(tx, user, { id, place, ...made }, clock.now()))
  })

  const kept = new RecentFiles(KEPT_BYTES)
  const options = { schema: { hide: true }, compress: false } as const
  timedRoute(http.app, 'GET', '/pictures/:id/:crop/:file', options, async (request, reply) => {
    const { id, crop, file } = request.params as Record<string, string>
    const wanted = fileOf(id, crop, file)
    if (!wanted) return reply.callNotFound()
    const path = `${id}/${crop}/${file}`
    let content = kept.get(path)
    if (!content) {
      content = await readPictureFile(database.db, wanted)
      if (!content) return reply.callNotFound()
      kept.add(path, content)
    }
    const etag = `"${path.replaceAll('/', '-')}"`
    reply.headers({
      etag,
      'cache-control': `public, max-age=${YEAR}, immutable`,
      // Webmail shows pictures on its own pages.
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (fresh(request.headers, { etag })) return reply.code(304).send()
    return reply.type(wanted.crop === 'email' ? 'image/jpeg' : 'image/webp').send(content)
  })
}

/** The file that an address names, or undefined. */
function fileOf(id = '', crop = '', file = '') {
  if (crop === 'email') return file === 'picture.jpg' ? { id, crop: 'email' as const } : undefined
  const [, width] = /^([1-9]\d{0,3})\.webp$/.exec(file) ?? []
  if (!width || (crop !== 'wide' && crop !== 'narrow')) return undefined
  return { id, crop: crop as 'wide' | 'narrow', width: Number(width) }
}

/** Files by path; the least recently used are forgotten. */
class RecentFiles {
  readonly #files = new Map<string, Buffer>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(path: string): Buffer | undefined {
    const content = this.#files.get(path)
    if (content) this.#moveToEnd(path, content)
    return content
  }

  add(path: string, content: Buffer): void {
    if (!this.#files.has(path)) this.#bytes += content.length
    this.#moveToEnd(path, content)
    for (const [oldest, { length }] of this.#files) {
      if (this.#bytes <= this.#maxBytes) return
      this.#files.delete(oldest)
      this.#bytes -= length
    }
  }

  #moveToEnd(path: string, content: Buffer): void {
    this.#files.delete(path)
    this.#files.set(path, content)
  }
}
