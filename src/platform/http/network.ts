import { isIPv4, isIPv6 } from 'node:net'

/** How much of an address is kept where it is written down: a street, not a door. */
const KEPT_BITS = { v4: 24, v6: 48 } as const

/**
 * The network of an address: `203.0.113.0/24`, `2001:db8:7::/48`. An IPv4 address in IPv6's clothes (`::ffff:203.0.113.9`) is
 * one; null for what is no address.
 *
 * @param bits how many leading bits are kept: multiples of 8 for IPv4, of 16 for IPv6
 */
export function networkOf(address: string, bits: { v4: number; v6: number } = KEPT_BITS): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIPv4(plain)) {
    const kept = plain.split('.').map((part, at) => (at < bits.v4 / 8 ? part : '0'))
    return `${kept.join('.')}/${bits.v4}`
  }
  if (!isIPv6(plain)) return null
  const kept = groupsOf(plain).map((group, at) => (at < bits.v6 / 16 ? group : '0'))
  return `${new URL(`http://[${kept.join(':')}]`).hostname.slice(1, -1)}/${bits.v6}`
}

/** The eight groups of an IPv6 address; a URL writes each address in one way. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const split = (text: string) => text.split(':').filter((group) => group !== '')
  const [leading, trailing] = [split(head), split(tail ?? '')]
  return [...leading, ...Array(8 - leading.length - trailing.length).fill('0'), ...trailing]
}
