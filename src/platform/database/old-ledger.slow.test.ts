import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#testing/test-databases.ts'
import { migrate } from './migrate.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

/** A database before a given migration. */
async function databaseBefore(migration: string) {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  const client = new pg.Client({ connectionString: url })
  const folder = await mkdtemp(join(tmpdir(), 'studio-migrations-'))
  onTestFinished(async () => {
    await client.end()
    await drop()
    await rm(folder, { recursive: true, force: true })
  })
  await client.connect()
  await client.query('drop schema public cascade; drop schema pgboss cascade; create schema public')
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort()
  const first = files.findIndex((file) => file.endsWith(migration))
  expect(first).toBeGreaterThan(0)
  for (const file of files.slice(0, first)) await cp(join(MIGRATIONS, file), join(folder, file))
  await migrate(url, folder)
  return { url, client }
}

test('fills in old ledger lines only where the value is certain', async () => {
  const { url, client } = await databaseBefore('_a_ledger_line_says_who_and_for_which_class.sql')
  await client.query(`
    insert into users (id, username, email, first_name, last_name, created_at)
      values ('ana', 'ana', 'ana@people.example', 'Ana', 'Cast', now());
    insert into packages (name, price_pence, class_count, validity_months, max_participants, is_limited_offer,
      purchase_once_per_user, created_at, updated_at) values ('8 Class Pass', 42400, 8, 4, 2, false, false, now(), now());
    insert into classes (title, date, start_time, end_time, starts_at, ends_at, max_participants, price_pence,
      pass_price_pence, instructor_name, created_at, updated_at)
      values ('Duo', '2026-12-08', '18:00', '18:45', '2026-12-08T18:00Z', '2026-12-08T18:45Z', 2, 6500, 5000, 'E', now(), now());
    insert into passes (user_id, package_id, credits_total, expires_at, created_at)
      select 'ana', 1, 8, '2027-06-01', now() from generate_series(1, 2);
    insert into credit_ledger (pass_id, kind, credits, reason, at) values
      (1, 'purchase', 8, null, now()), (2, 'gift', 8, 'gifted by dora', now()), (2, 'correction', -8, 'voided by dora', now());
    begin;
    insert into bookings (user_id, class_id, pass_id, status, payment_status, total_amount_pence, booked_at)
      values ('ana', 1, 1, 'confirmed', 'paid', 5000, now());
    insert into credit_ledger (pass_id, kind, credits, booking_id, at) values (1, 'booking', -1, 1, now());
    commit;
    insert into credit_ledger (pass_id, kind, credits, at) values (1, 'expiry', -7, now());`)

  await migrate(url)

  const { rows } = await client.query(
    `select kind, caused_by, caused_by_admin, reason, class_title, class_date::text, class_start_time
       from credit_ledger order by id`,
  )
  expect(rows.map((row) => Object.values(row).filter((value) => value !== null))).toEqual([
    ['purchase', 'member'],
    ['gift', 'admin', 'gifted by dora'],
    ['correction', 'admin', 'voided by dora'],
    ['booking', 'Duo', '2026-12-08', '18:00:00'],
    ['expiry', 'system'],
  ])
  const passes = await client.query('select voided_at is not null as voided from passes order by id')
  expect(passes.rows).toEqual([{ voided: false }, { voided: true }])
  await expect(client.query("update credit_ledger set reason = 'x'")).rejects.toThrow('append-only')
})

test('dates an old series by the weekday of most of its classes', async () => {
  const { url, client } = await databaseBefore('_series_remember_their_first_date.sql')
  const series: [string, string, string[]][] = [
    ['weekly', '2027-01-25', ['2027-01-06', '2027-01-11', '2027-01-18', '2027-03-01']],
    ['biweekly', '2027-01-31', ['2027-01-04', '2027-01-25']],
    ['monthly', '2027-02-28', ['2026-12-31', '2027-01-31', '2027-02-28']],
    ['monthly', '2027-03-15', ['2027-01-15', '2027-02-26', '2027-03-15']],
    ['monthly', '2027-02-28', []],
  ]
  for (const [frequency, until, dates] of series) {
    await client.query('insert into class_series (repeat_frequency, repeat_until_date) values ($1, $2)', [
      frequency,
      until,
    ])
    await client.query(
      `insert into classes (series_id, title, date, start_time, end_time, starts_at, ends_at, max_participants, price_pence,
        pass_price_pence, instructor_name, created_at, updated_at)
       select (select max(id) from class_series), 'Duo', date, '18:00', '18:45', date + time '18:00', date + time '18:45',
        2, 6500, 5000, 'E', now(), now() from unnest($1::date[]) with ordinality as dates(date, n) order by n`,
      [dates],
    )
  }

  await migrate(url)

  const { rows } = await client.query('select first_date::text from class_series order by id')
  expect(rows.map((row) => row.first_date)).toEqual([
    '2027-01-11',
    '2027-01-04',
    '2026-12-31',
    '2027-01-15',
    '2027-02-28',
  ])
})

test('turns payments to give back into refunds that may have to be sent', async () => {
  const { url, client } = await databaseBefore('_refunds_are_rows_and_never_exceed_what_was_paid.sql')
  await client.query(`
    insert into packages (name, price_pence, class_count, validity_months, max_participants, is_limited_offer,
      purchase_once_per_user, created_at, updated_at) values ('Intro', 4550, 1, 4, 2, false, true, now(), now());
    insert into payment_intents (id, package_id, amount_pence, class_count, validity_months, state, created_at, settled_at)
      values ('pi_back', 1, 4550, 1, 4, 'refunded', '2026-11-01', '2026-11-02'),
        ('pi_over', 1, 4550, 1, 4, 'cancelled', '2026-11-01', '2026-11-02')`)

  await migrate(url)

  const { rows } = await client.query(
    `select payment_intent_id, origin, amount_pence, status, created_at = '2026-11-02' as dated from refunds`,
  )
  expect(rows).toEqual([
    { payment_intent_id: 'pi_back', origin: 'given_back', amount_pence: 4550, status: 'decided', dated: true },
  ])
})

test('numbers old purchases in order, and continues with the next', async () => {
  const { url, client } = await databaseBefore('_receipts_have_consecutive_numbers.sql')
  await client.query(`
    insert into packages (name, price_pence, class_count, validity_months, max_participants, is_limited_offer,
      purchase_once_per_user, created_at, updated_at) values ('8 Class Pass', 42400, 8, 4, 2, false, false, now(), now())`)
  const sell = (method: string, at: string) =>
    client.query(
      `insert into purchases (package_id, amount_pence, purchased_at, desk_method) select id, 100, $1, $2 from packages`,
      [at, method],
    )
  await sell('cash', '2026-12-03T10:00Z')
  await sell('other', '2026-12-01T10:00Z')
  await sell('card_reader', '2026-12-02T10:00Z')
  await migrate(url, MIGRATIONS)
  await sell('bank_transfer', '2026-11-01T10:00Z')
  const { rows } = await client.query('select desk_method from purchases order by receipt_number')
  expect(rows.map((row) => row.desk_method)).toEqual(['other', 'card_reader', 'cash', 'bank_transfer'])
  const { rows: numbers } = await client.query('select array_agg(receipt_number order by 1) as all from purchases')
  expect(numbers).toEqual([{ all: [1, 2, 3, 4] }])
})

test('turns a VAT setting into a period from the London day of its edit', async () => {
  const { url, client } = await databaseBefore('_vat_rates_have_their_own_dates.sql')
  const vat = (rate: number) => ({ number: '123456789', rate })
  const states = [
    ['2026-12-01T10:00Z', { phone: '1', vat: null }],
    ['2026-12-02T23:30Z', { phone: '2', vat: vat(2) }],
    ['2026-12-02T23:40Z', { phone: '2', vat: vat(20) }],
    ['2026-12-05T10:00Z', { phone: '3', vat: vat(20) }],
    ['2027-06-30T23:30Z', { phone: '3', vat: null }],
  ]
  for (const [place, [at, facts]] of states.entries()) {
    const values = [place + 1, facts, at]
    await client.query(
      `insert into studio_facts (version, facts, admin_id, changed_at) values ($1, $2, 'dora', $3)`,
      values,
    )
  }
  await migrate(url, MIGRATIONS)
  const { rows } = await client.query('select facts from studio_facts order by version')
  const [low, high] = [2, 20].map((rate) => ({ from: '2026-12-02', vat: vat(rate) }))
  expect(rows.map(({ facts }) => facts)).toEqual([
    { phone: '1', vatPeriods: [] },
    { phone: '2', vatPeriods: [low] },
    { phone: '2', vatPeriods: [high] },
    { phone: '3', vatPeriods: [high] },
    { phone: '3', vatPeriods: [high, { from: '2027-07-01', vat: null }] },
  ])
})

test('keeps the number of older refunds as the card provider’s reference', async () => {
  const { url, client } = await databaseBefore('_refunds_carry_a_random_reference.sql')
  await client.query(`
    insert into packages (name, price_pence, class_count, validity_months, max_participants, is_limited_offer,
      purchase_once_per_user, created_at, updated_at) values ('8 Class Pass', 42400, 8, 4, 2, false, false, now(), now());
    insert into payment_intents (id, package_id, amount_pence, class_count, validity_months, state, created_at, settled_at)
      values ('pi_1', 1, 42400, 8, 4, 'mismatched', now(), now());
    insert into refunds (payment_intent_id, origin, amount_pence, status, created_at)
      values ('pi_1', 'owner', 100, 'decided', now())`)
  await migrate(url, MIGRATIONS)
  await client.query(`insert into refunds (payment_intent_id, origin, amount_pence, status, created_at)
    values ('pi_1', 'owner', 100, 'decided', now())`)
  const { rows } = await client.query('select reference from refunds order by id')
  expect(rows).toEqual([{ reference: '1' }, { reference: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
})
