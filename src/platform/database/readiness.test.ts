import { expect, inject, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#testing/test-databases.ts'
import { databaseReadiness } from '../http/health-checks.ts'
import { openDatabase, type Reader } from './database.ts'

async function openReadiness() {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  const { db, pool, close } = openDatabase(url, { connections: 2 })
  onTestFinished(async () => {
    await close()
    await drop()
  })
  let queries = 0
  const counted: Reader = Object.create(db, {
    execute: {
      value: (...query: Parameters<Reader['execute']>) => {
        queries += 1
        return db.execute(...query)
      },
    },
  })
  return { readiness: databaseReadiness(counted), pool, queries: () => queries }
}

test('is ready when the newest migration has run', async () => {
  const { readiness, pool } = await openReadiness()
  expect(await readiness()).toBe('ready')
  await pool.query('update migrations set name = $1 where name = (select max(name) from migrations)', ['0000_older'])
  expect(await readiness()).toBe('not migrated')
})

test('shares one query among a hundred concurrent checks, and queries again later', async () => {
  const { readiness, pool, queries } = await openReadiness()
  const responses = await Promise.all(Array.from({ length: 100 }, () => readiness()))
  expect(new Set(responses)).toEqual(new Set(['ready']))
  expect(queries()).toBe(1)
  await pool.query('drop table migrations')
  expect(await readiness()).toBe('no database')
  expect(queries()).toBe(2)
})
