import { isIP } from 'node:net'

/** Whose forwarded address and protocol are believed: addresses, networks or names of networks, how many there are, or all. */
export function trustedProxies(text: string): string[] | number | boolean {
  const word = text.trim()
  if (word === 'off' || word === 'false') return false
  if (word === 'on' || word === 'true') return true
  if (/^\d+$/.test(word)) return Number(word)
  return word.split(',').map((proxy) => proxy.trim())
}

/** An address, a network (`10.0.0.0/8`) or one of the names Fastify has for networks. */
export function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}
