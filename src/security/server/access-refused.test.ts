import { expect, test } from 'vitest'
import { listUsers } from '#insights/contract.ts'
import { listSecurityRecord } from '#insights/contract-security.ts'
import { openStudio } from '#testing/studio-under-test.ts'

test('records refused admin requests of a member once a minute, and none of visitors', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const refused = async () => {
    const lines = await dora.read(listSecurityRecord, { query: { kind: 'access_refused' } })
    return lines.map(({ actor, outcome, from, details }) => [actor?.name, outcome, from, details])
  }
  for (let i = 0; i < 3; i++) expect((await ana.call(listUsers)).status).toBe(403)
  expect((await studio.visitor().call(listUsers)).status).toBe(401)
  const line = (name: string) => [`${name} Cast`, 'refused', '127.0.0.0/24', { why: 'not_an_admin' }]
  expect(await refused()).toEqual([line('Ana')])
  await boris.call(listUsers)
  studio.travelTo('Monday 09:01')
  await ana.call(listUsers)
  expect(await refused()).toEqual([line('Ana'), line('Boris'), line('Ana')])
})
