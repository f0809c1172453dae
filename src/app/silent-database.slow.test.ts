import { expect, test } from 'vitest'
import { bookClass } from '#booking/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { SHORT_LIMITS } from '#testing/limits.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { openDatabaseProxy } from './database-proxy-under-test.ts'

test('returns 503 while the database hangs or its machine is gone, and recovers', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  const line = await openDatabaseProxy(studio.settings.databaseUrl as string)
  const { loggedInAs } = await studio.startSecondProcess({
    limits: SHORT_LIMITS,
    databaseUrl: line.url,
    connections: 3,
  })
  const there = loggedInAs(ana)
  const all = () =>
    Promise.all([
      there.request('GET', '/api/user/bookings'),
      there.request('GET', '/api/packages'),
      there.call(bookClass, { body: { classId: duo } }),
    ])
  await all()
  line.hold()
  for (const response of [...(await all()), ...(await all())]) expect(response).toBeRefused(commonRefusals.unavailable)
  line.cut()
  line.restore()
  expect((await there.request('GET', '/api/user/bookings')).status).toBe(200)
})
