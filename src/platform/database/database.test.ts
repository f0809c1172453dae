import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { openTestDatabase } from '#testing/test-databases.ts'
import { inOwnTransactions, openDatabase, RetryTransaction, type Tx } from './database.ts'
import { DatabaseUnavailable, databaseErrorOf, isOutage } from './outage.ts'

test('fails one of two deadlocked transactions and does not retry it', async () => {
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
  const ends = await Promise.allSettled([raise(1, 2), raise(2, 1)])
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(faults.map((fault) => databaseErrorOf(fault)?.code)).toEqual(['40P01'])
  expect(faults.map(isOutage)).toEqual([true])
  const { rows } = await database.pool.query('select count from counters')
  expect(rows).toEqual([{ count: 1 }, { count: 1 }])
  expect(attempts).toBe(2)
})

test('rolls work back and runs it again after RetryTransaction; after too many runs it refuses', async () => {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  const database = openDatabase(url, { connections: 1 })
  onTestFinished(async () => {
    await database.close()
    await drop()
  })
  await database.pool.query('create table runs (run integer)')
  const until = (last: number) => {
    let run = 0
    return database.transaction(async (tx) => {
      run += 1
      await tx.execute(sql`insert into runs values (${run})`)
      if (run < last) throw new RetryTransaction('another transaction came first')
      return run
    })
  }
  expect(await until(3)).toBe(3)
  const given = await until(1000).catch((error) => error)
  expect({ status: given.status, message: given.message }).toEqual({
    status: 503,
    message: commonRefusals.unavailable.message,
  })
  const { rows } = await database.pool.query('select run from runs')
  expect(rows).toEqual([{ run: 3 }])
})

/** Waits until `count` callers have arrived. */
function meetingOf(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let here = 0
  return () => {
    here += 1
    if (here === count) resolve()
    return promise
  }
}

test('does each row alone: a bad one does not hold up the others, an outage ends it', async () => {
  const done: number[] = []
  const database = { transaction: async <Result>(work: (tx: Tx) => Promise<Result>) => work(undefined as never) }
  const work = (bad: Error) => async (_: Tx, row: number) => {
    if (row === 2) throw bad
    done.push(row)
  }
  await expect(inOwnTransactions(database, [1, 2, 3], work(new Error('bad row')))).rejects.toThrow('1 of 3 rows failed')
  expect(done).toEqual([1, 3])
  const outage = new DatabaseUnavailable('gone', { cause: null, isSlow: false })
  await expect(inOwnTransactions(database, [1, 2, 3], work(outage))).rejects.toBe(outage)
  expect(done).toEqual([1, 3, 1])
})
