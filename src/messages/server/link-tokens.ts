import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { NEWSLETTER_UNSUBSCRIBE } from '../contract.ts'

/** Makes the token of an emailed link from the link's random id. */
export type TokenOf = (linkId: string) => string

/** The outbox holds only ids: without the secret, which is not in the database, they cannot be turned into links. */
export function linkTokens(sessionSecret: string): TokenOf {
  const key = Buffer.from(hkdfSync('sha256', sessionSecret, '', 'tokens of mailed links', 32))
  return (linkId) => createHmac('sha256', key).update(linkId).digest('base64url')
}

function isTokenOf(token: string, linkId: string, tokenOf: TokenOf): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(linkId))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const calendarLinkId = (uid: string) => `calendar:${uid}`

/** The path of a booking's calendar file, current at the time of the request, without a login. */
export function calendarPath(uid: string, tokenOf: TokenOf): string {
  return `/api/calendar/${uid}/${tokenOf(calendarLinkId(uid))}.ics`
}

export function isCalendarToken(token: string, uid: string, tokenOf: TokenOf): boolean {
  return isTokenOf(token, calendarLinkId(uid), tokenOf)
}

const companionLinkId = (linkId: string) => `companion:${linkId}`

/** The path of a companion's invitation. The token is in the fragment, which browsers do not send. */
export function invitationPath(linkId: string, tokenOf: TokenOf): string {
  return `/auth#invitation=${linkId}.${tokenOf(companionLinkId(linkId))}`
}

/** The link id in a token of {@link invitationPath}; undefined if it is invalid. */
export function linkIdOfInvitation(token: string, tokenOf: TokenOf): string | undefined {
  const [linkId = '', signature = ''] = token.split('.')
  return isTokenOf(signature, companionLinkId(linkId), tokenOf) ? linkId : undefined
}

/** A member, or an address on the newsletter's list. */
type Unsubscriber = { userId: string } | { email: string }

const unsubscribeLinkId = (person: string) => `unsubscribe:${person}`

/** The path of an unsubscribe link. It contains the signed person, not a row's id, so it outlives the message. */
export function unsubscribePath(unsubscriber: Unsubscriber, tokenOf: TokenOf): string {
  const person =
    'userId' in unsubscriber ? `member:${unsubscriber.userId}` : `address:${unsubscriber.email.toLowerCase()}`
  return `${NEWSLETTER_UNSUBSCRIBE}?token=${Buffer.from(person).toString('base64url')}.${tokenOf(unsubscribeLinkId(person))}`
}

/** The person in a token of {@link unsubscribePath}; undefined if it is invalid. */
export function unsubscriberOf(token: string, tokenOf: TokenOf): Unsubscriber | undefined {
  const [encoded = '', signature = ''] = token.split('.')
  const person = Buffer.from(encoded, 'base64url').toString()
  if (!isTokenOf(signature, unsubscribeLinkId(person), tokenOf)) return undefined
  const value = person.slice(person.indexOf(':') + 1)
  return person.startsWith('member:') ? { userId: value } : { email: value }
}
