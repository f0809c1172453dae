import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import { readBackup } from '#platform/database/backup/whole-backup.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { secretLines } from './command.ts'
import { ask, backUp, openEmptyPlace, openFolder, openSiteOn, restore } from './places-under-test.ts'
import { makeBackup } from './recorded-backup.ts'

test('restores a studio elsewhere as a role that is no superuser, with the same rows, sums and constraints', async () => {
  const { studio, bank, ana, boris, dora } = await openStudioWithBank()
  const bought = await studio.createPackage({ price: '45.00' })
  const payment = await startPayment(ana, bought)
  await bank.pay(payment)
  await activatePass(ana, bought, payment)
  const [kept, left] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Friday 18:00')]
  await ana.book(kept)
  const given = await ana.book(left)
  await ana.cancel(given.body.id)
  await studio.completeHealth(boris)

  const { file, manifest } = await backUp(studio)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const place = await openEmptyPlace()
  await restore(studio, file, place)

  const again = await makeBackup(place, { file: join(await openFolder(), 'again.tar.zst') })
  const ofRestores = ['restores', 'restores_id_seq']
  const others = (all: object) => Object.entries(all).filter(([name]) => !ofRestores.includes(name))
  expect(others(again.manifest.tables)).toEqual(others(manifest.tables))
  expect(others(again.manifest.sequences)).toEqual(others(manifest.sequences))
  expect(again.manifest.sums).toEqual(manifest.sums)
  expect(manifest.sums).toMatchObject({ 'pence paid for purchases': '4500' })
  expect(Number(manifest.sums['credits that the ledger moved'])).toBeGreaterThan(10)

  const there = await openSiteOn(place, studio)
  // Sessions are not restored.
  expect((await there.loggedInAs(ana).request('GET', '/api/auth/user')).status).toBe(401)
  const anaThere = there.loggedInAs(ana)
  await studio.logIn(anaThere)
  const { body: upcoming } = await anaThere.request('GET', '/api/bookings/upcoming')
  expect(upcoming).toMatchObject([{ classId: kept }])
  expect((await anaThere.cancel(upcoming[0].id)).body).toMatchObject({ paymentStatus: 'refunded' })
  expect(await brokenInvariants(there.server.database.pool)).toEqual([])
  await expect(ask(place, 'delete from credit_ledger')).rejects.toThrow('credit_ledger is append-only')
  await expect(ask(place, 'update packages set price_pence = 2')).rejects.toThrow(
    'a_package_on_sale_costs_at_least_thirty_pence',
  )
  const doraThere = there.loggedInAs(dora)
  await studio.logIn(doraThere)
  expect((await doraThere.request('GET', `/api/admin/users`)).body.length).toBeGreaterThanOrEqual(3)
})

test('backs up one moment: rows written in the meantime are not in it', async () => {
  const { studio, ana } = await openStudio()
  const url = studio.settings.databaseUrl as string
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  onTestFinished(() => holder.end())
  // The lock delays the first table; passes and the ledger come later.
  await holder.query('begin; lock table audit_log in access exclusive mode')
  const before = await studio.count('select sum(credits) from credit_ledger')
  const making = backUp(studio)
  const waiting =
    "select count(*) from pg_stat_activity where application_name = 'studio backup' and wait_event_type = 'Lock' and datname = current_database()"
  await vi.waitUntil(async () => (await studio.count(waiting)) === 1, { timeout: 60_000 })
  await studio.grantCredits(ana, 5)
  await holder.query('commit')
  const { manifest } = await making
  expect(manifest.sums['credits that the ledger moved']).toBe(String(before))
  expect(manifest.tables.passes?.rows).toBe(1)
})

test('opens an encrypted backup with its key only, and includes secrets only in one', async () => {
  const { studio, ana } = await openStudio()
  const [identity, stranger] = await Promise.all([generateX25519Identity(), generateX25519Identity()])
  const recipient = await identityToRecipient(identity)
  const secrets = secretLines(studio.settings, { SMTP_URL: 'smtp://me:hush@mail.example' })
  expect(secrets).toContain('SMTP_URL="smtp://me:hush@mail.example"\n')
  expect(secrets).toContain(`HEALTH_DATA_KEY="${studio.settings.healthDataKeys[0]?.toString('base64')}"\n`)

  await expect(backUp(studio, { secrets })).rejects.toThrow('Only an encrypted backup can contain secrets')
  const { file } = await backUp(studio, { recipient, secrets })
  expect((await readFile(file)).toString('latin1')).toMatch(/^age-encryption\.org/)
  await expect(readBackup(file, [], '0.1.0')).rejects.toThrow(
    'is encrypted. Add --identity <the file with its secret key>',
  )
  await expect(readBackup(file, [stranger], '0.1.0')).rejects.toThrow('cannot be read as a backup')
  expect(await readBackup(file, [identity], '0.1.0')).toMatchObject({ secrets, manifest: { holdsSecrets: true } })

  const place = await openEmptyPlace()
  await restore(studio, file, place, { identities: [identity] })
  expect(await ask(place, 'select id from users where id = $1', [ana.id])).toHaveLength(1)
  const plain = await backUp(studio)
  expect(await readBackup(plain.file, [], '0.1.0')).toMatchObject({ secrets: undefined })
})

test('restores health answers with their key; without it restores only with --without-health', async () => {
  const { studio, ana, dora } = await openStudio()
  const { body: booking } = await ana.book(await studio.createClass('Monday 18:00'))
  await dora.request('PUT', `/api/day/bookings/${booking.id}/note`, { text: 'Long spine' })
  const { file } = await backUp(studio)
  const whole = await openEmptyPlace()
  await restore(studio, file, whole)
  expect(await ask(whole, 'select booking_id from session_notes')).toEqual([{ booking_id: booking.id }])
  const [place, healthDataKeys] = [await openEmptyPlace(), [Buffer.alloc(32, 9)]]
  await expect(restore(studio, file, place, { healthDataKeys })).rejects.toThrow(
    /sealed under key [0-9a-f]{16}, which HEALTH_DATA_KEY does not hold.*secrets\.json.*--without-health/s,
  )
  expect(await ask(place, "select to_regclass('users') as users")).toEqual([{ users: null }])
  await restore(studio, file, place, { healthDataKeys, withoutHealth: true })
  expect(await ask(place, 'select id from users where id = $1', [ana.id])).toHaveLength(1)
  expect(await ask(place, 'select user_id from health_questionnaires')).toEqual([])
  expect(await ask(place, 'select booking_id from session_notes')).toEqual([])
})
