import { timingSafeEqual } from 'node:crypto'
import type { TokenOf } from './link-tokens.ts'

const linkId = (uid: string) => `calendar:${uid}`

/** Where a mailed link finds one booked class as a file for a calendar, as it is then, without a login. */
export function calendarPath(uid: string, tokenOf: TokenOf): string {
  return `/api/calendar/${uid}/${tokenOf(linkId(uid))}.ics`
}

/** Whether a token is that of the link to the entry `uid`. */
export function isCalendarToken(token: string, uid: string, tokenOf: TokenOf): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(linkId(uid)))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
