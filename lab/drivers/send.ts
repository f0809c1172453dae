import { timedAtOnce } from '../lib/at-once.ts'
import { openConnection, requestBytes } from '../lib/connection.ts'
import { drive } from '../lib/driver.ts'

export type SendSetup = { atOnce: number }
/**
 * Sends the requests in order, alternating between the origins. A status other than `statuses` fails the measurement.
 */
export type Sending = {
  origins: string[]
  requests: Parameters<typeof requestBytes>[1][]
  statuses: number[]
}
/** Milliseconds in all, and of each request. */
export type Sent = { ms: number; each: number[] }

await drive<SendSetup, Sending, Sent>(async ({ atOnce }) => async ({ origins, requests, statuses }) => {
  const lanes = await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      const origin = origins[lane % origins.length] as string
      return { origin, connection: await openConnection(origin) }
    }),
  )
  const each: number[] = []
  const ms = await timedAtOnce(requests, atOnce, async (request, lane) => {
    const { origin, connection } = lanes[lane] as (typeof lanes)[number]
    const startedAt = performance.now()
    const bytes = requestBytes(origin, request)
    let status = await connection.send(bytes)
    // A busy site asks the client to retry.
    for (let more = 0; status === 503 && more < 10; more++) status = await connection.send(bytes)
    if (!statuses.includes(status)) throw new Error(`${request.path} returned ${status}`)
    each.push(performance.now() - startedAt)
  })
  for (const { connection } of lanes) connection.close()
  return { ms, each }
})
