import { timedAtOnce } from '../lib/at-once.ts'
import { openConnection, requestBytes } from '../lib/connection.ts'
import { drive } from '../lib/driver.ts'

export type GetSetup = { origin: string; path: string; headers?: Record<string, string>; atOnce: number }
export type Gets = { times: number }

await drive<GetSetup, Gets>(async ({ origin, path, headers, atOnce }) => async ({ times }) => {
  const request = requestBytes(origin, { method: 'GET', path, headers })
  const connections = await Promise.all(Array.from({ length: atOnce }, () => openConnection(origin)))
  const ms = await timedAtOnce(Array.from({ length: times }), atOnce, async (_, lane) => {
    const status = await connections[lane]?.send(request)
    if (status !== 200) throw new Error(`${path} returned ${status}`)
  })
  for (const connection of connections) connection.close()
  return ms
})
