import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Add, readArchive, writeArchive } from '#platform/database/backup/archive.ts'
import { readBackup } from '#platform/database/backup/whole-backup.ts'
import { openEmptyStudio, openStudio } from '#testing/studio-under-test.ts'
import { applicationVersion } from './command.ts'
import { ask, backUp, here, openEmptyPlace, openFolder, restore } from './places-under-test.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

type Change = (name: string, content: Buffer) => Buffer | undefined

/** A changed copy of a backup, written by the program, so that the archive is valid. */
async function forge(file: string, change: Change): Promise<string> {
  const forged = join(await openFolder(), 'forged.tar.zst')
  await writeArchive(forged, undefined, async (add: Add) => {
    for await (const { name, content } of readArchive(file, [])) {
      const changed = change(name, content)
      if (changed) await add(name, changed)
    }
  })
  return forged
}

const inManifest =
  (from: string | RegExp, to: string): Change =>
  (name, content) =>
    name === 'manifest.json' ? Buffer.from(content.toString().replace(from, to)) : content

const read = (file: string) => readBackup(file, [], '0.1.0')

test('refuses a file that is cut short, was changed or is no backup, before it changes anything', async () => {
  const { studio } = await openStudio()
  const { file } = await backUp(studio)
  const { size } = await stat(file)

  const whole = await readFile(file)
  for (const bytes of [0, 10, Math.floor(size / 2), size - 1]) {
    await truncate(file, bytes)
    await expect(read(file)).rejects.toThrow(/cut short|not a complete backup/)
    await writeFile(file, whole)
  }
  const flipped = Buffer.from(whole)
  flipped[Math.floor(size / 2)] = (flipped[Math.floor(size / 2)] ?? 0) ^ 1
  await writeFile(file, flipped)
  await expect(read(file)).rejects.toThrow(/cut short, was changed/)
  await writeFile(file, 'a letter to the bank')
  await expect(read(file)).rejects.toThrow('cannot be read as a backup')
  await expect(read(`${file}.not`)).rejects.toThrow('cannot be opened')
  await writeFile(file, whole)

  const richer = await forge(file, (name, content) =>
    name.startsWith('tables/passes/') ? Buffer.from(content.toString().replace('\t10\t', '\t99\t')) : content,
  )
  await expect(read(richer)).rejects.toThrow('was changed: its table passes does not match its manifest')
  const shorter = await forge(file, (name, content) => (name.startsWith('tables/users/') ? undefined : content))
  await expect(read(shorter)).rejects.toThrow('its table users does not match')
  const headless = await forge(file, (name, content) => (name === 'manifest.json' ? undefined : content))
  await expect(read(headless)).rejects.toThrow('its end, the manifest, is missing')
})

test('refuses a backup of a newer version or of another baseline and names both versions', async () => {
  const { studio } = await openStudio()
  const { file } = await backUp(studio)
  const newer = await forge(file, inManifest('"format": 1', '"format": 2'))
  const version = await applicationVersion()
  await expect(read(newer)).rejects.toThrow(
    `made by version ${version} of the site, in a newer format (2) than this version, 0.1.0, can read (1)`,
  )
  const carpets = ', { "name": "9999_flying_carpets.sql", "checksum": "x" }'
  const further = await forge(file, inManifest(/(?=\],\s+"tables")/, carpets))
  const place = await openEmptyPlace()
  await expect(restore(studio, further, place)).rejects.toThrow(
    `newer version of the site, ${version} (migration 9999_flying_carpets.sql). This is 0.1.0 (migration `,
  )
  const other = await forge(file, inManifest(/"checksum": "[0-9a-f]{64}"/, '"checksum": "x"'))
  const refused = `Version ${version} of the site made it, and this is 0.1.0. Restore it with the version that made it.`
  await expect(restore(studio, other, place)).rejects.toThrow('is of another baseline: ')
  await expect(restore(studio, other, place)).rejects.toThrow(refused)
  await expect(verifyBackup(place, await read(other), await here())).rejects.toThrow(refused)
  expect(await ask(place, "select to_regclass('migrations') as migrations")).toEqual([{ migrations: null }])
})

test('migrates a backup of an older version', async () => {
  const { studio, ana } = await openStudio()
  const { file } = await backUp(studio)
  const { application, migrations } = await here()
  const since = [
    {
      name: '9998_a.sql',
      checksum: 'a',
      text: "insert into class_series (repeat_frequency, repeat_until_date, first_date) values ('weekly', '2027-01-01', '2026-12-07'); update bookings set total_amount_pence = 7",
    },
    {
      name: '9999_b.sql',
      checksum: 'b',
      text: 'alter table bookings add column guests integer not null default 0; alter table users add column nickname text',
    },
  ]
  await ana.book(await studio.createClass('Tuesday 18:00'))
  const place = await openEmptyPlace()
  const newer = { application, migrations: [...migrations, ...since] }
  const wish = {
    replace: false,
    isDemo: true,
    journal: { erased: [], withdrawals: [] },
    withoutHealth: false,
    healthDataKeys: studio.settings.healthDataKeys,
    now: studio.clock.now(),
  }
  await restoreBackup(place, await read(file), newer, wish)
  expect(await ask(place, 'select nickname from users')).toHaveLength(3)
  expect(await ask(place, "select name from migrations where name > '9'")).toEqual([
    { name: '9998_a.sql' },
    { name: '9999_b.sql' },
  ])
})

test('keeps existing data without --replace; a killed restore leaves the old data or the new, never a mixture', async () => {
  const { studio, ana } = await openStudio()
  const place = await openEmptyPlace()
  const { file } = await backUp(studio)
  await restore(studio, file, place)
  const held = () => ask<{ email: string }>(place, 'select email from users order by email')
  const first = await held()
  await studio.member('Carl')
  const later = await backUp(studio)
  await expect(restore(studio, later.file, place)).rejects.toThrow(
    /This database already contains a studio.*add --replace/,
  )
  const wrong = await forge(later.file, inManifest(/"credits left on passes": "\d+"/, '"credits left on passes": "1"'))
  await expect(restore(studio, wrong, place, { replace: true })).rejects.toThrow(
    'does not add up: credits left on passes',
  )
  expect(await held()).toEqual(first)

  // A lock on a table stops the restore before it drops that; then it is killed.
  const reader = new pg.Client({ connectionString: place })
  await reader.connect()
  onTestFinished(() => reader.end())
  await reader.query('begin; select from waiting_list')
  const killed = expect(restore(studio, later.file, place, { replace: true })).rejects.toThrow(/terminat/)
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'studio restore' and wait_event_type = 'Lock' and datname = current_database()`
  await vi.waitUntil(async () => (await ask(place, kill)).length === 1, { timeout: 60_000 })
  await killed
  await reader.query('commit')
  expect(await held()).toEqual(first)

  await restore(studio, later.file, place, { replace: true })
  expect(await held()).toHaveLength(first.length + 1)
  expect(await ask(place, 'select taken_at from restores')).toHaveLength(1)
  expect(await ask(place, 'select id from users where id = $1', [ana.id])).toHaveLength(1)
})

test('refuses to restore while a site runs, and into another application’s database', async () => {
  const studio = await openEmptyStudio()
  const { file } = await backUp(studio)
  // Its queues would query all the time; behind a pooler it is connected only during a query.
  const client = await studio.server.database.pool.connect()
  await client.query('begin')
  await expect(restore(studio, file, studio.settings.databaseUrl as string, { replace: true })).rejects.toThrow(
    'A site is running on this database. Stop it first',
  )
  await client.query('rollback')
  client.release()
  const place = await openEmptyPlace()
  await ask(place, 'create table recipes (id integer primary key)')
  await expect(restore(studio, file, place, { replace: true })).rejects.toThrow("not the studio's (recipes)")
  await ask(place, 'drop table recipes')
  await restore(studio, file, place)
  expect(await ask(place, 'select taken_at from restores')).toHaveLength(1)
})

test('verifies a backup in a separate database and drops that', async () => {
  const { studio, ana } = await openStudio()
  await ana.book(await studio.createClass('Tuesday 18:00'))
  const { file } = await backUp(studio)
  const url = studio.settings.databaseUrl as string
  const lately = `studio_verify_${Date.now().toString(36)}_0`
  for (const name of ['studio_verify_1_0', lately]) await ask(url, `create database ${name}`)
  onTestFinished(async () => void (await ask(url, `drop database ${lately}`)))
  const wrong = (findings: Awaited<ReturnType<typeof verifyBackup>>) =>
    findings.filter(({ expected, found }) => expected !== found).map(({ what }) => what)

  const findings = await verifyBackup(url, await read(file), await here())
  expect(wrong(findings)).toEqual([])
  expect(findings.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['bookings', 'users', 'bookings_id_seq', 'credits that the ledger moved']),
  )
  const forged = await forge(file, inManifest(/"pence paid for purchases": "\d+"/, '"pence paid for purchases": "5"'))
  expect(wrong(await verifyBackup(url, await read(forged), await here()))).toEqual(['pence paid for purchases'])
  const left = "select datname as name from pg_database where datname in ('studio_verify_1_0', $1)"
  expect(await ask(url, left, [lately])).toEqual([{ name: lately }])
})
