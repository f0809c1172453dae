import { expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { listPasses } from '#passes/contract.ts'
import { sellVoucher } from '#payments/contract-desk.ts'
import { pausePass } from '#schedule/contract-pauses.ts'
import { initialFacts } from '#studio.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { exportReport, exportSlots, getReport, listSlots } from '../contract.ts'
import { buy } from './purchases-under-test.ts'

const reportTo = (admin: Person, from: string, to: string) => admin.read(getReport, { query: { from, to } })

test('has revenue by London month, less refunds', async () => {
  const { studio, ana, boris, dora } = await openStudio({ now: '2026-03-31 23:30' })
  const sold = await studio.createPackage({ price: '100.00' })
  await buy(studio, ana, sold)
  // Summer time: still March in UTC, April in London.
  studio.travelTo('2026-04-01 00:30')
  const refunded = await buy(studio, ana, sold)
  await buy(studio, boris, sold)
  studio.travelTo('2026-06-15 12:00')
  await buy(studio, boris, await studio.createPackage({ price: '45.50' }))
  await studio.logIn(dora)
  await studio.server.database.pool.query('update purchases set refunded_pence = 9000 where payment_intent_id = $1', [
    refunded,
  ])
  expect((await reportTo(dora, '2026-03-01', '2026-06-30')).revenue).toEqual([
    { month: '2026-03', revenue: '100.00', purchases: 1 },
    { month: '2026-04', revenue: '110.00', purchases: 2 },
    { month: '2026-05', revenue: '0.00', purchases: 0 },
    { month: '2026-06', revenue: '45.50', purchases: 1 },
  ])
  // Both end days count in full.
  expect((await reportTo(dora, '2026-04-01', '2026-04-01')).revenue).toEqual([
    { month: '2026-04', revenue: '110.00', purchases: 2 },
  ])
  expect((await reportTo(dora, '2026-04-02', '2026-05-31')).revenue.map(({ revenue }) => revenue)).toEqual([
    '0.00',
    '0.00',
  ])
})

test('has classes, places and attendance by who taught, and what was taken over, also in the file', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 08:00' })
  const lead = initialFacts.instructor.name
  const [nine, ten, eleven] = [
    await studio.createClass('Monday 09:00'),
    await studio.createClass('Monday 10:00'),
    await studio.createClass('Monday 11:00'),
  ]
  await ana.book(nine)
  const { body: booking } = await ana.book(ten)
  const body = { classIds: [ten, eleven], instructorName: 'Jo Hart' }
  await dora.request('POST', '/api/admin/classes/give', body)
  studio.travelTo('Monday 10:30')
  await dora.request('PUT', `/api/admin/bookings/${booking.id}/attendance`, { status: 'no_show' })
  const [first, second] = (await reportTo(dora, '2026-12-07', '2026-12-08')).byTeacher
  expect(first).toEqual({ teacher: lead, classes: 1, takenOver: 0, places: 2, booked: 1, came: 1, noShow: 0 })
  expect(second).toEqual({ teacher: 'Jo Hart', classes: 1, takenOver: 1, places: 2, booked: 1, came: 0, noShow: 1 })
  const file = await dora.call(exportReport, { query: { from: '2026-12-07', to: '2026-12-08' } })
  expect(file.body).toMatch(/"?Classes taken over, Jo Hart"?,2026-12-07 to 2026-12-08,1/)
})

test('has bookings by weekday and hour, and the fill rate of started classes', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 08:00' })
  const boris = await studio.member('Bo', { health: true, credits: 5 })
  const [nine, half, off, gone, later] = [
    await studio.createClass('Monday 09:00'),
    await studio.createClass('Monday 09:30'),
    await studio.createClass('Monday 10:00'),
    await studio.createClass('Monday 11:00'),
    await studio.createClass('Tuesday 18:00'),
  ]
  await studio.createClass('2026-12-14 09:00')
  for (const id of [nine, half, off, later]) await ana.book(id)
  await boris.book(nine)
  await boris.cancel((await boris.book(later)).body.id)
  await dora.request('PUT', `/api/classes/${off}`, { isActive: false })
  await dora.request('DELETE', `/api/classes/${gone}`)
  studio.travelTo('Monday 12:00')
  const report = await reportTo(dora, '2026-12-07', '2026-12-08')
  expect(report.busy).toEqual([
    { weekday: 1, hour: 9, bookings: 3 },
    { weekday: 2, hour: 18, bookings: 1 },
  ])
  expect(report.fill).toEqual({ places: 4, taken: 3 })
})

test('has outstanding and expired credits', async () => {
  const { studio, ana, dora } = await openStudio({ now: '2026-10-01 09:00' })
  // Ana's ten credits are a gift: outstanding, but worth £0.
  await buy(studio, ana, await studio.createPackage({ price: '80.00', classCount: 4, validityMonths: 1 }))
  await buy(studio, ana, await studio.createPackage({ price: '90.00', classCount: 9, validityMonths: 3 }))
  await ana.book(await studio.createClass('2026-10-05 18:00'))
  const pass = (await ana.read(listPasses)).at(-1)
  const away = { from: '2026-10-01', to: '2026-10-01', reason: 'Away' }
  await dora.call(pausePass, { params: { id: pass?.id ?? 0 }, body: away })
  expect(await reportTo(dora, '2026-10-01', '2026-12-31')).toMatchObject({
    outstanding: { credits: 22, value: '150.00' },
    paused: 1,
    breakage: { credits: 0, value: '0.00' },
  })
  studio.travelTo('2026-11-02 09:00')
  await studio.logIn(dora)
  const expired = { outstanding: { credits: 19, value: '90.00' }, breakage: { credits: 3, value: '60.00' } }
  expect(await reportTo(dora, '2026-10-01', '2026-12-31')).toMatchObject(expired)
  await studio.server.workers['expire-passes']({}, 'by hand')
  expect(await reportTo(dora, '2026-10-01', '2026-12-31')).toMatchObject(expired)
  // It expired at the end of 1 November.
  expect((await reportTo(dora, '2026-11-01', '2026-11-01')).breakage.credits).toBe(3)
  expect((await reportTo(dora, '2026-11-02', '2026-12-31')).breakage.credits).toBe(0)
  expect((await reportTo(dora, '2026-10-01', '2026-10-31')).breakage.credits).toBe(0)
})

test('counts gift vouchers sold, redeemed, voided and expired in the period, and those outstanding at its end', async () => {
  const { studio, ana, dora } = await openStudio({ now: '2026-10-01 09:00' })
  const { id: packageId } = await studio.createPackage({ price: '100.00' })
  const body = { packageId, method: 'cash' as const, gift: { recipientName: 'Grace' } }
  const sell = async () => (await dora.call(sellVoucher, { params: { id: ana.id }, body })).body.id
  const [redeemed, voided, expired, open] = [await sell(), await sell(), await sell(), await sell()]
  const become = (id: number, column: string, at: string) =>
    studio.server.database.pool.query(`update vouchers set ${column} = $2 where id = $1`, [id, at])
  await become(redeemed, 'redeemed_at', '2026-11-30T23:59:59Z')
  await become(voided, 'voided_at', '2026-11-05T12:00Z')
  await become(expired, 'expires_at', '2026-11-30T23:59:59Z')
  // Voided after it had expired: it stays expired.
  await become(expired, 'voided_at', '2026-12-02T12:00Z')
  studio.travelTo('2026-12-15 12:00')
  await studio.logIn(dora)
  const figuresOf = async (from: string, to: string) =>
    (await reportTo(dora, from, to)).vouchers.map(({ count, amount }) => `${count} £${amount}`)
  const none = '0 £0.00'
  expect(await figuresOf('2026-10-01', '2026-10-31')).toEqual(['4 £400.00', none, none, none, '4 £400.00'])
  expect(await figuresOf('2026-11-01', '2026-11-29')).toEqual([none, none, '1 £100.00', none, '3 £300.00'])
  const november = [none, '1 £100.00', '1 £100.00', '1 £100.00', '1 £100.00']
  expect(await figuresOf('2026-11-01', '2026-11-30')).toEqual(november)
  expect(await figuresOf('2026-12-01', '2026-12-31')).toEqual([none, none, none, none, '1 £100.00'])
  // A period that lasts is counted until now.
  await become(open, 'expires_at', '2026-12-20T23:59:59Z')
  expect((await figuresOf('2026-12-01', '2026-12-31')).slice(3)).toEqual([none, '1 £100.00'])
})

test('the CSV file has the same figures; both are for admins only', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 08:00' })
  await buy(studio, ana, await studio.createPackage({ price: '100.00' }))
  await ana.book(await studio.createClass('Monday 09:00'))
  const query = { from: '2026-12-01', to: '2026-12-31' }
  const file = await dora.call(exportReport, { query })
  expect(file.headers.get('content-disposition')).toContain('figures-2026-12-01-to-2026-12-31.csv')
  expect((file.body as string).replace('\ufeff', '').split('\r\n')).toEqual([
    'Figure,When,Value',
    'Revenue (£),2026-12,100.00',
    'Purchases,2026-12,1',
    '"Revenue (£), Online",2026-12-01 to 2026-12-31,100.00',
    '"Purchases, Online",2026-12-01 to 2026-12-31,1',
    'Bookings,Monday 09:00,1',
    'Places offered,2026-12-01 to 2026-12-31,0',
    'Places taken,2026-12-01 to 2026-12-31,0',
    'Credits outstanding,now,17',
    'Credits outstanding (£),now,87.50',
    'Passes on pause,now,0',
    'Credits expired unused,2026-12-01 to 2026-12-31,0',
    'Credits expired unused (£),2026-12-01 to 2026-12-31,0.00',
    ...['sold', 'redeemed', 'refunded or voided', 'expired', 'outstanding at the end'].flatMap((figure) => [
      `Gift vouchers ${figure},2026-12-01 to 2026-12-31,0`,
      `Gift vouchers ${figure} (£),2026-12-01 to 2026-12-31,0.00`,
    ]),
    '',
  ])
  for (const endpoint of [getReport, exportReport]) {
    expect(await ana.call(endpoint, { query })).toBeRefused(commonRefusals.forbidden)
    expect((await dora.call(endpoint, { query: { from: '2026-12-02', to: '2026-12-01' } })).status).toBe(400)
    expect((await dora.call(endpoint, { query: { from: '2010-01-01', to: '2026-12-01' } })).status).toBe(400)
  }
})

test('has fill rate, attendance and cancellations by weekday and start time', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 07:00' })
  const bo = await studio.member('Bo', { health: true, credits: 5 })
  const cy = await studio.member('Cy', { health: true, credits: 5 })
  const [first, second, off] = [
    await studio.createClass('Monday 10:00'),
    await studio.createClass('2026-12-14 10:00'),
    await studio.createClass('Monday 11:00'),
  ]
  await studio.createClass('Tuesday 18:00')
  await ana.book(first)
  const late = await bo.book(first)
  await ana.book(second)
  const inTime = await bo.book(second)
  await bo.cancel(inTime.body.id)
  await bo.book(off)
  await dora.request('DELETE', `/api/classes/${off}`)
  studio.travelTo('Monday 09:00')
  await bo.cancel(late.body.id)
  const missed = await cy.book(first)
  studio.travelTo('Monday 12:00')
  await dora.request('PUT', `/api/admin/bookings/${missed.body.id}/attendance`, { status: 'no_show' })
  const read = (to: string) => dora.read(listSlots, { query: { from: '2026-12-07', to } })
  const monday = { weekday: 1, startTime: '10:00', classes: 1, places: 2, booked: 2, came: 1, noShow: 1 }
  expect(await read('2026-12-14')).toEqual([{ ...monday, cancelled: 0, cancelledLate: 1, fillPercent: 100 }])
  studio.travelTo('2026-12-14 12:00')
  const both = { ...monday, classes: 2, places: 4, booked: 3, came: 2, cancelled: 1, cancelledLate: 1, fillPercent: 75 }
  const tuesday = { weekday: 2, startTime: '18:00', classes: 1, places: 2, booked: 0, came: 0, noShow: 0 }
  const empty = { ...tuesday, cancelled: 0, cancelledLate: 0, fillPercent: 0 }
  expect(await read('2026-12-14')).toEqual([both, empty])
  expect(await read('2026-12-13')).toMatchObject([{ classes: 1 }, { classes: 1 }])
  const file = await dora.call(exportSlots, { query: { from: '2026-12-07', to: '2026-12-14' } })
  expect(file.headers.get('content-disposition')).toContain('fill-rate-2026-12-07-to-2026-12-14.csv')
  expect(String(file.body)).toContain('Monday,10:00,2,4,3,2,1,1,1,75')
  expect(await ana.call(listSlots, { query: { from: '2026-12-07', to: '2026-12-14' } })).toBeRefused(
    commonRefusals.forbidden,
  )
})
