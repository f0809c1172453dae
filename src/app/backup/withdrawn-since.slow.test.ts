import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { chooseTexts } from '#accounts/contract-profile.ts'
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
  const ida = await studio.teacher('Ida')
  const at = '2025-12-01T09:00Z'
  for (const start of ['08:00', '09:00']) {
    await pool.query(
      `insert into regular_bookings (user_id, weekday, start_time, from_date, created_at, mailed_at)
       values ($1, 5, $3, '2036-12-12', $2, $2)`,
      [who('Eve').id, at, start],
    )
  }
  for (const subject of ['Moved', 'Made']) {
    await pool.query('insert into calls (user_id, mail) values ($1, $2)', [who('Boris').id, { mail: subject }])
  }
  for (const code of ['STAYS', 'ENDED']) {
    await pool.query(
      `insert into promotion_codes (code, kind, value, once_per_member, first_purchase_only, created_at, updated_at)
       values ($1, 'percent', 10, false, false, $2, $2)`,
      [code, at],
    )
  }
  for (const code of ['redeemed', 'voided', 'unused']) {
    await pool.query(
      `insert into vouchers (buyer_id, sold_at, package_id, package_name, class_count, validity_months, amount_pence, code_hmac,
         sealed_code, last_four, recipient_name, expires_at)
       values ($1, $2, $3, 'Pass', 1, 1, 0, convert_to($4, 'UTF8'), '', 'FOUR', $4, '2037-01-01')`,
      [who('Boris').id, at, packageId, code],
    )
  }
  await pool.query(
    `insert into own_calendar (sealed_address, host, added_at, next_read_at) values ('', 'calendar.example', $1, $1)`,
    [at],
  )
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
  expect((await owner.call(editUser, { params: { id: ida.id }, body: { role: 'member' } })).status).toBe(200)
  expect((await eve.call(chooseTexts, { body: { wanted: false } })).status).toBe(200)
  await poolThere.query("insert into invitation_objections values (sha256('boris@people.example'), $1)", [
    now.toString(),
  ])
  await poolThere.query("delete from regular_bookings where start_time = '09:00'")
  await poolThere.query("delete from calls where mail ->> 'mail' = 'Made'")
  await poolThere.query("update promotion_codes set ended_at = $1 where code = 'ENDED'", [now.toString()])
  await poolThere.query("update vouchers set redeemed_at = $1 where recipient_name = 'redeemed'", [now.toString()])
  await poolThere.query("update vouchers set voided_at = $1 where recipient_name = 'voided'", [now.toString()])
  // Codes are found by another value after a rotation of keys.
  await poolThere.query('update vouchers set code_hmac = sha256(code_hmac)')
  await poolThere.query('delete from own_calendar')
  await poolThere.query("insert into push_choices values ($1, '{class_moved,hold_ending}')", [who('Eve').id])
  expect((await sell(who('Fred'), owner)).body).toMatchObject({ receiptNumber: 2 })
  const body = { email: 'ivy@people.example', password: 'secret-of-ivy', firstName: 'Ivy', lastName: 'Cast' }
  expect((await there.loggedInAs(studio.visitor('Ivy')).request('POST', '/api/register', body)).status).toBe(201)
  const journal = journalFile(await openFolder())
  await updateJournal(journal, there.server.database.db)
  await there.server.close()
  return { studio, file, place, dora, carl, ida, who, journal: await readJournal(journal) }
}

/** What a restore must have taken away again. */
async function expectLossesRepeated(place: string): Promise<void> {
  const [rights] = await ask(
    place,
    `select (select json_agg(first_name) from users where is_admin) as admins,
       (select count(*)::int from users where is_teacher) as teachers,
       (select json_agg(first_name) from users where blocked_at is not null) as blocked,
       (select json_agg(first_name) from users where password_hash is null) as "withoutPassword",
       (select json_agg(label) from passkeys) as passkeys,
       (select json_agg(encode(code_hash, 'escape')) from recovery_codes) as codes,
       (select count(*)::int from calendar_feeds) as feeds,
       (select json_agg(token) from newsletter_subscribers) as subscribers,
       (select json_agg(first_name) from users where texts_off) as "withoutTexts",
       (select count(*)::int from invitation_objections) as objections,
       (select json_agg(start_time) from regular_bookings) as regulars,
       (select json_agg(mail ->> 'mail') from calls) as calls,
       (select json_agg(code) from promotion_codes where ended_at is null) as promotions,
       (select json_agg(recipient_name) from vouchers where redeemed_at is null and voided_at is null) as vouchers,
       (select count(*)::int from own_calendar) as calendars,
       (select json_agg(kind order by kind) from push_choices, unnest(off) as kind) as "withoutPush",
       (select json_agg(first_name order by first_name) from users
         join health_questionnaires on user_id = id where not marketing_consent) as "withoutNews"`,
  )
  expect(rights).toEqual({
    admins: ['Dora'],
    teachers: 0,
    blocked: ['Boris'],
    withoutPassword: ['Eve'],
    passkeys: ['Kept'],
    codes: ['unused'],
    feeds: 0,
    subscribers: ['stays'],
    withoutTexts: ['Eve'],
    objections: 1,
    regulars: ['08:00:00'],
    calls: ['Moved'],
    promotions: ['STAYS'],
    vouchers: ['unused'],
    calendars: 0,
    withoutPush: ['class_moved', 'hold_ending'],
    withoutNews: ['Eve', 'Fred', 'Hugo'],
  })
}

/** The lines of the report about them. */
const LOSSES = {
  'admins whose role was taken away since': '1',
  'teachers whose role was taken away since': '1',
  'members blocked since': '1',
  'passwords changed since; the older ones no longer work': '1',
  'passkeys removed since': '1',
  'authenticator apps removed since': '0',
  'recovery codes used or renewed since': '1',
  'calendar addresses ended since': '1',
  'consents to news withdrawn in the health form since': '1',
  'newsletter subscriptions ended since': '1',
  'members who switched text messages off since': '1',
  'kinds of notifications that members switched off since': '1',
  'addresses that asked since never to be invited again': '1',
  'regular bookings ended since; classes that they had booked stay booked': '1',
  'promotion codes ended since': '1',
  'vouchers redeemed or voided since; a pass that came from one is not back, gift it again': '2',
  'own calendars removed since': '1',
  'calls that were made since, which are not listed again': '1',
}

const linesOf = (report: readonly ReportLine[], outcome: ReportLine['outcome']) =>
  Object.fromEntries(report.filter((line) => line.outcome === outcome).map(({ what, detail }) => [what, detail]))

test('repeats withdrawals and revocations made since the backup, grants nothing, and reports the rest', async () => {
  const { studio, file, place, dora, carl, ida, who } = await changedSinceBackup()
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
    { ...usual, first_name: 'Ida' },
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
  await expectLossesRepeated(place)
  const onRecord = await ask(place, `select kind, subject_id as id from security_events where at >= $1 order by kind`, [
    studio.clock.now().toString(),
  ])
  expect(onRecord).toEqual([
    { kind: 'health_withdrawn', id: who('Ana').id },
    { kind: 'passkey_removed', id: dora.id },
    { kind: 'password_removed', id: who('Eve').id },
    { kind: 'role_taken', id: carl.id },
    { kind: 'teacher_taken', id: ida.id },
  ])
  expect(await ask(place, 'select last from receipt_counter')).toEqual([{ last: 2 }])
  expect(await ask(place, 'select last_receipt_restored as had, last_receipt_given as gave from restores')).toEqual([
    { had: 1, gave: 2 },
  ])

  expect(linesOf(report, 'as it was')).toMatchObject({
    'members and their profiles': '10',
    bookings: '0',
    purchases: '1',
  })
  expect(linesOf(report, 'repeated')).toEqual({
    'members erased since': '1',
    'health consents withdrawn since, with the answers': '1',
    'objections to news and offers since': '1',
    ...LOSSES,
    'emails sent since, which are not sent again': '0',
    'reminders sent, which are not sent again': '0',
    'receipt numbers': 'the next is 3; 2 was given since and is not in the books: keep this line for the accountant',
  })
  const toDo = linesOf(report, 'to do')
  expect(toDo['admins made since']).toMatch(/^1: .*\. Emil Cast$/)
  expect(toDo['members who registered since']).toBe('1: they register again. Ivy Cast')
  expect(toDo['bookings since']).toMatch(/^1: .*\. Eve Cast, .*, 2036-12-05 10:00$/)
  expect(toDo['cancellations since']).toBe('none')
  expect(toDo['sales at the desk since']).toMatch(/^1: .*\. receipt 2, Fred Cast$/)
  expect(formatReport(report)[0]).toMatch(/^as it was {2}members and their profiles +10$/)
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
  await expectLossesRepeated(place)
  expect(linesOf(report, 'repeated')).toEqual({
    'members erased since': '1',
    'health consents withdrawn since, with the answers': '1',
    'objections to news and offers since': '1',
    ...LOSSES,
    'receipt numbers':
      'the next is 12; 2 to 11 were given since and are not in the books: keep this line for the accountant',
  })
  const toDo = linesOf(report, 'to do')
  expect(toDo['bookings since']).toMatch(/^unknown: /)
})

test('lists what was lost as unknown where the journal is older than the backup, or of another studio', async () => {
  const { studio } = await openStudio()
  const file = journalFile(await openFolder())
  await updateJournal(file, studio.db)
  const journal = await readJournal(file)
  const backup = await backUp(studio)
  const unknown = { 'members blocked since': 'unknown: block them again' }
  const place = await openEmptyPlace()
  const report = reportOf(await restore(studio, backup.file, place, { journal }), 0)
  expect(linesOf(report, 'to do')).toMatchObject(unknown)
  const other = await openEmptyStudio()
  const otherFile = journalFile(await openFolder())
  await updateJournal(otherFile, other.db)
  const withOther = await restore(studio, backup.file, place, { replace: true, journal: await readJournal(otherFile) })
  expect(withOther.lost?.get('admins whose role was taken away since')).toBe(0)
  const elsewhere = await openEmptyPlace()
  const again = await restore(studio, backup.file, elsewhere, { journal: await readJournal(otherFile) })
  expect(linesOf(reportOf(again, 0), 'to do')).toMatchObject(unknown)
  expect(await ask(elsewhere, 'select id from users where is_admin')).toHaveLength(1)
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
