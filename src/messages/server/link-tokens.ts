import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { NEWSLETTER_UNSUBSCRIBE } from '../contract.ts'

/** The token of a mailed link, made from the link's id, which is random. */
export type TokenOf = (linkId: string) => string

/**
 * How the tokens of mailed links are made. Only ids wait in the outbox: without the secret, which is not in the
 * database, nobody who reads it can make a link of one.
 */
export function linkTokens(sessionSecret: string): TokenOf {
  const key = Buffer.from(hkdfSync('sha256', sessionSecret, '', 'tokens of mailed links', 32))
  return (linkId) => createHmac('sha256', key).update(linkId).digest('base64url')
}

/** Whether a token is the one of the link with this id. */
function isTokenOf(token: string, linkId: string, tokenOf: TokenOf): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(linkId))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const calendarLinkId = (uid: string) => `calendar:${uid}`

/** Where a mailed link finds one booked class as a file for a calendar, as it is then, without a login. */
export function calendarPath(uid: string, tokenOf: TokenOf): string {
  return `/api/calendar/${uid}/${tokenOf(calendarLinkId(uid))}.ics`
}

/** Whether a token is that of the link to the entry `uid`. */
export function isCalendarToken(token: string, uid: string, tokenOf: TokenOf): boolean {
  return isTokenOf(token, calendarLinkId(uid), tokenOf)
}

/** The owner of an unsubscribe link: a member, or an address on the newsletter's list. */
type Unsubscriber = { userId: string } | { email: string }

const unsubscribeLinkId = (person: string) => `unsubscribe:${person}`

/**
 * The path of somebody's unsubscribe link. It names and signs the person instead of a row, so it still works when the
 * message that carried it has been erased.
 */
export function unsubscribePath(of: Unsubscriber, tokenOf: TokenOf): string {
  const person = 'userId' in of ? `member:${of.userId}` : `address:${of.email.toLowerCase()}`
  return `${NEWSLETTER_UNSUBSCRIBE}?token=${Buffer.from(person).toString('base64url')}.${tokenOf(unsubscribeLinkId(person))}`
}

/** The owner of a token made by {@link unsubscribePath}; undefined for any other text. */
export function unsubscriberOf(token: string, tokenOf: TokenOf): Unsubscriber | undefined {
  const [encoded = '', signature = ''] = token.split('.')
  const person = Buffer.from(encoded, 'base64url').toString()
  if (!isTokenOf(signature, unsubscribeLinkId(person), tokenOf)) return undefined
  const value = person.slice(person.indexOf(':') + 1)
  return person.startsWith('member:') ? { userId: value } : { email: value }
}
