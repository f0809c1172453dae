import { isIPv4, isIPv6 } from 'node:net'

/** We record networks only, never full addresses. */
const RECORDED_BITS = { v4: 24, v6: 48 } as const

/**
 * The network of an address: `203.0.113.0/24`, `2001:db8:7::/48`. An IPv4-mapped IPv6 address (`::ffff:203.0.113.9`)
 * counts as IPv4. Null for an invalid address.
 *
 * @param bits leading bits to keep: multiples of 8 for IPv4, of 16 for IPv6
 */
export function networkOf(address: string, bits: { v4: number; v6: number } = RECORDED_BITS): string | null {
  const plain = address.replace(/%.*$/, '')
  if (isIPv4(plain)) return networkOfIPv4(plain.split('.'), bits.v4)
  if (!isIPv6(plain)) return null
  const groups = groupsOf(plain)
  if (MAPPED.every((group, at) => group === groups[at])) return networkOfIPv4(groups.slice(6).flatMap(bytesOf), bits.v4)
  const kept = groups.map((group, at) => (at < bits.v6 / 16 ? group : '0'))
  return `${new URL(`http://[${kept.join(':')}]`).hostname.slice(1, -1)}/${bits.v6}`
}

/** The prefix of an IPv4-mapped address. Source: RFC 4291, 2.5.5.2. */
const MAPPED = ['0', '0', '0', '0', '0', 'ffff']

function networkOfIPv4(bytes: readonly string[], bits: number): string {
  return `${bytes.map((byte, at) => (at < bits / 8 ? byte : '0')).join('.')}/${bits}`
}

function bytesOf(group: string): string[] {
  const number = Number.parseInt(group, 16)
  return [String(number >> 8), String(number & 255)]
}

/** The eight groups of an IPv6 address; `URL` normalises its spelling. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const split = (text: string) => text.split(':').filter((group) => group !== '')
  const [leading, trailing] = [split(head), split(tail ?? '')]
  return [...leading, ...Array(8 - leading.length - trailing.length).fill('0'), ...trailing]
}
