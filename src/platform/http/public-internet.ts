import { lookup as resolveName } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks that an address from a user must not lead to. Source: IANA's special-purpose registries. */
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

/** Where addresses from users may lead, and how. Only tests have another one, for their own machine. */
export type Reach = {
  protocols: readonly string[]
  mayConnect: (address: string) => boolean
  request: (url: URL, options: RequestOptions, onResponse: (response: IncomingMessage) => void) => ClientRequest
}
export const PUBLIC_INTERNET: Reach = { protocols: ['https:'], mayConnect: isPublicAddress, request }

/** The address is not on the public internet, or not https. Its message never contains the address. */
export class NotPublic extends Error {}

/**
 * Opens a request to an address from a user. Names are resolved for the connection itself, so the address that
 * was checked is the one used. The caller ends the request and listens for errors.
 *
 * @throws {NotPublic}
 */
export function requestOf(
  address: string | URL,
  reach: Reach,
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
): ClientRequest {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  // A literal address is connected to without being resolved.
  if (!url || !reach.protocols.includes(url.protocol) || (isIP(host) !== 0 && !reach.mayConnect(host)))
    throw new NotPublic()
  const lookup: LookupFunction = (name, options, callback) =>
    resolveName(name, { ...options, all: true }, (error, found) => {
      const refused = error ?? (found.every(({ address }) => reach.mayConnect(address)) ? null : new NotPublic())
      const [first] = found ?? []
      if (refused || !first) callback(refused ?? new Error('the name has no address'), '', 4)
      else if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  return reach.request(url, { ...options, lookup, agent: false }, onResponse)
}
