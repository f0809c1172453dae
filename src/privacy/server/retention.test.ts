import { describe, expect, test } from 'vitest'
import { accountRefusals } from '../../accounts/contract.ts'
import { commonRefusals } from '../../foundation/refusal.ts'
import { getMemberHealth, saveQuestionnaire } from '../../health/contract.ts'
import { deletePass } from '../../passes/contract.ts'
import { begins, openStudioWithBank, registers } from '../../payments/server/bank-under-test.ts'
import type { Person } from '../../testing/person.ts'
import { openEmptyStudio, openStudio, type StudioUnderTest } from '../../testing/studio-under-test.ts'
import { closeComplaint, exportOwnData, getComplaint, listRetentionRuns, openComplaint } from '../contract.ts'

const runs = (studio: StudioUnderTest) => studio.server.workers['apply-retention']({}, 'by hand')
const isThere = (studio: StudioUnderTest, person: Person) =>
  studio.count('select count(*) from users where id = $1', [person.id])
const hasHealth = (studio: StudioUnderTest, person: Person) =>
  studio.count(
    `select (select count(*) from health_questionnaires where user_id = $1) + (select count(*) from emergency_contacts
       where user_id = $1) + (select count(*) from health_updates where user_id = $1)`,
    [person.id],
  )
const logOf = (admin: Person) => admin.reads(listRetentionRuns)

/** Ana, whose last class was on Tuesday 8 December 2026 from 18:00 to 18:45 and whose pass is spent. */
async function afterLastClass() {
  const studio = await openEmptyStudio()
  const dora = await studio.admin('Dora')
  const ana = await studio.member('Ana', { health: true, credits: 1 })
  expect((await studio.books(ana, await studio.class('Tuesday 18:00'))).status).toBe(201)
  studio.itIs('Tuesday 19:00')
  await studio.server.workers['complete-classes']({}, 'by hand')
  return { studio, ana, dora }
}

describe('contact details', () => {
  test('end two years after the last class, to the second; the owner reads how many', async () => {
    const { studio, ana, dora } = await afterLastClass()
    studio.itIs('2028-12-08 18:44:59')
    await runs(studio)
    expect(await isThere(studio, ana)).toBe(1)
    studio.itIs('2028-12-08 18:45:00')
    await runs(studio)
    expect(await isThere(studio, ana)).toBe(0)
    expect(await studio.count('select count(*) from bookings')).toBe(0)
    await runs(studio)
    await studio.logsIn(dora)
    expect(await logOf(dora)).toMatchObject([
      { ranAt: '2028-12-08T18:45:00Z', members: 0, failures: 0 },
      { ranAt: '2028-12-08T18:45:00Z', members: 1, healthRecords: 0, failures: 0 },
      { members: 0, healthRecords: 1 },
    ])
    expect((await dora.call(listRetentionRuns, { query: { limit: '1', offset: '1' } })).body).toMatchObject([
      { members: 1 },
    ])
  })

  test('of somebody who never came end two years after signing up; a cancelled place is no class', async () => {
    const { studio, ana, boris } = await openStudio()
    const { body } = await studio.books(ana, await studio.class('2026-12-20 10:00'))
    await studio.cancels(ana, body.id)
    studio.itIs('2028-12-07 08:59:59')
    await runs(studio)
    expect([await isThere(studio, ana), await isThere(studio, boris)]).toEqual([1, 1])
    studio.itIs('2028-12-07 09:00:00')
    await runs(studio)
    expect([await isThere(studio, ana), await isThere(studio, boris)]).toEqual([0, 0])
  })

  test('leave the purchase, without a name, until six years are over', async () => {
    const { studio, bank, ana } = await openStudioWithBank()
    const bought = await studio.package({ price: '45.00', validityMonths: 1 })
    const begun = await begins(ana, bought)
    await bank.pay(begun)
    await registers(ana, bought, begun)
    studio.itIs('2029-01-01 12:00')
    await runs(studio)
    expect(await isThere(studio, ana)).toBe(0)
    expect(await studio.count('select count(*) from purchases where user_id is null and amount_pence = 4500')).toBe(1)
    studio.itIs('2032-12-07 08:59:59')
    await runs(studio)
    expect(await studio.count('select count(*) from purchases')).toBe(1)
    studio.itIs('2032-12-07 09:00:00')
    await runs(studio)
    expect(await studio.count('select count(*) from purchases')).toBe(0)
    expect(await studio.count('select count(*) from payment_intents')).toBe(0)
  })
})

describe('health information', () => {
  test('ends six months after the last class, to the second; the account and who read it stay', async () => {
    const { studio, ana, dora } = await afterLastClass()
    await dora.call(getMemberHealth, { params: { id: ana.id } })
    studio.itIs('2027-06-08 18:44:59')
    await runs(studio)
    expect(await hasHealth(studio, ana)).toBe(4)
    studio.itIs('2027-06-08 18:45:00')
    await runs(studio)
    expect([await hasHealth(studio, ana), await isThere(studio, ana)]).toEqual([0, 1])
    expect(await studio.count('select count(*) from health_reads where member_id = $1', [ana.id])).toBe(1)
    await studio.logsIn(dora)
    expect((await logOf(dora))[0]).toMatchObject({ healthRecords: 1, members: 0 })
  })

  test('without any class ends six months after its last save', async () => {
    const { studio, boris } = await openStudio()
    await studio.completesHealth(boris)
    studio.itIs('2027-01-10 12:00')
    await studio.logsIn(boris)
    await boris.call(saveQuestionnaire, { body: { allergies: 'Latex' } })
    studio.itIs('2027-07-10 11:59:59')
    await runs(studio)
    expect(await hasHealth(studio, boris)).toBeGreaterThan(0)
    studio.itIs('2027-07-10 12:00:00')
    await runs(studio)
    expect(await hasHealth(studio, boris)).toBe(0)
  })

  test('saved again by somebody who means to come back is not erased the next night', async () => {
    const { studio, ana } = await afterLastClass()
    studio.itIs('2027-06-01 12:00')
    await studio.logsIn(ana)
    await ana.call(saveQuestionnaire, { body: { allergies: 'Latex' } })
    studio.itIs('2027-06-30 12:00')
    await runs(studio)
    expect(await hasHealth(studio, ana)).toBeGreaterThan(0)
  })
})

describe('nobody is touched', () => {
  const later = '2029-01-01 12:00'

  test('who runs the studio, whatever they did as a member', async () => {
    const { studio, dora } = await openStudio()
    await studio.completesHealth(dora)
    studio.itIs(later)
    await runs(studio)
    expect([await isThere(studio, dora), await hasHealth(studio, dora)]).toEqual([1, 4])
  })

  test('who has a valid pass, until its last second; a spent or void one keeps nobody', async () => {
    const { studio, dora } = await openStudio()
    const [held, spent, voided] = [
      await studio.member('Held', { health: true }),
      await studio.member('Spent', { health: true, credits: 1 }),
      await studio.member('Voided', { health: true }),
    ]
    await studio.grants(held, 5, 24)
    await studio.books(spent, await studio.class('Tuesday 18:00'))
    const passId = await studio.grants(voided, 5, 60)
    await dora.call(deletePass, { params: { id: passId } })
    studio.itIs('2028-12-07 23:59:59')
    await runs(studio)
    expect([await isThere(studio, held), await hasHealth(studio, held), await isThere(studio, voided)]).toEqual([
      1, 4, 0,
    ])
    studio.itIs('2028-12-08 18:45:00')
    await runs(studio)
    expect([await isThere(studio, held), await isThere(studio, spent)]).toEqual([0, 0])
  })

  test('who has a booking ahead or waits for a class', async () => {
    const { studio } = await openStudio()
    const [booked, waits] = [
      await studio.member('Booked', { health: true, credits: 1 }),
      await studio.member('Waits', { health: true }),
    ]
    const far = await studio.class({ at: '2029-06-01 10:00', places: 1 })
    // Only a long pass pays for a class as far away; it is spent by it.
    await studio.server.database.pool.query("update passes set expires_at = '2029-12-31'")
    expect((await studio.books(booked, far)).status).toBe(201)
    expect((await waits.request('POST', `/api/classes/${far}/waitlist`)).status).toBe(201)
    studio.itIs(later)
    await runs(studio)
    for (const person of [booked, waits]) {
      expect([await isThere(studio, person), await hasHealth(studio, person)]).toEqual([1, 4])
    }
  })

  test('about whose payment a bank asks, until it is decided', async () => {
    const { studio, bank, boris } = await openStudioWithBank()
    const bought = await studio.package({ validityMonths: 1 })
    const begun = await begins(boris, bought)
    await bank.pay(begun)
    await registers(boris, bought, begun)
    const { id } = await bank.does('dispute', begun.body.paymentIntentId, { inquiry: 'true' })
    await bank.tellsAll(studio, begun.body.paymentIntentId)
    studio.itIs(later)
    await runs(studio)
    expect(await isThere(studio, boris)).toBe(1)
    await bank.decides(id, 'winning_evidence')
    await bank.tellsAll(studio, begun.body.paymentIntentId)
    await runs(studio)
    expect(await isThere(studio, boris)).toBe(0)
  })

  test('whose payment is disputed, until that is decided; nor is the purchase, however old', async () => {
    const { studio, bank, ana } = await openStudioWithBank()
    const bought = await studio.package({ price: '45.00', validityMonths: 1 })
    const begun = await begins(ana, bought)
    await bank.pay(begun, 'pm_card_createDispute')
    await registers(ana, bought, begun)
    await bank.tellsAll(studio, begun.body.paymentIntentId)
    const { pool } = studio.server.database
    // A dispute outlives every other reason: the passes were spent or have expired.
    await pool.query('update passes set expires_at = $1, frozen_at = null', ['2026-12-31'])
    studio.itIs('2033-01-01 12:00')
    await runs(studio)
    expect([await isThere(studio, ana), await studio.count('select count(*) from purchases')]).toEqual([1, 1])
    await pool.query("update disputes set status = 'won', decided_at = $1", ['2033-01-01'])
    await runs(studio)
    expect([await isThere(studio, ana), await studio.count('select count(*) from purchases')]).toEqual([0, 0])
  })

  test('whose complaint is open, until it is closed', async () => {
    const { studio, boris, dora } = await openStudio()
    const params = { id: boris.id }
    expect(await boris.call(openComplaint, { params, body: { reason: 'x' } })).toBeRefused(commonRefusals.forbidden)
    expect((await dora.call(openComplaint, { params, body: { reason: '  ' } })).status).toBe(400)
    const noted = { reason: 'A bill', openedBy: 'Dora Cast', openedAt: '2026-12-07T09:00:00Z' }
    expect(await dora.call(openComplaint, { params, body: { reason: ' A bill ' } })).toMatchObject({ body: noted })
    expect((await dora.call(getComplaint, { params })).body).toEqual(noted)
    expect((await boris.call(exportOwnData)).body.complaint).toEqual(noted)
    expect(await dora.call(openComplaint, { params: { id: 'nobody' }, body: { reason: 'x' } })).toBeRefused(
      accountRefusals.user_not_found,
    )
    studio.itIs(later)
    await runs(studio)
    expect(await isThere(studio, boris)).toBe(1)
    await studio.logsIn(dora)
    expect((await dora.call(closeComplaint, { params })).status).toBe(200)
    expect((await dora.call(getComplaint, { params })).body).toBeNull()
    await runs(studio)
    expect(await isThere(studio, boris)).toBe(0)
  })
})

test('records of reading and of changes end after twelve months, to the second; younger lines stay', async () => {
  const { studio, ana, dora } = await openStudio()
  await dora.call(getMemberHealth, { params: { id: ana.id } })
  await dora.request('POST', `/api/admin/users/${ana.id}/notes`, { text: 'Likes mornings' })
  studio.itIs('2026-12-08 09:00')
  await dora.call(getMemberHealth, { params: { id: ana.id } })
  const left = async () => [
    await studio.count('select count(*) from health_reads'),
    await studio.count('select count(*) from audit_log'),
  ]
  studio.itIs('2027-12-07 08:59:59')
  await runs(studio)
  expect(await left()).toEqual([2, 1])
  studio.itIs('2027-12-07 09:00:00')
  await runs(studio)
  expect(await left()).toEqual([1, 0])
  await expect(studio.server.database.pool.query('delete from health_reads')).rejects.toThrow('append-only')
})

test('what is on record of a member stays while their complaint is open: purchase, reads of health, changes', async () => {
  const { studio, bank, ana, boris, dora } = await openStudioWithBank()
  const bought = await studio.package({ price: '45.00', validityMonths: 1 })
  const begun = await begins(ana, bought)
  await bank.pay(begun)
  await registers(ana, bought, begun)
  const { body: booking } = await studio.books(ana, await studio.class('Tuesday 18:00'))
  const { pool } = studio.server.database
  const isOnRecord = `insert into audit_log (at, admin_id, action, subject_kind, subject_id, changes)
    values ('2026-12-07', $1, 'edited', $2, $3, '{}')`
  const purchaseId = await studio.count('select id from purchases')
  await pool.query(isOnRecord, [dora.id, 'booking', booking.id])
  await pool.query(isOnRecord, [dora.id, 'purchase', purchaseId])
  for (const { id } of [ana, boris]) {
    await dora.call(getMemberHealth, { params: { id } })
    await dora.request('POST', `/api/admin/users/${id}/notes`, { text: 'Likes mornings' })
  }
  await dora.call(openComplaint, { params: { id: ana.id }, body: { reason: 'A bill' } })
  const linesOf = (kind: string) => studio.count('select count(*) from audit_log where subject_kind = $1', [kind])
  const left = async () => [
    await studio.count('select count(*) from purchases'),
    await studio.count('select count(*) from payment_intents'),
    await studio.count('select count(*) from health_reads where member_id = $1', [ana.id]),
    await studio.count('select count(*) from health_reads where member_id = $1', [boris.id]),
    await studio.count("select count(*) from audit_log where action = 'note_added'"),
    await linesOf('booking'),
    await linesOf('purchase'),
  ]
  studio.itIs('2033-01-01 12:00')
  await runs(studio)
  expect(await left()).toEqual([1, 1, 1, 0, 1, 1, 1])
  await studio.logsIn(dora)
  await dora.call(closeComplaint, { params: { id: ana.id } })
  await runs(studio)
  expect(await left()).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('a payment that never became a purchase stays while money of it is on its way, or a bank has not decided', async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const bought = await studio.package({ price: '45.00', validityMonths: 1 })
  const { pool } = studio.server.database
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const begun = await begins(ana, bought)
    await bank.pay(begun)
    const { paymentIntentId } = begun.body
    ids.push(paymentIntentId)
    await pool.query("update payment_intents set state = 'refunded', settled_at = '2026-12-08' where id = $1", [
      paymentIntentId,
    ])
  }
  await pool.query(
    `insert into refunds (payment_intent_id, origin, amount_pence, status, created_at)
     values ($1, 'given_back', 4500, 'decided', '2026-12-08')`,
    [ids[0]],
  )
  await pool.query(
    `insert into disputes (id, payment_intent_id, status, amount_pence, reason, opened_at)
     values ('dp_old', $1, 'open', 4500, 'fraudulent', '2026-12-08')`,
    [ids[1]],
  )
  const left = async () =>
    (await pool.query<{ id: string }>('select id from payment_intents')).rows.map(({ id }) => id).sort()
  studio.itIs('2033-01-01 12:00')
  await runs(studio)
  expect(await left()).toEqual([ids[0], ids[1]].sort())
  await pool.query(
    "update refunds set status = 'failed', failure = 'expired_or_canceled_card', settled_at = '2033-01-01'",
  )
  await pool.query("update disputes set status = 'won', decided_at = '2033-01-01'")
  await runs(studio)
  expect(await left()).toEqual([])
})

test('one who cannot be erased stops nobody else, is reported, and is tried again', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const { pool } = studio.server.database
  await pool.query(`create table stuck (user_id text references users)`)
  await pool.query('insert into stuck values ($1)', [ana.id < boris.id ? ana.id : boris.id])
  studio.itIs('2029-01-01 12:00')
  await runs(studio)
  expect((await isThere(studio, ana)) + (await isThere(studio, boris))).toBe(1)
  await studio.logsIn(dora)
  expect((await logOf(dora))[0]).toMatchObject({ members: 1, failures: 1 })
  expect(studio.logged.join()).toContain('stuck_user_id_fkey')
  await pool.query('drop table stuck')
  await runs(studio)
  expect((await isThere(studio, ana)) + (await isThere(studio, boris))).toBe(0)
})

test('who gets a pass in the same instant is not erased', async () => {
  const { studio, boris } = await openStudio()
  studio.itIs('2029-01-01 12:00')
  const { id: packageId } = await studio.package()
  const giving = await studio.server.database.pool.connect()
  await giving.query('begin')
  await giving.query(
    `insert into passes (user_id, package_id, credits_total, expires_at, created_at)
     values ($1, $2, 1, '2030-01-01', '2029-01-01')`,
    [boris.id, packageId],
  )
  await giving.query(
    `insert into credit_ledger (pass_id, kind, credits, caused_by, at)
     select id, 'gift', 1, 'system', now() from passes where user_id = $1`,
    [boris.id],
  )
  const running = runs(studio)
  const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await studio.count(waiting)) < 1);
  await giving.query('commit')
  giving.release()
  await running
  expect(await isThere(studio, boris)).toBe(1)
})

test('a large studio is worked through in batches', async () => {
  const { studio, dora } = await openStudio()
  await studio.server.database.pool.query(
    `insert into users (id, username, email, first_name, last_name, created_at, updated_at)
     select 'old-' || n, 'old-' || n, 'old-' || n || '@people.example', 'O', 'L', '2020-01-01', '2020-01-01'
       from generate_series(1, 250) as n`,
  )
  await Promise.all([runs(studio), runs(studio)])
  expect(await studio.count("select count(*) from users where id like 'old-%'")).toBe(0)
  const log = await logOf(dora)
  expect(log.reduce((sum, { members }) => sum + members, 0)).toBe(250)
  expect(log.map(({ failures }) => failures)).toEqual([0, 0])
})
