import { timedAtOnce } from '../lib/at-once.ts'
import { openConnection, requestBytes } from '../lib/connection.ts'
import { drive } from '../lib/driver.ts'
import type { SignedIn } from '../lib/fill.ts'

export type HttpSetup = { origin: string; members: SignedIn[]; atOnce: number }
/** Each member books one class. */
export type Bookings = { classIds: number[] }

await drive<HttpSetup, Bookings>(async ({ origin, members, atOnce }) => async ({ classIds }) => {
  const requests = classIds.map((classId, place) =>
    requestBytes(origin, {
      method: 'POST',
      path: '/api/bookings',
      cookie: members[place]?.cookie,
      body: { classId, participantCount: 1, usePass: true },
    }),
  )
  const connections = await Promise.all(Array.from({ length: atOnce }, () => openConnection(origin)))
  const ms = await timedAtOnce(requests, atOnce, async (request, lane) => {
    let status = await connections[lane]?.send(request)
    // On a slow machine a booking may time out, having changed nothing.
    for (let more = 0; status === 503 && more < 10; more++) status = await connections[lane]?.send(request)
    if (status !== 201) throw new Error(`a booking returned ${status}`)
  })
  for (const connection of connections) connection.close()
  return ms
})
