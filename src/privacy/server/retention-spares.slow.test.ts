import { describe, expect, test } from 'vitest'
import { accountRefusals } from '#accounts/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { getMemberHealth } from '#health/contract.ts'
import { deletePass } from '#passes/contract.ts'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { closeComplaint, exportOwnData, getComplaint, openComplaint } from '../contract.ts'
import { getKeptUntil } from '../contract-own.ts'
import { countUsers, hasHealth, runRetention } from './retention-under-test.ts'

describe('retention keeps a member', () => {
  const later = '2029-01-01 12:00'

  test('who is an admin', async () => {
    const { studio, dora } = await openStudio()
    await studio.completeHealth(dora)
    studio.travelTo(later)
    await runRetention(studio)
    expect([await countUsers(studio, dora), await hasHealth(studio, dora)]).toEqual([1, 4])
  })

  test('who has a valid pass, until its last second, but not a used or voided one', async () => {
    const { studio, dora } = await openStudio()
    const [held, spent, voided] = [
      await studio.member('Held', { health: true }),
      await studio.member('Spent', { health: true, credits: 1 }),
      await studio.member('Voided', { health: true }),
    ]
    await studio.grantCredits(held, 5, 24)
    await spent.book(await studio.createClass('Tuesday 18:00'))
    const passId = await studio.grantCredits(voided, 5, 60)
    await dora.call(deletePass, { params: { id: passId } })
    studio.travelTo('2028-12-07 23:59:59')
    await runRetention(studio)
    expect([await countUsers(studio, held), await hasHealth(studio, held), await countUsers(studio, voided)]).toEqual([
      1, 4, 0,
    ])
    studio.travelTo('2028-12-08 18:45:00')
    await runRetention(studio)
    expect([await countUsers(studio, held), await countUsers(studio, spent)]).toEqual([0, 0])
  })

  test('who has an upcoming booking or is on a waiting list', async () => {
    const { studio } = await openStudio()
    const [booked, waits] = [
      await studio.member('Booked', { health: true, credits: 1 }),
      await studio.member('Waits', { health: true }),
    ]
    const far = await studio.createClass({ at: '2029-06-01 10:00', places: 1 })
    // Only a long pass pays for a class as far away; it is spent by it.
    await studio.server.database.pool.query("update passes set expires_at = '2029-12-31'")
    expect((await booked.book(far)).status).toBe(201)
    expect((await waits.request('POST', `/api/classes/${far}/waitlist`)).status).toBe(201)
    studio.travelTo(later)
    await runRetention(studio)
    for (const person of [booked, waits]) {
      expect([await countUsers(studio, person), await hasHealth(studio, person)]).toEqual([1, 4])
    }
  })

  test('whose payment has an open inquiry', async () => {
    const { studio, bank, boris } = await openStudioWithBank()
    const bought = await studio.createPackage({ validityMonths: 1 })
    const started = await startPayment(boris, bought)
    await bank.pay(started)
    await activatePass(boris, bought, started)
    const { id } = await bank.simulate('dispute', started.body.paymentIntentId, { inquiry: 'true' })
    await bank.deliverEvents(studio, started.body.paymentIntentId)
    studio.travelTo(later)
    await runRetention(studio)
    expect(await countUsers(studio, boris)).toBe(1)
    await bank.decideDispute(id, 'winning_evidence')
    await bank.deliverEvents(studio, started.body.paymentIntentId)
    await runRetention(studio)
    expect(await countUsers(studio, boris)).toBe(0)
  })

  test('whose payment is disputed, with the purchase, until the dispute is decided', async () => {
    const { studio, bank, ana } = await openStudioWithBank()
    const bought = await studio.createPackage({ price: '45.00', validityMonths: 1 })
    const started = await startPayment(ana, bought)
    await bank.pay(started, 'pm_card_createDispute')
    await activatePass(ana, bought, started)
    await bank.deliverEvents(studio, started.body.paymentIntentId)
    const { pool } = studio.server.database
    // A dispute outlives every other reason: the passes were spent or have expired.
    await pool.query('update passes set expires_at = $1, frozen_at = null', ['2026-12-31'])
    studio.travelTo('2033-01-01 12:00')
    await runRetention(studio)
    expect([await countUsers(studio, ana), await studio.count('select count(*) from purchases')]).toEqual([1, 1])
    await pool.query("update disputes set status = 'won', decided_at = $1", ['2033-01-01'])
    await runRetention(studio)
    expect([await countUsers(studio, ana), await studio.count('select count(*) from purchases')]).toEqual([0, 0])
  })

  test('who has an open complaint', async () => {
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
    studio.travelTo(later)
    await runRetention(studio)
    expect(await countUsers(studio, boris)).toBe(1)
    await studio.logIn(dora)
    expect((await dora.call(closeComplaint, { params })).status).toBe(200)
    expect((await dora.call(getComplaint, { params })).body).toBeNull()
    await runRetention(studio)
    expect(await countUsers(studio, boris)).toBe(0)
  })
})

test('keeps purchases, health reads and audit lines of a member with an open complaint', async () => {
  const { studio, bank, ana, boris, dora } = await openStudioWithBank()
  const bought = await studio.createPackage({ price: '45.00', validityMonths: 1 })
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  await activatePass(ana, bought, started)
  const { body: booking } = await ana.book(await studio.createClass('Tuesday 18:00'))
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
  studio.travelTo('2033-01-01 12:00')
  await runRetention(studio)
  expect(await left()).toEqual([1, 1, 1, 0, 1, 1, 1])
  await studio.logIn(dora)
  await dora.call(closeComplaint, { params: { id: ana.id } })
  await runRetention(studio)
  expect(await left()).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('keeps a payment without a purchase while money is on its way or a dispute is open', async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const bought = await studio.createPackage({ price: '45.00', validityMonths: 1 })
  const { pool } = studio.server.database
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const started = await startPayment(ana, bought)
    await bank.pay(started)
    const { paymentIntentId } = started.body
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
  studio.travelTo('2033-01-01 12:00')
  await runRetention(studio)
  expect(await left()).toEqual([ids[0], ids[1]].sort())
  await pool.query(
    "update refunds set status = 'failed', failure = 'expired_or_canceled_card', settled_at = '2033-01-01'",
  )
  await pool.query("update disputes set status = 'won', decided_at = '2033-01-01'")
  await runRetention(studio)
  expect(await left()).toEqual([])
})

test('keeps a member while a payment is processing, and for 14 days after the purchase', async () => {
  const { studio, bank } = await openStudioWithBank()
  const eve = await studio.member('Eve', { health: true })
  const bought = await studio.createPackage({ price: '450.00', validityMonths: 1 })
  const { pool } = studio.server.database
  studio.travelTo('2028-12-06 12:00')
  await studio.logIn(eve)
  const started = await startPayment(eve, bought)
  await bank.payByDebit(started)
  await bank.deliverEvents(studio, started.body.paymentIntentId)
  studio.travelTo('2028-12-12 03:45')
  await runRetention(studio)
  expect([await countUsers(studio, eve), await hasHealth(studio, eve)]).toEqual([1, 4])
  expect((await eve.read(getKeptUntil)).keptBy).toEqual(['payment'])

  await bank.simulate('settle', started.body.paymentIntentId)
  await bank.deliverEvents(studio, started.body.paymentIntentId)
  // She used it up, or gave it back by cancelling late: no pass keeps her.
  await pool.query("update passes set expires_at = '2028-12-12 05:00Z' where purchase_id is not null")
  studio.travelTo('2028-12-26 23:59:59')
  await runRetention(studio)
  expect(await countUsers(studio, eve)).toBe(1)
  expect((await eve.read(getKeptUntil)).keptBy).toEqual(['purchase'])
  studio.travelTo('2028-12-27 03:45')
  await runRetention(studio)
  expect(await countUsers(studio, eve)).toBe(0)
})

test('keeps a member while a refund is open or needs the owner, but not for a voided sale or an abandoned checkout', async () => {
  const { studio, bank, boris } = await openStudioWithBank()
  const bought = await studio.createPackage({ price: '45.00', validityMonths: 1 })
  const started = await startPayment(boris, bought)
  await bank.pay(started)
  await activatePass(boris, bought, started)
  const { pool } = studio.server.database
  const purchaseId = await studio.count('select id from purchases')
  const { paymentIntentId } = started.body
  await pool.query(
    `insert into refunds (payment_intent_id, purchase_id, origin, amount_pence, status, created_at)
     values ($1, $2, 'owner', 4500, 'decided', '2026-12-08')`,
    [paymentIntentId, purchaseId],
  )
  studio.travelTo('2029-01-01 12:00')
  await runRetention(studio)
  expect(await countUsers(studio, boris)).toBe(1)
  await pool.query("update refunds set status = 'failed', failure = 'lost_or_stolen_card', settled_at = '2029-01-01'")
  await runRetention(studio)
  expect(await countUsers(studio, boris)).toBe(1)
  await pool.query("update refunds set answered_at = '2029-01-01'")
  await pool.query(
    `insert into payment_intents (id, user_id, package_id, amount_pence, lines, class_count, validity_months, state, created_at)
     values ('pi_left', $1, $2, 4500, '[{"amountPence": 4500}]', 8, 1, 'open', '2028-11-01')`,
    [boris.id, bought.id],
  )
  await pool.query(
    `insert into purchases (user_id, buyer, package_id, amount_pence, lines, class_count, valid_until, purchased_at,
                            desk_method, voided_at)
     values ($1, '{}', $2, 4500, '[{"amountPence": 4500}]', 8, '2029-12-31', '2028-12-31', 'cash', '2028-12-31')`,
    [boris.id, bought.id],
  )
  await runRetention(studio)
  expect(await countUsers(studio, boris)).toBe(0)
})
