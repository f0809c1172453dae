import { expect, test } from 'vitest'
import { confirm } from '#attention/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { retentionRunsFor, runRetention } from './retention-under-test.ts'

test('erases a large number of members in batches', async () => {
  const { studio, dora } = await openStudio()
  await studio.server.database.pool.query(
    `insert into users (id, username, email, first_name, last_name, created_at, updated_at)
     select 'old-' || n, 'old-' || n, 'old-' || n || '@people.example', 'O', 'L', '2020-01-01', '2020-01-01'
       from generate_series(1, 250) as n`,
  )
  await runRetention(studio)
  await dora.call(confirm, { body: { kind: 'retention_held', about: 'all' } })
  await Promise.all([runRetention(studio), runRetention(studio)])
  expect(await studio.count("select count(*) from users where id like 'old-%'")).toBe(0)
  const log = await retentionRunsFor(dora)
  expect(log.reduce((sum, { members }) => sum + members, 0)).toBe(250)
  expect(log.map(({ failures }) => failures)).toEqual([0, 0])
})
