import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../testing/test-databases.ts'
import { openDatabase } from './database.ts'

test('two transactions that wait for each other both end well, also when statements travelled together', async () => {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  const database = openDatabase(url, { connections: 4 })
  onTestFinished(async () => {
    await database.close()
    await drop()
  })
  await database.pool.query('create table counters (id integer primary key, count integer not null)')
  await database.pool.query('insert into counters values (1, 0), (2, 0)')
  await database.pool.query(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '50ms'`)

  let attempts = 0
  const met = meetingOf(2)
  const raise = async (first: number, second: number) =>
    database.transaction(async (tx) => {
      attempts += 1
      const add = (id: number) => tx.execute(sql`update counters set count = count + 1 where id = ${id}`)
      await add(first)
      await met()
      await Promise.all([add(second), tx.execute(sql`select 1`), tx.execute(sql`select 2`)])
    })
  await Promise.all([raise(1, 2), raise(2, 1)])
  const { rows } = await database.pool.query('select count from counters')
  expect(rows).toEqual([{ count: 2 }, { count: 2 }])
  // One of them was tried again; under load it may have met the other a second time.
  expect(attempts).toBeGreaterThan(2)
})

/** Waits until so many are there; whoever comes later passes. */
function meetingOf(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let here = 0
  return () => {
    here += 1
    if (here === count) resolve()
    return promise
  }
}
