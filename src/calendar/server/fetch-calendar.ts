import { lookup as resolveName } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { get, type RequestOptions } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import type { ReadFailure } from '../rules.ts'

const MAX_BYTES = 5_000_000
const LIMIT_MS = 20_000
const MAX_REDIRECTS = 3

/** Networks that a calendar's address must not lead to. Source: IANA's special-purpose registries. */
const NOT_PUBLIC = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4')
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
/** Parts of it that are for documentation, or that lead to an IPv4 address. */
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6')

/** Whether an IP address is on the public internet; false for anything that is no IP address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return version === 6 && GLOBAL.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/** Where calendars may be read from, and how. Only tests have another one, which reads from their own machine. */
export type Reach = {
  protocols: readonly string[]
  mayConnect: (address: string) => boolean
  get: (url: URL, options: RequestOptions, onResponse: (response: IncomingMessage) => void) => ClientRequest
}
export const PUBLIC_INTERNET: Reach = { protocols: ['https:'], mayConnect: isPublicAddress, get }

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
  { etag, reach, limitMs = LIMIT_MS }: { etag: string | null; reach: Reach; limitMs?: number },
): Promise<FetchedCalendar | null> {
  const signal = AbortSignal.timeout(limitMs)
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
  const url = URL.canParse(address) ? new URL(address) : undefined
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  // A literal address is connected to without being resolved.
  if (!url || !reach.protocols.includes(url.protocol) || (isIP(host) !== 0 && !reach.mayConnect(host)))
    throw new CalendarUnread('not_public')
  const lookup: LookupFunction = (name, options, callback) =>
    resolveName(name, { ...options, all: true }, (error, found) => {
      const refused =
        error ?? (found.every(({ address }) => reach.mayConnect(address)) ? null : new CalendarUnread('not_public'))
      const [first] = found ?? []
      if (refused || !first) callback(refused ?? new CalendarUnread('unreachable'), '', 4)
      else if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  const headers = {
    accept: 'text/calendar',
    'accept-encoding': 'identity',
    'user-agent': 'Studio calendar reader',
    ...(etag && { 'if-none-match': etag }),
  }
  return new Promise<FetchedCalendar | { location: string } | null>((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(error instanceof CalendarUnread ? error : new CalendarUnread(signal.aborted ? 'too_slow' : 'unreachable'))
    const sent = reach.get(url, { lookup, headers, signal, agent: false }, (response) => {
      const { statusCode: status = 0, headers } = response
      response.on('error', fail)
      if (status >= 300 && status < 400 && status !== 304 && headers.location) {
        sent.destroy()
        const next = URL.canParse(headers.location, url) ? new URL(headers.location, url).href : ''
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
  })
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
