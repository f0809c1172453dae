import { expect, test } from 'vitest'
import { blockMember } from '#booking/contract.ts'
import { acceptInvitation, addCompanion } from '#booking/contract-companions.ts'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { listHealthUpdates, markHealthUpdateSent } from '#health/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import * as contract from '../contract.ts'
import type { ListName } from '../rules.ts'
import { agrees, previews, sendAs } from './mailings-under-test.ts'

const on = async (admin: Person, list: ListName) => await admin.read(contract.listPrompted, { query: { list } })
const idsOn = async (admin: Person, list: ListName) => (await on(admin, list)).map(({ userId }) => userId)
const countsOf = async (admin: Person) => (await admin.read(contract.getPrompts)).lists

test('expiring: credits that expire by the end of the 14th day, but not of spent, frozen or expired passes', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const carl = await studio.member('Carl')
  const { pool } = studio.server.database
  const [soon, later, frozen] = [
    await studio.grantCredits(boris, 2),
    await studio.grantCredits(carl, 3),
    await studio.grantCredits(carl, 1),
  ]
  const setExpiry = (id: number, at: string) => pool.query('update passes set expires_at = $2 where id = $1', [id, at])
  await setExpiry(soon, '2026-12-21T23:59:59Z')
  await setExpiry(later, '2026-12-22T00:00:00Z')
  await setExpiry(frozen, '2026-12-10T23:59:59Z')
  await pool.query('update passes set frozen_at = now() where id = $1', [frozen])
  expect(await on(dora, 'expiring')).toEqual([
    {
      userId: boris.id,
      firstName: 'Boris',
      lastName: 'Cast',
      email: boris.email,
      credits: 2,
      at: '2026-12-21T23:59:59Z',
      mayNudge: false,
    },
  ])
  await setExpiry(later, '2026-12-07T09:00:01Z')
  expect(await idsOn(dora, 'expiring')).toEqual([carl.id, boris.id])
  await setExpiry(later, '2026-12-07T09:00:00Z')
  expect(await idsOn(dora, 'expiring')).toEqual([boris.id])
  expect(await idsOn(dora, 'expiring')).not.toContain(ana.id)
  await pool.query('update users set is_admin = true where id = $1', [boris.id])
  expect(await idsOn(dora, 'expiring')).toEqual([])
  expect((await countsOf(dora)).expiring).toBe(0)
})

test('last_credit: one credit left over all usable passes', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.grantCredits(boris, 1)
  expect(await idsOn(dora, 'last_credit')).toEqual([boris.id])
  await studio.grantCredits(boris, 1)
  expect(await idsOn(dora, 'last_credit')).toEqual([])
  await studio.server.database.pool.query(
    "update passes set expires_at = '2026-12-07T09:00:00Z' where id in (select max(id) from passes)",
  )
  expect(await idsOn(dora, 'last_credit')).toEqual([boris.id])
  expect((await countsOf(dora)).last_credit).toBe(1)
  expect(await idsOn(dora, 'last_credit')).not.toContain(ana.id)
})

test('used_up: no credits left, and the last one used within 30 days', async () => {
  const { studio, boris, dora } = await openStudio()
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 2)
  await boris.book(await studio.createClass('Tuesday 18:00'))
  expect(await idsOn(dora, 'used_up')).toEqual([])
  await boris.book(await studio.createClass('Wednesday 18:00'))
  expect(await on(dora, 'used_up')).toMatchObject([{ userId: boris.id, credits: 0, at: '2026-12-07T09:00:00Z' }])
  expect((await countsOf(dora)).used_up).toBe(1)
  studio.travelTo('2027-01-06 09:00:00')
  await studio.logIn(dora)
  expect(await idsOn(dora, 'used_up')).toEqual([boris.id])
  studio.travelTo('2027-01-06 09:00:01')
  expect(await idsOn(dora, 'used_up')).toEqual([])
  studio.travelTo('2027-01-06 09:00:00')
  await studio.grantCredits(boris, 1)
  expect(await idsOn(dora, 'used_up')).toEqual([])
})

test('used_up: the member whose credit paid for a companion, not the companion', async () => {
  const { studio, boris, dora } = await openStudio()
  const eva = await studio.member('Eva', { health: true, credits: 2 })
  await studio.completeHealth(boris)
  const { body: booking } = await eva.book(await studio.createClass('2027-01-20 18:00'))
  studio.travelTo('2027-01-07 09:00')
  await studio.logIn(dora, eva, boris)
  expect(await idsOn(dora, 'used_up')).toEqual([])
  const companion = { firstName: 'Boris', lastName: 'Beck', email: boris.email }
  await eva.call(addCompanion, { params: { id: booking.id }, body: companion })
  const token = defined((await studio.mailTo(boris)).map(({ text }) => /#invitation=([\w.-]+)/.exec(text)?.[1]).at(-1))
  expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
  expect(await on(dora, 'used_up')).toMatchObject([{ userId: eva.id, at: '2027-01-07T09:00:00Z' }])
})

test('not_seen: members whose last class ended 4 weeks ago, to the second, and who have no booking', async () => {
  const { studio, ana, dora } = await openStudio()
  await ana.book(await studio.createClass('Tuesday 18:00'))
  studio.travelTo('2027-01-05 18:44:59')
  await studio.logIn(dora, ana)
  expect(await idsOn(dora, 'not_seen')).toEqual([])
  studio.travelTo('2027-01-05 18:45:00')
  expect(await on(dora, 'not_seen')).toMatchObject([{ userId: ana.id, credits: null, at: '2026-12-08T18:45:00Z' }])
  const ahead = await studio.createClass('2027-02-01 10:00')
  const { body: booking } = await ana.book(ahead)
  expect(await idsOn(dora, 'not_seen')).toEqual([])
  await ana.cancel(booking.id)
  expect((await countsOf(dora)).not_seen).toBe(1)
})

test('health_missing: messages count as service and reach members who have not agreed to news', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.grantCredits(boris, 2)
  const classId = await studio.createClass('Tuesday 18:00')
  await ana.book(classId)
  expect(await idsOn(dora, 'health_missing')).toEqual([])
  const booked = await dora.book(classId, { userId: boris.id, override: true })
  expect(booked.status).toBe(201)
  expect(await on(dora, 'health_missing')).toMatchObject([{ userId: boris.id, at: '2026-12-08T18:00:00Z' }])
  expect((await sendAs(dora, { audience: { list: 'health_missing' } })).body).toMatchObject({
    recipients: 1,
    kind: 'service',
    audience: 'Health information missing before a class',
  })
  studio.travelTo('Tuesday 18:00')
  expect(await idsOn(dora, 'health_missing')).toEqual([])
})

test('sends a nudge only to members on the list who agreed, and never as service', async () => {
  const { studio, boris, dora } = await openStudio()
  const carl = await studio.member('Carl')
  for (const person of [boris, carl]) await studio.grantCredits(person, 1)
  await agrees(carl)
  expect((await on(dora, 'last_credit')).map(({ userId, mayNudge }) => [userId, mayNudge]).sort()).toEqual(
    [
      [boris.id, false],
      [carl.id, true],
    ].sort(),
  )
  const audience = { list: 'last_credit' }
  const { recipients, leftOut } = await previews(dora, { audience })
  expect([recipients, leftOut.map(({ reason, people }) => [reason, people[0]?.userId])]).toEqual([
    1,
    [['not_opted_in', boris.id]],
  ])
  expect(await sendAs(dora, { audience, kind: 'service' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'kind' }] },
  })
  expect((await sendAs(dora, { audience })).body).toMatchObject({ recipients: 1, kind: 'marketing' })
})

test('lists the classes of the next seven days that have not started, without health data', async () => {
  const { studio, ana, dora } = await openStudio()
  const [, first, last] = [
    await studio.createClass('Monday 09:00'),
    await studio.createClass({ at: 'Monday 09:01', places: 1 }),
    await studio.createClass('2026-12-13 18:00'),
    await studio.createClass('2026-12-14 09:00'),
    await studio.createClass({ at: 'Tuesday 10:00', isActive: false }),
  ]
  await ana.book(last as number)
  expect(await dora.read(contract.listWeek)).toEqual([
    expect.objectContaining({ id: first, bookedCount: 0, people: [] }),
    expect.objectContaining({ id: last, people: [{ userId: ana.id, firstName: 'Ana', lastName: 'Cast' }] }),
  ])
  expect((await dora.read(contract.getPrompts)).week).toEqual({ classes: 2, places: 3, taken: 1 })
  expect(await studio.count('select count(*) from health_reads')).toBe(0)
})

test('counts the members with health updates that have not been marked as sent', async () => {
  const { studio, dora } = await openStudio()
  const news = async () => (await dora.read(contract.getPrompts)).withNewHealth
  const before = await news()
  await studio.member('Carl', { health: true })
  expect(await news()).toBe(before + 1)
  const [update, ...others] = (await dora.read(listHealthUpdates)).filter(({ user }) => user.firstName === 'Carl')
  await dora.call(markHealthUpdateSent, { params: { id: defined(update).id } })
  expect(await news()).toBe(before + 1)
  for (const { id } of others) await dora.call(markHealthUpdateSent, { params: { id } })
  expect(await news()).toBe(before)
})

test('pages through lists, for admins only', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const carl = await studio.member('Carl')
  for (const person of [boris, carl]) await studio.grantCredits(person, 1)
  const page = await dora.call(contract.listPrompted, { query: { list: 'last_credit', limit: '1', offset: '1' } })
  expect([page.body.length, page.headers.get('x-total-count')]).toEqual([1, '2'])
  for (const { path } of [contract.getPrompts, contract.listWeek, contract.listPrompted]) {
    expect(await ana.request('GET', `${path}?list=expiring`)).toBeRefused(commonRefusals.forbidden)
  }
  expect((await dora.request('GET', '/api/admin/prompts/people?list=birthdays')).status).toBe(400)
})

test('leaves blocked members off marketing lists but not off health_missing', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.grantCredits(boris, 1, 1)
  const booked = await studio.createClass('Tuesday 18:00')
  await dora.book(booked, { userId: boris.id, override: true })
  await studio.grantCredits(boris, 1)
  await agrees(ana)
  await dora.call(blockMember, { params: { id: boris.id }, body: { reason: 'Did not come five times' } })
  expect(await idsOn(dora, 'last_credit')).toEqual([])
  expect((await countsOf(dora)).last_credit).toBe(0)
  expect(await idsOn(dora, 'health_missing')).toEqual([boris.id])
})
