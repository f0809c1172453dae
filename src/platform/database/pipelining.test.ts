import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { countStatements } from '#testing/statements.ts'
import { openTestDatabase } from '#testing/test-databases.ts'
import { LIMITS } from '../limits.ts'
import { openDatabase } from './database.ts'
import { databaseErrorOf, isOutage } from './outage.ts'

const notes = pgTable('notes', { id: integer().primaryKey(), text: text().notNull() })

async function openOne() {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  const database = openDatabase(url, { connections: 1 })
  onTestFinished(async () => {
    await database.close()
    await drop()
  })
  await database.pool.query('create table notes (id integer primary key, text text not null)')
  const add = (id: number, text: string) => sql`insert into notes values (${id}, ${text})`
  const texts = async () =>
    (await database.pool.query('select text from notes order by id')).rows.map(({ text }) => text)
  return { database, add, texts }
}

test('runs statements that are sent together in order', async () => {
  const { database, add } = await openOne()
  const seen = await database.transaction(async (tx) => {
    const count = () => tx.execute<{ count: number }>(sql`select count(*)::int as count from notes`)
    const [before, , between, , after] = await Promise.all([
      count(),
      tx.execute(add(1, 'one')),
      count(),
      tx.execute(add(2, 'two')),
      count(),
    ])
    return [before, between, after].map(({ rows }) => rows[0]?.count)
  })
  expect(seen).toEqual([0, 1, 2])
})

test('reports the statement that failed among several, rolls all back and keeps the connection', async () => {
  const { database, add, texts } = await openOne()
  const fault = await database
    .transaction((tx) => Promise.all([add(1, 'one'), add(1, 'twice'), add(2, 'two')].map((note) => tx.execute(note))))
    .catch((error) => error)
  expect(databaseErrorOf(fault)).toEqual({ code: '23505', constraint: 'notes_pkey' })
  expect(await texts()).toEqual([])
  await database.transaction((tx) => tx.execute(add(1, 'again')))
  expect(await texts()).toEqual(['again'])
})

test('reports the statement that failed when the failures after it are caught first', async () => {
  const { database, add } = await openOne()
  const fault = await database
    .transaction(async (tx) => {
      await tx.execute(add(1, 'one'))
      const atFault = tx.execute(add(1, 'twice')).then()
      const afterwards = tx.execute(add(2, 'two')).then()
      const heardLate = atFault.catch(async (error) => {
        await afterwards.catch(() => {})
        throw error
      })
      await Promise.all([heardLate, afterwards])
    })
    .catch((error) => error)
  expect(databaseErrorOf(fault)).toEqual({ code: '23505', constraint: 'notes_pkey' })
})

test('leaves no transaction open when the work sends nothing or throws first', async () => {
  const { database } = await openOne()
  await database.transaction(async () => {})
  await expect(database.transaction(() => Promise.reject(new Error('before')))).rejects.toThrow('before')
  const { rows } = await database.pool.query(
    'select pg_current_xact_id_if_assigned() as id, now() = statement_timestamp() as alone',
  )
  expect(rows).toEqual([{ id: null, alone: true }])
})

test('runs a prepared statement again after it failed', async () => {
  const { database, texts } = await openOne()
  const add = (id: number) =>
    database.transaction((tx) =>
      tx
        .insert(notes)
        .values({ id, text: `number ${id}` })
        .prepare('add_note')
        .execute(),
    )
  for (const id of [1, 2, 3]) await add(id)
  await expect(add(3)).rejects.toThrow()
  await add(4)
  expect(await texts()).toHaveLength(4)
  const { rows } = await database.pool.query('select name from pg_prepared_statements')
  // A pooler renames statements.
  expect(rows).toEqual([{ name: expect.stringMatching(/^(add_note|PGBOUNCER_\d+)$/) }])
})

type Setting = { name: string; setting: string }
const limitsNow = sql`select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout') order by name`
const background = [
  { name: 'lock_timeout', setting: String(LIMITS.background.lockMs) },
  { name: 'statement_timeout', setting: String(LIMITS.background.statementMs) },
]

test('sets the time limits in each transaction and for each lone statement, and leaves none in the session', async () => {
  const { database } = await openOne()
  expect((await database.db.execute<Setting>(limitsNow)).rows).toEqual(background)
  expect((await database.transaction((tx) => tx.execute<Setting>(limitsNow))).rows).toEqual(background)
  const { rows } = await database.pool.query('show statement_timeout')
  expect(rows).toEqual([{ statement_timeout: '0' }])
  expect(await countStatements(() => database.db.execute(limitsNow))).toBe(1)
})

test('keeps the connection when a lone statement fails', async () => {
  const { database, add, texts } = await openOne()
  await database.db.execute(add(1, 'one'))
  const fault = await database.db.execute(add(1, 'twice')).catch((error) => error)
  expect(databaseErrorOf(fault)).toEqual({ code: '23505', constraint: 'notes_pkey' })
  await database.db.execute(add(2, 'two'))
  expect(await texts()).toEqual(['one', 'two'])
})

test('rejects when a failed statement was ignored, because nothing was committed', async () => {
  const { database, add, texts } = await openOne()
  const overlooking = database.transaction(async (tx) => {
    await tx.execute(add(1, 'one'))
    await tx.execute(add(1, 'twice')).catch(() => {})
  })
  await expect(overlooking).rejects.toThrow('had failed')
  expect(await texts()).toEqual([])
})

test('opens a new connection after one was lost, and reports the loss as an outage', async () => {
  const { database, add, texts } = await openOne()
  const lost = database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await endConnection(rows[0]?.pid)
    await tx.execute(add(1, 'never'))
  })
  expect(isOutage(await lost.catch((error) => error))).toBe(true)
  await database.transaction((tx) => tx.execute(add(1, 'after')))
  expect(await texts()).toEqual(['after'])
})

async function endConnection(pid: number | undefined) {
  const other = openDatabase(inject('databaseServer'), { connections: 1 })
  await other.pool.query('select pg_terminate_backend($1, 5000)', [pid])
  await other.close()
}
