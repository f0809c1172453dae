import { expect, test } from 'vitest'
import { accountRefusals, editUser, getCurrentUser } from '#accounts/contract.ts'
import { joinWaitingList } from '#booking/contract-waiting.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { saveQuestionnaire } from '#health/contract.ts'
import { deletePass } from '#passes/contract.ts'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import { readCalendar } from '#testing/read-calendar.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { deleteOwnAccount, deleteUser, exportOwnData } from '../contract.ts'

test('a member downloads all of their own data, decrypted, and nobody else’s', async () => {
  const { studio, ana, boris } = await openStudio()
  await ana.call(saveQuestionnaire, { body: { allergies: 'Latex' } })
  await boris.call(saveQuestionnaire, { body: { allergies: 'Pollen' } })
  const [booked, full] = [
    await studio.createClass('Tuesday 10:00'),
    await studio.createClass({ at: 'Friday 10:00', places: 1 }),
  ]
  const carl = await studio.member('Carl', { health: true, credits: 1 })
  await ana.book(booked)
  await carl.book(full)
  await ana.call(joinWaitingList, { params: { id: full } })

  const { status, body, headers } = await ana.call(exportOwnData)
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="my-data.json"'])
  expect(body).toMatchObject({
    exportedAt: '2026-12-07T09:00:00Z',
    account: { email: ana.email },
    notes: [],
    newsletter: null,
    passes: [{ creditsRemaining: 9 }],
    credits: [{ kind: 'booking' }, { kind: 'gift' }],
    purchases: [],
    bookings: [{ classId: booked }],
    waitingList: [{ classId: full, position: 1 }],
    health: { questionnaire: { allergies: 'Latex' }, emergencyContact: { name: 'Sam' }, readByTheStudio: [] },
  })
  expect(body.health.updates.at(-1)).toMatchObject({
    updateType: 'questionnaire_updated',
    changes: { allergies: { old: null, new: 'Latex' } },
  })
  expect(JSON.stringify(body)).not.toMatch(/Pollen|Carl|password|argon2/i)
  expect(await studio.visitor().call(exportOwnData)).toBeRefused(commonRefusals.unauthorized)
})

test('a download includes changes by admins, payments without a purchase and fraud warnings', async () => {
  const { studio, bank, ana, boris, dora } = await openStudioWithBank()
  const { pool } = studio.server.database
  const bought = await studio.createPackage({ price: '45.00', name: '4 Class Pass' })
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  await activatePass(ana, bought, started)
  await bank.simulate('warn', started.body.paymentIntentId)
  await bank.deliverEvents(studio, started.body.paymentIntentId)
  const left = await startPayment(ana, bought)
  const givenBack = await startPayment(boris, bought)
  await bank.pay(givenBack)
  await pool.query("update payment_intents set state = 'refunded', settled_at = $1, paid_pence = 4500 where id = $2", [
    '2026-12-07T09:00:00Z',
    givenBack.body.paymentIntentId,
  ])
  await pool.query(
    `insert into refunds (payment_intent_id, origin, amount_pence, status, created_at)
     values ($1, 'given_back', 4500, 'decided', '2026-12-07T09:00:00Z')`,
    [givenBack.body.paymentIntentId],
  )
  const { username, email } = (await boris.call(getCurrentUser)).body
  const edited = { username, email, firstName: 'Boris', lastName: 'Cast', phone: '01632 960111', isAdmin: false }
  expect((await dora.call(editUser, { params: { id: boris.id }, body: edited })).status).toBe(200)
  await dora.call(deletePass, { params: { id: await studio.grantCredits(boris, 3) } })

  const { body: hers } = await ana.call(exportOwnData)
  expect(hers.purchases).toMatchObject([{ package: '4 Class Pass', warnings: [{ at: expect.any(String) }] }])
  expect(hers.payments).toEqual([
    {
      package: '4 Class Pass',
      amount: '45.00',
      state: 'open',
      startedAt: '2026-12-07T09:00:00Z',
      settledAt: null,
      paid: null,
      method: null,
      refunds: [],
      disputes: [],
      warnings: [],
    },
  ])
  expect(left.status).toBe(200)
  const { body: his } = await boris.call(exportOwnData)
  expect(his.purchases).toEqual([])
  expect(his.payments).toMatchObject([{ state: 'refunded', paid: '45.00', refunds: [{ amount: '45.00' }] }])
  expect(his.changedByTheStudio).toMatchObject([
    { action: 'pass_deleted', about: 'user', at: '2026-12-07T09:00:00Z' },
    { action: 'edited', about: 'user', changes: { phone: { before: null, after: '01632 960111' } } },
  ])
  expect(hers.changedByTheStudio).toEqual([])
  expect(JSON.stringify(his)).not.toContain(dora.id)
})

test('deleting your own account ends its sessions and offers the place to the waiting list', async () => {
  const { studio, ana } = await openStudio()
  const carl = await studio.member('Carl', { health: true, credits: 1 })
  const full = await studio.createClass({ at: 'Friday 10:00', places: 1 })
  await ana.book(full)
  await carl.call(joinWaitingList, { params: { id: full } })
  const phone = studio.visitor('Ana')
  await studio.logIn(phone)

  expect(await ana.call(deleteOwnAccount)).toMatchObject({ status: 200 })
  expect(ana.cookies.size).toBe(0)
  expect(await phone.request('GET', '/api/auth/user')).toBeRefused(commonRefusals.unauthorized)
  expect(await studio.count('select count(*) from users where id = $1', [ana.id])).toBe(0)
  expect((await carl.request('GET', '/api/bookings/upcoming')).body).toMatchObject([{ classId: full }])
  expect(await studio.visitor().call(deleteOwnAccount)).toBeRefused(commonRefusals.unauthorized)
})

test('refuses to delete the last admin, but not one of two', async () => {
  const { studio, dora } = await openStudio()
  expect(await dora.call(deleteOwnAccount)).toBeRefused(accountRefusals.last_admin)
  await studio.admin('Emil')
  expect((await dora.call(deleteOwnAccount)).status).toBe(200)
})

test('emails an erased member with upcoming classes once, with files that remove the calendar entries', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const { pool } = studio.server.database
  for (const at of ['Tuesday 10:00', 'Friday 10:00']) await ana.book(await studio.createClass(at))
  const { rows: entries } = await pool.query('select calendar_uid from bookings order by id')
  await dora.call(deleteUser, { params: { id: ana.id } })
  await dora.call(deleteUser, { params: { id: boris.id } })
  const mails = (await studio.mailTo(ana)).filter(({ subject }) => subject.includes('cancelled'))
  expect(mails.map(({ subject }) => subject)).toEqual(['Your account is deleted and your booked classes are cancelled'])
  const files = mails[0]?.attachments.map(({ content }) => readCalendar(content)) ?? []
  expect(files).toMatchObject([
    { method: 'CANCEL', events: [{ status: 'CANCELLED', sequence: 1, startsAt: '2026-12-08T10:00:00Z' }] },
    { method: 'CANCEL', events: [{ status: 'CANCELLED', sequence: 1, startsAt: '2026-12-11T10:00:00Z' }] },
  ])
  expect(files.map(({ events }) => events[0]?.uid)).toEqual(entries.map(({ calendar_uid: uid }) => uid))
  expect((await studio.mailTo(boris)).filter(({ subject }) => subject.includes('cancelled'))).toEqual([])
})
