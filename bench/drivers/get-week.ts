import { timedAtOnce } from '../lib/at-once.ts'
import { openConnection, requestBytes } from '../lib/connection.ts'
import { drive } from '../lib/driver.ts'

export type WeekSetup = { origin: string; from: string; to: string; atOnce: number }
export type Gets = { times: number }

await drive<WeekSetup, Gets>(async ({ origin, from, to, atOnce }) => async ({ times }) => {
  const request = requestBytes(origin, { method: 'GET', path: `/api/classes?from=${from}&to=${to}` })
  const connections = await Promise.all(Array.from({ length: atOnce }, () => openConnection(origin)))
  const ms = await timedAtOnce(Array.from({ length: times }), atOnce, async (_, lane) => {
    const status = await connections[lane]?.send(request)
    if (status !== 200) throw new Error(`the week's list was answered with ${status}`)
  })
  for (const connection of connections) connection.close()
  return ms
})
