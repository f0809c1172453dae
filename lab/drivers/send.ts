import { timedAtOnce } from '../lib/at-once.ts'
import { openConnection, requestBytes } from '../lib/connection.ts'
import { drive } from '../lib/driver.ts'
import type { Sending, Sent } from '../lib/sender.ts'

await drive<null, Sending, Sent>(async () => async ({ origins, requests, atOnce, statuses, times = 1 }) => {
  const lanes = await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      const origin = origins[lane % origins.length] as string
      const connection = await openConnection(origin)
      return { connection, bytes: requests.map((request) => requestBytes(origin, request)) }
    }),
  )
  const each: number[] = []
  const places = Array.from({ length: times * requests.length }, (_, i) => i % requests.length)
  const ms = await timedAtOnce(places, atOnce, async (place, lane) => {
    const { connection, bytes } = lanes[lane] as (typeof lanes)[number]
    const startedAt = performance.now()
    let status = await connection.send(bytes[place] as Buffer)
    // A busy site asks the client to retry, having changed nothing.
    for (let more = 0; status === 503 && more < 10; more++) status = await connection.send(bytes[place] as Buffer)
    if (!statuses.includes(status)) throw new Error(`${requests[place]?.path} returned ${status}`)
    each.push(performance.now() - startedAt)
  })
  for (const { connection } of lanes) connection.close()
  return { ms, each }
})
