import { isTokenOf, type TokenOf } from './link-tokens.ts'

const linkId = (uid: string) => `calendar:${uid}`

/** Where a mailed link finds one booked class as a file for a calendar, as it is then, without a login. */
export function calendarPath(uid: string, tokenOf: TokenOf): string {
  return `/api/calendar/${uid}/${tokenOf(linkId(uid))}.ics`
}

/** Whether a token is that of the link to the entry `uid`. */
export function isCalendarToken(token: string, uid: string, tokenOf: TokenOf): boolean {
  return isTokenOf(token, linkId(uid), tokenOf)
}
