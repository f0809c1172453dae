import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#testing/test-databases.ts'
import { fill } from './fill.ts'
import { fillStudio } from './fill-studio.ts'
import { newSecrets } from './live-site.ts'

test('a studio that is filled for a measurement is one that this schema could have come to', async () => {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  onTestFinished(drop)
  await fill(url, (client) => fillStudio(client, { members: 5, days: 50, aDay: 2 }, newSecrets()))

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(
    `select (select count(*)::int from bookings) as bookings, (select count(*)::int from purchases) as purchases,
            (select last from receipt_counter) as receipts, (select count(*)::int from health_reads) as reads,
            (select count(*)::int from security_events) as events`,
  )
  expect(rows[0]).toEqual({ bookings: 400, purchases: 20, receipts: 20, reads: 50, events: 50 })
})
