import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../testing/test-databases.ts'
import { databaseErrorOf, openDatabase } from './database.ts'

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

test('what is asked for together runs in the order of the asking', async () => {
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

test('of statements asked for together the one at fault is named, all is undone, and the connection goes on', async () => {
  const { database, add, texts } = await openOne()
  const fault = await database
    .transaction((tx) => Promise.all([add(1, 'one'), add(1, 'twice'), add(2, 'two')].map((note) => tx.execute(note))))
    .catch((error) => error)
  expect(databaseErrorOf(fault)).toEqual({ code: '23505', constraint: 'notes_pkey' })
  expect(await texts()).toEqual([])
  await database.transaction((tx) => tx.execute(add(1, 'again')))
  expect(await texts()).toEqual(['again'])
})

test('a transaction that asks for nothing, or throws before it does, leaves none open', async () => {
  const { database } = await openOne()
  await database.transaction(async () => {})
  await expect(database.transaction(() => Promise.reject(new Error('before')))).rejects.toThrow('before')
  const { rows } = await database.pool.query(
    'select pg_current_xact_id_if_assigned() as id, now() = statement_timestamp() as alone',
  )
  expect(rows).toEqual([{ id: null, alone: true }])
})

test('a statement that comes often is prepared once, and answers as before', async () => {
  const { database, texts } = await openOne()
  for (const id of [1, 2, 3, 4, 5]) {
    await database.db.execute(sql`insert into notes (text, id) values (${`number ${id}`}, ${id})`)
  }
  const { rows } = await database.pool.query(
    "select name, generic_plans + custom_plans as runs from pg_prepared_statements where statement like 'insert into notes (text, id)%'",
  )
  // The first two times it might have been a stranger.
  expect(rows).toEqual([{ name: expect.stringMatching(/^studio_\d+$/), runs: '3' }])
  expect(await texts()).toHaveLength(5)
})

test('a prepared statement that is refused can be asked again', async () => {
  const { database, add, texts } = await openOne()
  for (const id of [1, 2, 3]) await database.db.execute(add(id, `number ${id}`))
  await expect(database.db.execute(add(3, 'taken'))).rejects.toThrow()
  await database.db.execute(add(4, 'number 4'))
  expect(await texts()).toHaveLength(4)
})

test('on a connection that was lost the first statement fails, and the next transaction gets a new one', async () => {
  const { database, add, texts } = await openOne()
  const lost = database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await endConnection(rows[0]?.pid)
    await tx.execute(add(1, 'never'))
  })
  await expect(lost).rejects.toThrow()
  await database.transaction((tx) => tx.execute(add(1, 'after')))
  expect(await texts()).toEqual(['after'])
})

async function endConnection(pid: number | undefined) {
  const other = openDatabase(inject('databaseServer'), { connections: 1 })
  await other.pool.query('select pg_terminate_backend($1, 5000)', [pid])
  await other.close()
}
