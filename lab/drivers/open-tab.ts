import { openConnection, requestBytes } from '../lib/connection.ts'
import { drive } from '../lib/driver.ts'

export type TabSetup = { origin: string; cookie: string }
/** A screen's requests, sent concurrently; repeated `times` times. */
export type Opening = { paths: readonly string[]; times: number }

await drive<TabSetup, Opening>(async ({ origin, cookie }) => async ({ paths, times }) => {
  const requests = paths.map((path) => requestBytes(origin, { method: 'GET', path, cookie }))
  const connections = await Promise.all(paths.map(() => openConnection(origin)))
  const startedAt = performance.now()
  for (let i = 0; i < times; i++) {
    await Promise.all(
      requests.map(async (request, lane) => {
        const status = await connections[lane]?.send(request)
        if (status !== 200) throw new Error(`${paths[lane]} returned ${status}`)
      }),
    )
  }
  const ms = performance.now() - startedAt
  for (const connection of connections) connection.close()
  return ms
})
