import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeAdmin, setBlock } from '#accounts/server/accounts.ts'
import { saveQuestionnaire } from '#health/contract.ts'
import { objectByAddress } from '#mailings/server/mailings.ts'
import { deleteOwnAccount } from '#privacy/contract.ts'
import { withdrawHealthConsent } from '#privacy/contract-own.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio } from '#testing/studio-under-test.ts'
import { migrateDatabase } from '../prepare-database.ts'
import { journalFile, readJournal, updateJournal } from './journal.ts'
import { ask, backUp, openEmptyPlace, openFolder, openSiteOn, restore } from './places-under-test.ts'
import { formatReport, type ReportLine, reportOf } from './restore-report.ts'
import { settleOffline } from './settle-restored.ts'

/** Before and after any test's backup, which uses the real time. */
const BEFORE = '2025-12-01 09:00'
const AFTER = '2036-12-01 09:00'

/** A studio whose backup is older than one change of every kind, and a site on another database. */
async function changedSinceBackup() {
  const studio = await openEmptyStudio({ now: BEFORE })
  const [dora, carl] = [await studio.admin('Dora'), await studio.admin('Carl')]
  const named = async (name: string, has = {}) => [name, await studio.member(name, has)] as const
  const members = Object.fromEntries([
    await named('Ana', { health: true }),
    await named('Boris'),
    await named('Emil'),
    await named('Eve', { health: true }),
    await named('Fred', { health: true }),
    await named('Gina'),
    await named('Hugo', { health: true }),
  ])
  const who = (name: string): Person => members[name] as Person
  for (const name of ['Fred', 'Hugo']) await who(name).call(saveQuestionnaire, { body: { marketingConsent: true } })
  await studio.grantCredits(who('Eve'), 3, 12 * 20)
  const classId = await studio.createClass('2036-12-05 10:00')
  const { id: packageId } = await studio.createPackage({ price: '45.00' })
  const sell = (to: Person, admin: Person) =>
    admin.request('POST', `/api/admin/users/${to.id}/purchases`, { packageId, method: 'cash', amount: '45.00' })
  expect((await sell(who('Boris'), dora)).body).toMatchObject({ receiptNumber: 1 })
  const { pool } = studio.server.database
  await pool.query(
    `insert into passkeys (user_id, credential_id, public_key, counter, label, is_synced, created_at)
     values ($1, 'kept', 'k', 0, 'Kept', true, $2), ($1, 'lost', 'k', 0, 'Lost phone', true, $2)`,
    [dora.id, '2025-12-01T09:00Z'],
  )
  await pool.query('insert into recovery_codes (code_hash, user_id, created_at) values ($1, $3, $4), ($2, $3, $4)', [
    Buffer.from('unused'),
    Buffer.from('used'),
    dora.id,
    '2025-12-01T09:00Z',
  ])
  await pool.query(
    "insert into calendar_feeds (user_id, secret_hash, shows, created_at) values ($1, $2, 'own_bookings', $3)",
    [who('Eve').id, randomBytes(32), '2025-12-01T09:00Z'],
  )
  for (const token of ['stays', 'leaves']) {
    await pool.query(
      'insert into newsletter_subscribers (token, email, requested_at, confirmed_at) values ($1, $2, $3, $3)',
      [token, `${token}@news.example`, '2025-12-01T09:00Z'],
    )
  }
  const { file } = await backUp(studio)
  const place = await openEmptyPlace()
  await restore(studio, file, place)
  studio.travelTo(AFTER)
  const now = studio.clock.now()
  const there = await openSiteOn(place, studio)
  const signedIn = async (person: Person) => {
    const again = there.loggedInAs(person)
    await studio.logIn(again)
    return again
  }
  const [ana, eve, gina, hugo, owner] = [
    await signedIn(who('Ana')),
    await signedIn(who('Eve')),
    await signedIn(who('Gina')),
    await signedIn(who('Hugo')),
    await signedIn(dora),
  ]
  const { transaction, pool: poolThere } = there.server.database
  expect((await gina.call(deleteOwnAccount)).status).toBe(200)
  expect((await ana.call(withdrawHealthConsent)).status).toBe(200)
  await transaction((tx) => objectByAddress(tx, who('Fred').email, now))
  await hugo.call(saveQuestionnaire, { body: { marketingConsent: false } })
  await poolThere.query('update users set is_admin = false where id = $1', [carl.id])
  await transaction((tx) => makeAdmin(tx, who('Emil').email, now, { keepPassword: true }))
  await transaction((tx) => setBlock(tx, who('Boris').id, 'Unpaid', now))
  expect((await eve.book(classId)).status).toBe(201)
  const changed = { currentPassword: eve.password, password: 'a-quite-new-secret' }
  expect((await eve.request('PUT', '/api/user/password', changed)).status).toBe(200)
  await poolThere.query("delete from passkeys where credential_id = 'lost'")
  await poolThere.query("delete from recovery_codes where code_hash = 'used'")
  await poolThere.query('update calendar_feeds set secret_hash = $1', [randomBytes(32)])
  await poolThere.query("delete from newsletter_subscribers where token = 'leaves'")
  expect((await sell(who('Fred'), owner)).body).toMatchObject({ receiptNumber: 2 })
  const body = { email: 'ivy@people.example', password: 'secret-of-ivy', firstName: 'Ivy', lastName: 'Cast' }
  expect((await there.loggedInAs(studio.visitor('Ivy')).request('POST', '/api/register', body)).status).toBe(201)
  const journal = journalFile(await openFolder())
  await updateJournal(journal, there.server.database.db)
  await there.server.close()
  return { studio, file, place, dora, carl, who, journal: await readJournal(journal) }
}

const linesOf = (report: readonly ReportLine[], outcome: ReportLine['outcome']) =>
  Object.fromEntries(report.filter((line) => line.outcome === outcome).map(({ what, detail }) => [what, detail]))

test('repeats withdrawals and revocations made since the backup, grants nothing, and reports the rest', async () => {
  const { studio, file, place, dora, carl, who } = await changedSinceBackup()
  const restored = await restore(studio, file, place, { replace: true, isDemo: false })
  const report = reportOf(restored, await settleOffline(place, studio.clock.now()))

  const users = await ask<{ first_name: string; is_admin: boolean; blocked: boolean; has_password: boolean }>(
    place,
    `select first_name, is_admin, blocked_at is not null as blocked, password_hash is not null as has_password
     from users order by first_name`,
  )
  const usual = { is_admin: false, blocked: false, has_password: true }
  expect(users).toEqual([
    { ...usual, first_name: 'Ana' },
    { ...usual, first_name: 'Boris', blocked: true },
    { ...usual, first_name: 'Carl' },
    { ...usual, first_name: 'Dora', is_admin: true },
    { ...usual, first_name: 'Emil' },
    { ...usual, first_name: 'Eve', has_password: false },
    { ...usual, first_name: 'Fred' },
    { ...usual, first_name: 'Hugo' },
  ])
  const emailed = await ask(
    place,
    `select first_name, marketing_consent, exists (select from marketing_objections where user_id = u.id) as objects
     from users u join health_questionnaires on user_id = u.id order by first_name`,
  )
  expect(emailed).toEqual([
    { first_name: 'Eve', marketing_consent: false, objects: false },
    { first_name: 'Fred', marketing_consent: false, objects: true },
    { first_name: 'Hugo', marketing_consent: false, objects: false },
  ])
  expect(await ask(place, 'select user_id from emergency_contacts where user_id = $1', [who('Ana').id])).toEqual([])
  expect(await ask(place, 'select label from passkeys')).toEqual([{ label: 'Kept' }])
  expect(await ask(place, "select encode(code_hash, 'escape') as code from recovery_codes")).toEqual([
    { code: 'unused' },
  ])
  expect(await ask(place, 'select user_id from calendar_feeds')).toEqual([])
  expect(await ask(place, 'select token from newsletter_subscribers')).toEqual([{ token: 'stays' }])
  const onRecord = await ask(place, `select kind, subject_id as id from security_events where at >= $1 order by kind`, [
    studio.clock.now().toString(),
  ])
  expect(onRecord).toEqual([
    { kind: 'health_withdrawn', id: who('Ana').id },
    { kind: 'passkey_removed', id: dora.id },
    { kind: 'password_removed', id: who('Eve').id },
    { kind: 'role_taken', id: carl.id },
  ])
  expect(await ask(place, 'select last from receipt_counter')).toEqual([{ last: 2 }])
  expect(await ask(place, 'select last_receipt_restored as had, last_receipt_given as gave from restores')).toEqual([
    { had: 1, gave: 2 },
  ])

  expect(linesOf(report, 'as it was')).toMatchObject({
    'members and their profiles': '9',
    bookings: '0',
    purchases: '1',
  })
  expect(linesOf(report, 'repeated')).toEqual({
    'members erased since': '1',
    'health consents withdrawn since, with the answers': '1',
    'objections to news and offers since': '1',
    'vouchers redeemed or voided since; a pass that came from one is not back, gift it again': '0',
    'admins whose role was taken away since': '1',
    'members blocked since': '1',
    'passwords changed since; the older ones no longer work': '1',
    'passkeys removed since': '1',
    'authenticator apps removed since': '0',
    'recovery codes used or renewed since': '1',
    'calendar addresses ended since': '1',
    'consents to news withdrawn in the health form since': '1',
    'newsletter subscriptions ended since': '1',
    'emails sent since, which are not sent again': '0',
    'reminders sent, which are not sent again': '0',
    'receipt numbers': 'the next is 3; 2 was given since and is not in the books: keep this line for the accountant',
  })
  const toDo = linesOf(report, 'to do')
  expect(toDo['admins made since']).toMatch(/^1: /)
  expect(toDo['members who registered since']).toMatch(/^1: /)
  expect(toDo['bookings since']).toMatch(/^1: /)
  expect(toDo['cancellations since']).toBe('none')
  expect(toDo['sales at the desk since']).toMatch(/^1: /)
  expect(formatReport(report)[0]).toMatch(/^as it was {2}members and their profiles +9$/)
})

test('repeats the journal in an empty database, and lists the changes it cannot know about', async () => {
  const { studio, file, who, journal } = await changedSinceBackup()
  expect(journal.erased).toEqual([who('Gina').id])
  expect(journal.withdrawals.map(({ kind, userId }) => [kind, userId])).toEqual([
    ['health', who('Ana').id],
    ['marketing', who('Fred').id],
  ])
  // A site has run there once, so there are empty tables.
  const place = await openEmptyPlace()
  await migrateDatabase(place)
  const restoreWithoutReceiptNumber = restore(studio, file, place, { journal, isDemo: false })
  await expect(restoreWithoutReceiptNumber).rejects.toThrow('add --receipts-from')
  expect(await ask(place, 'select id from users')).toEqual([])

  const restored = await restore(studio, file, place, { journal, isDemo: false, receiptsFrom: 12 })
  const report = reportOf(restored, await settleOffline(place, studio.clock.now()))
  expect(await ask(place, 'select last from receipt_counter')).toEqual([{ last: 11 }])
  const emailed = await ask<{ first_name: string }>(
    place,
    'select first_name from users join health_questionnaires on user_id = id where not marketing_consent order by 1',
  )
  expect(emailed.map(({ first_name }) => first_name)).toEqual(['Eve', 'Fred'])
  expect(linesOf(report, 'repeated')).toEqual({
    'members erased since': '1',
    'health consents withdrawn since, with the answers': '1',
    'objections to news and offers since': '1',
    'vouchers redeemed or voided since; a pass that came from one is not back, gift it again': '0',
    'receipt numbers':
      'the next is 12; 2 to 11 were given since and are not in the books: keep this line for the accountant',
  })
  const toDo = linesOf(report, 'to do')
  expect(toDo['bookings since']).toMatch(/^unknown: /)
  expect(toDo['members blocked since']).toBe('unknown: block them again')
  expect(toDo['newsletter subscriptions ended since']).toBe('unknown: end those that you know of')
})

test('does not repeat a withdrawal that is older than the consent in the backup', async () => {
  const { studio, ana } = await openStudio()
  await ana.call(withdrawHealthConsent)
  await studio.server.database.transaction((tx) => objectByAddress(tx, ana.email, studio.clock.now()))
  studio.travelTo('Monday 10:00')
  await studio.completeHealth(ana)
  await ana.call(saveQuestionnaire, { body: { marketingConsent: true } })
  await studio.runQueue('update-journal')
  const { file } = await backUp(studio)
  const journal = await readJournal(journalFile(join(studio.settings.dataDir, 'backups')), { mustExist: true })
  expect(journal.withdrawals).toHaveLength(2)
  const place = await openEmptyPlace()
  expect(await restore(studio, file, place, { journal })).toMatchObject({ health: 0, marketing: 0 })
  expect(await ask(place, 'select marketing_consent from health_questionnaires')).toEqual([{ marketing_consent: true }])
})

test('only partly trusts a studio that was itself restored from an older backup', async () => {
  const studio = await openEmptyStudio({ now: BEFORE })
  const [dora, boris] = [await studio.admin('Dora'), await studio.member('Boris')]
  const { pool } = studio.server.database
  const older = await backUp(studio)
  await pool.query(
    "insert into newsletter_subscribers (token, email, requested_at, confirmed_at) values ('new', 'n@news.example', now(), now())",
  )
  const newer = await backUp(studio)
  const place = await openEmptyPlace()
  studio.travelTo(AFTER)
  await restore(studio, older.file, place)
  await ask(place, 'update users set is_admin = false where id = $1', [dora.id])
  await ask(place, "update users set blocked_at = now(), blocked_reason = 'Unpaid' where id = $1", [boris.id])

  const report = reportOf(await restore(studio, newer.file, place, { replace: true }), 0)
  expect(await ask(place, 'select token from newsletter_subscribers')).toEqual([{ token: 'new' }])
  expect(await ask(place, 'select id from users where is_admin')).toEqual([])
  expect(linesOf(report, 'repeated')).toMatchObject({
    'admins whose role was taken away since': '1',
    'members blocked since': '1',
    'newsletter subscriptions ended since': '0',
  })
  expect(linesOf(report, 'to do')).toMatchObject({
    admins: 'there is none: run npm run admin -- <the owner’s email address>',
    'bookings since': expect.stringMatching(/^unknown: /),
  })
})
