import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { databaseUrl, openTestDatabase } from '#testing/test-databases.ts'
import { migrate, SchemaMismatch } from './migrate.ts'

async function openEmptyDatabase() {
  const url = inject('databaseServer')
  const { url: copy, drop } = await openTestDatabase(url)
  const name = new URL(copy).pathname.slice(1)
  const ask = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: databaseUrl(url, name) })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
  await ask('drop schema public cascade; drop schema pgboss cascade; create schema public')
  const folder = await mkdtemp(join(tmpdir(), 'studio-migrations-'))
  onTestFinished(async () => {
    await drop()
    await rm(folder, { recursive: true, force: true })
  })
  const write = (file: string, text: string) => writeFile(join(folder, file), text)
  return { url: copy, folder, write, ask }
}

test('runs files once, in the order of their names, and records each', async () => {
  const { url, folder, write, ask } = await openEmptyDatabase()
  await write('0002_b.sql', 'insert into steps values (2);')
  await write('0001_a.sql', 'create table steps (step integer); insert into steps values (1);')
  await write('notes.txt', 'not a migration')
  expect(await migrate(url, folder)).toEqual(['0001_a.sql', '0002_b.sql'])
  expect(await migrate(url, folder)).toEqual([])
  await write('0003_c.sql', 'insert into steps values (3);')
  expect(await migrate(url, folder)).toEqual(['0003_c.sql'])
  expect(await ask('select step from steps order by step')).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }])
})

test('runs each file in one of two concurrent processes', async () => {
  const { url, folder, write, ask } = await openEmptyDatabase()
  // Without the lock the second process would fail at `create table`, or run the file again.
  await write(
    '0001_slow.sql',
    'create table runs (at timestamptz default clock_timestamp()); select pg_sleep(0.3); insert into runs default values;',
  )
  await write('0002_next.sql', 'insert into runs default values;')
  const program = `
    const { migrate } = await import(${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))})
    console.log(JSON.stringify(await migrate(process.argv[1], process.argv[2])))`
  const run = () =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', url, folder])
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data) => {
          output += data
        })
      }
      child.on('close', (code) => resolve({ code, output }))
    })
  const ended = await Promise.all([run(), run(), run()])
  expect(ended.map(({ code, output }) => (code === 0 ? 'done' : output))).toEqual(['done', 'done', 'done'])
  const done = ended.flatMap(({ output }) => JSON.parse(output) as string[])
  expect(done.sort()).toEqual(['0001_slow.sql', '0002_next.sql'])
  expect(await ask('select count(*)::int from runs')).toEqual([{ count: 2 }])
})

test('does not count line ends', async () => {
  const { url, folder, write } = await openEmptyDatabase()
  await write('0001_a.sql', 'create table a (id integer);\n-- a note\n')
  await migrate(url, folder)
  await write('0001_a.sql', 'create table a (id integer);\r\n-- a note\r\n')
  expect(await migrate(url, folder)).toEqual([])
})

const A = 'create table a (id integer);'
const B = 'create table b (id integer);'
const C = 'create table c (id integer);'

test.each<[what: string, files: Record<string, string>, other: string]>([
  ['a changed file', { '0001_a.sql': A, '0002_b.sql': `${B} -- changed`, '0003_c.sql': C }, '0002_b.sql'],
  ['a missing file', { '0002_b.sql': B, '0003_c.sql': C }, '0001_a.sql'],
  ['a renamed file', { '0001_z.sql': A, '0002_b.sql': B, '0003_c.sql': C }, '0001_a.sql'],
  ['a file in between', { '0001_a.sql': A, '0001_z.sql': C, '0002_b.sql': B }, '0002_b.sql'],
])('refuses a database of another baseline: %s', async (_what, files, other) => {
  const { url, folder, write, ask } = await openEmptyDatabase()
  await write('0001_a.sql', A)
  await write('0002_b.sql', B)
  await migrate(url, folder)
  const before = await ask('select * from migrations order by name')
  await rm(folder, { recursive: true })
  await mkdir(folder)
  for (const [file, text] of Object.entries(files)) await write(file, text)
  for (const newerSchema of ['refuse', 'allow'] as const) {
    const refused = migrate(url, folder, newerSchema)
    await expect(refused).rejects.toThrow(SchemaMismatch)
    await expect(refused).rejects.toThrow(
      `The database is of another baseline: its migrations differ from this version's, from ${other} on. Start it with the version that made it, or use a new, empty database.`,
    )
  }
  expect(await ask('select * from migrations order by name')).toEqual(before)
  expect(await ask("select to_regclass('c') as c")).toEqual([{ c: null }])
})

test('refuses a newer database, or leaves it as it is where that is allowed', async () => {
  const { url, folder, write, ask } = await openEmptyDatabase()
  await write('0001_a.sql', A)
  await write('0002_b.sql', B)
  await migrate(url, folder)
  await rm(join(folder, '0002_b.sql'))
  const refused = migrate(url, folder)
  await expect(refused).rejects.toThrow(SchemaMismatch)
  await expect(refused).rejects.toThrow(
    'The database is newer than this version of the site: its newest migration is 0002_b.sql, the newest here is 0001_a.sql.',
  )
  expect(await migrate(url, folder, 'allow')).toEqual([])
  expect(await ask('select name from migrations order by name')).toEqual([
    { name: '0001_a.sql' },
    { name: '0002_b.sql' },
  ])
})

test('rolls back a failing file, keeps the earlier ones, and runs it once it is fixed', async () => {
  const { url, folder, write, ask } = await openEmptyDatabase()
  await write('0001_good.sql', 'create table good (id integer);')
  await write('0002_bad.sql', 'create table bad (id integer); insert into bad values (1); select nonsense;')
  await write('0003_never.sql', 'create table never (id integer);')
  await expect(migrate(url, folder)).rejects.toThrow('migrations/0002_bad.sql failed and was undone')
  expect(
    await ask("select to_regclass('good')::text as good, to_regclass('bad') as bad, to_regclass('never') as never"),
  ).toEqual([{ good: 'good', bad: null, never: null }])
  expect(await ask('select name from migrations')).toEqual([{ name: '0001_good.sql' }])
  await write('0002_bad.sql', 'create table bad (id integer);')
  expect(await migrate(url, folder)).toEqual(['0002_bad.sql', '0003_never.sql'])
})

test('runs a file and records it in one transaction', async () => {
  const { url, folder, write, ask } = await openEmptyDatabase()
  // This file records itself, so recording it again fails.
  const note = "insert into migrations (name, checksum) values ('0001_a.sql', 'x')"
  await write('0001_a.sql', `create table a (id integer); ${note};`)
  await expect(migrate(url, folder)).rejects.toThrow('migrations/0001_a.sql failed and was undone')
  expect(await ask("select to_regclass('a') as a, (select count(*)::int from migrations) as notes")).toEqual([
    { a: null, notes: 0 },
  ])
})

test('migrates an empty database to the schema of the tests', async () => {
  const { url, ask } = await openEmptyDatabase()
  const files = (await readdir(join(import.meta.dirname, '../../../migrations'))).filter((file) =>
    file.endsWith('.sql'),
  )
  expect(await migrate(url)).toEqual(files.sort())
  expect(await migrate(url)).toEqual([])
  expect(await ask("select to_regclass('bookings')::text as bookings")).toEqual([{ bookings: 'bookings' }])
})
