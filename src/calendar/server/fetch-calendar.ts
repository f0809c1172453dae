import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import { NotPublic, type Reach, requestOf } from '#platform/http/public-internet.ts'
import type { ReadFailure } from '../rules.ts'

const MAX_BYTES = 5_000_000
const LIMIT_MS = 20_000
const MAX_REDIRECTS = 3

/** Its message never contains the address. */
export class CalendarUnread extends Error {
  readonly failure: ReadFailure
  constructor(failure: ReadFailure) {
    super(failure)
    this.failure = failure
  }
}

export type FetchedCalendar = { text: string; etag: string | null }

/**
 * Fetches a calendar. Names are resolved for the connection itself, so the address that was checked is the one used.
 *
 * @param etag of the last response
 * @returns null if it has not changed
 * @throws {CalendarUnread}
 */
export async function fetchCalendar(
  address: string,
  { etag, reach }: { etag: string | null; reach: Reach },
): Promise<FetchedCalendar | null> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  let url = address
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await request(url, { etag, reach, signal })
    if (!response || 'text' in response) return response
    url = response.location
  }
  throw new CalendarUnread('refused')
}

type Options = { etag: string | null; reach: Reach; signal: AbortSignal }

function request(address: string, { etag, reach, signal }: Options) {
  const headers = {
    accept: 'text/calendar',
    'accept-encoding': 'identity',
    'user-agent': 'Studio calendar reader',
    ...(etag && { 'if-none-match': etag }),
  }
  return new Promise<FetchedCalendar | { location: string } | null>((resolve, reject) => {
    const fail = (error: unknown) => reject(asUnread(error, signal))
    const sent = requestOf(address, reach, { headers, signal }, (response) => {
      const { statusCode: status = 0, headers } = response
      response.on('error', fail)
      if (status >= 300 && status < 400 && status !== 304 && headers.location) {
        sent.destroy()
        const next = URL.canParse(headers.location, address) ? new URL(headers.location, address).href : ''
        return resolve({ location: next })
      }
      if (status === 304 && etag) {
        sent.destroy()
        return resolve(null)
      }
      if (status !== 200) {
        sent.destroy()
        return fail(new CalendarUnread(failureOf(status)))
      }
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        parts.push(part)
        if (bytes <= MAX_BYTES) return
        fail(new CalendarUnread('too_large'))
        sent.destroy()
      })
      response.on('end', () =>
        textOf(Buffer.concat(parts)).then((text) => resolve({ text, etag: headers.etag ?? null }), fail),
      )
    })
    sent.on('error', fail)
    sent.end()
  }).catch((error) => {
    throw asUnread(error, signal)
  })
}

function asUnread(error: unknown, signal: AbortSignal): CalendarUnread {
  if (error instanceof CalendarUnread) return error
  if (error instanceof NotPublic) return new CalendarUnread('not_public')
  return new CalendarUnread(signal.aborted ? 'too_slow' : 'unreachable')
}

function failureOf(status: number): ReadFailure {
  if (status === 429 || status === 503) return 'busy'
  return status >= 500 ? 'unreachable' : 'refused'
}

/** The text of a file in UTF-8 or UTF-16, also if it was compressed although we did not ask for that. */
async function textOf(bytes: Buffer): Promise<string> {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = isCompressed ? await unzipped(bytes) : bytes
  const [first, second] = plain
  if (first === 0xff || second === 0) return new TextDecoder('utf-16le').decode(plain)
  if (first === 0xfe || first === 0) return new TextDecoder('utf-16be').decode(plain)
  return plain.toString('utf8')
}

const unzipped = (bytes: Buffer): Promise<Buffer> =>
  promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES, finishFlush: constants.Z_SYNC_FLUSH }).catch((error) => {
    throw new CalendarUnread(error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'not_a_calendar')
  })
