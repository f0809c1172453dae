import { NEWSLETTER_UNSUBSCRIBE } from '../contract.ts'
import { isTokenOf, type TokenOf } from './link-tokens.ts'

/** The owner of an unsubscribe link: a member, or an address on the newsletter's list. */
export type Unsubscriber = { userId: string } | { email: string }

const linkId = (person: string) => `unsubscribe:${person}`

/**
 * The path of somebody's unsubscribe link. It names and signs the person instead of a row, so it still works when the
 * message that carried it has been erased.
 */
export function unsubscribePath(of: Unsubscriber, tokenOf: TokenOf): string {
  const person = 'userId' in of ? `member:${of.userId}` : `address:${of.email.toLowerCase()}`
  return `${NEWSLETTER_UNSUBSCRIBE}?token=${Buffer.from(person).toString('base64url')}.${tokenOf(linkId(person))}`
}

/** The owner of a token made by {@link unsubscribePath}; undefined for any other text. */
export function unsubscriberOf(token: string, tokenOf: TokenOf): Unsubscriber | undefined {
  const [encoded = '', signature = ''] = token.split('.')
  const person = Buffer.from(encoded, 'base64url').toString()
  if (!isTokenOf(signature, linkId(person), tokenOf)) return undefined
  const value = person.slice(person.indexOf(':') + 1)
  return person.startsWith('member:') ? { userId: value } : { email: value }
}
