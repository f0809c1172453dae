import type { requestBytes } from './connection.ts'
import { startDriver } from './driver.ts'
import type { SignedIn } from './fill.ts'

export type Request = Parameters<typeof requestBytes>[1]
/**
 * Sends the requests in order, `atOnce` at a time, alternating between the origins, and all of them `times` times. A
 * status other than `statuses` fails the measurement.
 */
export type Sending = { origins: string[]; requests: Request[]; atOnce: number; statuses: number[]; times?: number }
/** Milliseconds in all, and of each request. */
export type Sent = { ms: number; each: number[] }

/** Starts a process that sends requests to a site. */
export const startSender = () => startDriver<null, Sending, Sent>('send', null)

/** Bookings of these classes, each by the member at the same place. */
export const bookingsOf = (members: readonly SignedIn[], classIds: readonly number[]): Request[] =>
  classIds.map((classId, place) => ({
    method: 'POST',
    path: '/api/bookings',
    cookie: members[place % members.length]?.cookie,
    body: { classId, participantCount: 1, usePass: true },
  }))
