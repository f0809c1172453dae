import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sellVoucher } from '#payments/contract-desk.ts'
import { lastBackup } from '#platform/database/backup/records.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio } from '#testing/studio-under-test.ts'
import { extendVoucher } from '#vouchers/contract.ts'
import { migrateDatabase } from '../prepare-database.ts'
import { journalFile, updateJournal } from './journal.ts'
import { ask, openEmptyPlace, openFolder, openSiteOn } from './places-under-test.ts'
import { makeBackup } from './recorded-backup.ts'

const run = promisify(execFile)
const { PATH, NODE_COMPILE_CACHE } = process.env // uses the compile cache, as the commands do

/** Runs a command as npm does. */
async function command(name: 'admin' | 'backup' | 'restore', env: Record<string, string>, ...args: string[]) {
  const program = join(import.meta.dirname, `../${name}.ts`)
  const options = { env: { PATH, NODE_COMPILE_CACHE, ...env } }
  return await run(process.execPath, [program, ...args], options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
}

test('backs up, verifies and restores by command while a site runs', async () => {
  const { studio, ana } = await openStudio()
  const [folder, place] = [await openFolder(), await openEmptyPlace()]
  const site = { DATABASE_URL: studio.settings.databaseUrl as string, DATA_DIR: studio.settings.dataDir }
  const key = join(folder, 'key.txt')
  const made = await command('backup', {}, '--new-key', key)
  const recipient = /age1\S+/.exec(made.output)?.[0] ?? ''
  expect((await stat(key)).mode & 0o777).toBe(0o600)

  const file = join(folder, 'studio.tar.zst.age')
  const backup = await command('backup', site, file, '--to', recipient, '--with-secrets')
  expect(backup).toMatchObject({ code: 0, output: expect.stringContaining(`${file} is complete`) })
  expect(backup.output).not.toContain('does not contain the secrets')
  expect((await lastBackup(studio.db)).made?.file).toBe(file)
  const verified = await command('restore', site, '--verify', file, '--identity', key)
  expect(verified).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^users +3 rows, [0-9a-f]{12}… +as backed up$/m),
  })

  const elsewhere = { DATABASE_URL: place, DATA_DIR: folder }
  const secrets = join(folder, 'secrets.env')
  const withoutKey = await command('restore', elsewhere, file, '--identity', key, '--secrets-to', secrets)
  expect(withoutKey).toMatchObject({ code: 1, output: expect.stringContaining('which HEALTH_DATA_KEY does not hold') })
  const HEALTH_DATA_KEY = /^HEALTH_DATA_KEY="(.*)"$/m.exec(await readFile(secrets, 'utf8'))?.[1] ?? ''
  const restored = await command('restore', { ...elsewhere, HEALTH_DATA_KEY }, file, '--identity', key)
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('Restored: the studio as it was at') })
  expect(restored.output).toMatch(/^as it was {2}members and their profiles +3$/m)
  expect(restored.output).toMatch(/^repeated +receipt numbers +the next is 1$/m)
  expect(restored.output).toMatch(/^to do +bookings since +unknown: /m)
  expect(await ask(place, 'select id from users where id = $1', [ana.id])).toHaveLength(1)
  expect(await ask(place, 'select settled_at is not null as settled from restores')).toEqual([{ settled: true }])
  expect(await ask(place, "select to_regclass('pgboss.job') is not null as queue")).toEqual([{ queue: true }])
})

test('a restore by command ends vouchers redeemed since, emails none again, and counts those sold since', async () => {
  // Before and after the backup, which uses the real time.
  const studio = await openEmptyStudio({ now: '2025-12-01 09:00' })
  const [dora, ana] = [await studio.admin('Dora'), await studio.member('Ana')]
  const { id: packageId } = await studio.createPackage({ price: '45.00' })
  const sell = async (admin: Person, gift: object) => {
    const body = { packageId, method: 'cash' as const, gift: { recipientName: 'Grace', ...gift } }
    return (await admin.call(sellVoucher, { params: { id: ana.id }, body })).body
  }
  const redeemed = await sell(dora, {})
  const sent = await sell(dora, { recipientEmail: 'grace@gifts.example', sendOn: '2026-11-30' })
  for (const { id } of [redeemed, sent])
    await dora.call(extendVoucher, { params: { id }, body: { validUntil: '2040-01-01' } })
  const card = (await studio.mailTo(ana)).find(({ text }) => text.includes(redeemed.lastFour))
  const code = /[2-9A-Z]{4}(?:-[2-9A-Z]{4}){2}/.exec(card?.text ?? '')?.[0] ?? ''
  const [place, elsewhere, folder] = [await openEmptyPlace(), await openEmptyPlace(), await openFolder()]
  const file = join(folder, 'studio.tar.zst')
  const HEALTH_DATA_KEY = studio.settings.healthDataKeys.map((key) => key.toString('base64')).join(',')
  const on = (url: string) => ({ DATABASE_URL: url, DATA_DIR: folder, HEALTH_DATA_KEY })
  expect((await command('backup', on(studio.settings.databaseUrl as string), file)).code).toBe(0)
  expect((await command('restore', on(place), file)).code).toBe(0)

  studio.travelTo('2036-12-01 09:00')
  const there = await openSiteOn(place, studio)
  const [owner, member] = [there.loggedInAs(dora), there.loggedInAs(ana)]
  for (const person of [owner, member]) await studio.logIn(person)
  expect((await member.request('POST', '/api/vouchers/redeem', { code })).status).toBe(201)
  await there.server.workers['send-vouchers']({}, 'by hand')
  await sell(owner, {})
  await updateJournal(journalFile(folder), there.server.database.db)
  await there.server.close()

  const stateOf = (url: string) =>
    ask(
      url,
      'select last_four, redeemed_at is not null as redeemed, sent_at is not null as sent from vouchers order by id',
    )
  const again = await command('restore', on(place), file, '--replace')
  expect(again.output).toMatch(/^repeated +vouchers redeemed or voided since; .* 1$/m)
  expect(again.output).toMatch(/^to do +gift vouchers sold since +1: their codes no longer work/m)
  expect(await stateOf(place)).toEqual([
    { last_four: redeemed.lastFour, redeemed: true, sent: false },
    { last_four: sent.lastFour, redeemed: false, sent: true },
  ])

  // Only the journal is left.
  const lost = await command('restore', on(elsewhere), file, '--receipts-from', '10')
  expect(lost.output).toMatch(/^repeated +vouchers redeemed or voided since; .* 1$/m)
  expect(lost.output).toMatch(/^to do +gift vouchers sold since +unknown: /m)
  expect(await stateOf(elsewhere)).toMatchObject([{ redeemed: true }, { redeemed: false }])
})

test('every command refuses a database of another baseline and changes nothing', async () => {
  const [url, folder, DATA_DIR] = [await openEmptyPlace(), await openFolder(), await openFolder()]
  const file = join(folder, 'studio.tar.zst')
  await migrateDatabase(url)
  await makeBackup(url, { file })
  await ask(url, "update migrations set checksum = 'other' where name = (select max(name) from migrations)")
  const state = () =>
    ask(
      url,
      `select (select count(*)::int from users) as users, (select count(*)::int from backups) as backups,
        (select count(*)::int from restores) as restores, (select count(*)::int from migrations) as migrations`,
    )
  const before = await state()
  const on = { DATABASE_URL: url, DATA_DIR }
  const refused = await Promise.all([
    command('admin', on, 'owner@studio.example'),
    command('backup', on, join(folder, 'another.tar.zst')),
    command('restore', on, file, '--replace'),
  ])
  for (const { code, output } of refused) {
    expect([code, output]).toEqual([1, expect.stringContaining('The database is of another baseline: ')])
    expect(output).toContain('Start it with the version that made it, or use a new, empty database.')
    expect(output).not.toMatch(/\n\s+at /)
  }
  expect(await state()).toEqual(before)
  expect(await readdir(folder)).toEqual(['studio.tar.zst'])
})

test.each([
  ['backup', ['--with-secrets'], 'only an encrypted backup can contain secrets: --with-secrets --to'],
  ['backup', ['--to', 'AGE-SECRET-KEY-1'], '--to must be an age public key'],
  ['restore', [], 'name a backup: npm run restore -- <file>'],
  ['restore', ['x', '--identity', 'nowhere.txt'], 'nowhere.txt cannot be read'],
  ['restore', ['x', '--receipts-from', 'many'], 'name a backup: npm run restore -- <file>'],
] as const)('%s %j is answered with a sentence', async (name, args, sentence) => {
  const { code, output } = await command(
    name,
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: await openFolder() },
    ...args,
  )
  expect([code, output]).toEqual([1, expect.stringContaining(sentence)])
  expect(output).not.toMatch(/\n\s+at |SECRET-KEY/)
})
