import { expect, test } from 'vitest'
import { SHORT_LIMITS } from '#testing/limits.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'
import { openDatabaseProxy } from './database-proxy-under-test.ts'

test('is alive and ready while the mail server is down, and logs no health checks', async () => {
  const studio = await openEmptyStudio({ env: LIVE }) // its mail server is down
  const probe = studio.visitor()
  expect(await probe.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
  const ready = await probe.request('GET', '/readyz')
  expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } })
  expect(ready.headers.get('cache-control')).toBe('no-store')
  expect((await probe.request('HEAD', '/readyz')).status).toBe(200)
  await probe.request('GET', '/api/packages')
  const logged = (path: string) => studio.logged.filter((line) => line.includes(path))
  expect(logged('/api/packages')).not.toEqual([])
  expect([...logged('/healthz'), ...logged('/readyz')]).toEqual([])
})

test('is alive but not ready without its database, and ready again when it is back', async () => {
  const studio = await openEmptyStudio()
  const line = await openDatabaseProxy(studio.settings.databaseUrl as string)
  const { loggedInAs } = await studio.startSecondProcess({ limits: SHORT_LIMITS, databaseUrl: line.url })
  const probe = loggedInAs(studio.visitor())
  expect((await probe.request('GET', '/readyz')).status).toBe(200)
  line.cut()
  const away = await probe.request('GET', '/readyz')
  expect(away).toMatchObject({ status: 503, body: { status: 'no database' } })
  expect(away.headers.get('retry-after')).toBe('5')
  expect((await probe.request('GET', '/healthz')).status).toBe(200)
  line.restore()
  await expect.poll(async () => (await probe.request('GET', '/readyz')).status).toBe(200)
})

test('is ready while all connections are in use', async () => {
  const studio = await openEmptyStudio()
  const { loggedInAs, server } = await studio.startSecondProcess({ connections: 1 })
  const taken = await server.database.pool.connect()
  expect((await loggedInAs(studio.visitor()).request('GET', '/readyz')).status).toBe(200)
  taken.release()
})
