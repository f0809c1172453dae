import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

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
export function isTokenOf(token: string, linkId: string, tokenOf: TokenOf): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(linkId))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
