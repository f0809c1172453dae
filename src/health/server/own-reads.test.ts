import { expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { deleteUser } from '#privacy/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { getMemberHealth, listHealthUpdates } from '../contract.ts'
import { listOwnHealthReads } from '../contract-own.ts'

test('lists for a member the admins who read their health information, one line per reader and day', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.completeHealth(boris)
  const carl = await studio.admin('Carl')
  const params = { id: ana.id }
  await dora.call(getMemberHealth, { params })
  studio.travelTo('Monday 10:30')
  await dora.call(getMemberHealth, { params })
  await carl.call(getMemberHealth, { params })
  // Half an hour before midnight in London, and half an hour after.
  studio.travelTo('Monday 23:30')
  await carl.call(listHealthUpdates)
  studio.travelTo('Tuesday 00:30')
  await carl.call(listHealthUpdates)
  const mine = await ana.call(listOwnHealthReads)
  expect(mine.body).toEqual([
    { reader: 'Carl Cast', what: 'health_updates', day: '2026-12-08', times: 1, lastAt: '2026-12-08T00:30:00Z' },
    { reader: 'Carl Cast', what: 'health_updates', day: '2026-12-07', times: 1, lastAt: '2026-12-07T23:30:00Z' },
    { reader: 'Carl Cast', what: 'answers', day: '2026-12-07', times: 1, lastAt: '2026-12-07T10:30:00Z' },
    { reader: 'Dora Cast', what: 'answers', day: '2026-12-07', times: 2, lastAt: '2026-12-07T10:30:00Z' },
  ])
  const page = await ana.call(listOwnHealthReads, { query: { limit: 1, offset: 2 } })
  expect([page.headers.get('x-total-count'), page.body.length, page.body[0].reader]).toEqual(['4', 1, 'Carl Cast'])
  // Control: Boris sees only reads of his own data.
  expect((await boris.read(listOwnHealthReads)).map(({ what }) => what)).toEqual(['health_updates', 'health_updates'])
  expect(await studio.visitor().call(listOwnHealthReads)).toBeRefused(commonRefusals.unauthorized)

  await dora.call(deleteUser, { params: { id: carl.id } })
  const readers = (await ana.read(listOwnHealthReads)).map(({ reader }) => reader)
  expect(readers.filter((reader) => reader === null)).toHaveLength(3)
})
