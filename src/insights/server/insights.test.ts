import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio } from '#testing/studio-under-test.ts'
import { getAnalytics, getOverview, listUsers } from '../contract.ts'
import { buy } from './purchases-under-test.ts'

const figures = (admin: Person) => admin.read(getAnalytics)
const usersSeen = (admin: Person, query: Record<string, string> = {}) => admin.read(listUsers, { query })

describe('the figures', () => {
  test('of a new studio are zero', async () => {
    const studio = await openEmptyStudio()
    const dora = await studio.admin('Dora')
    expect(await figures(dora)).toEqual({
      registeredStudents: 0,
      monthlyRevenue: '0.00',
      totalRevenue: '0.00',
      activePackages: 0,
      totalBookings: 0,
      confirmedBookings: 0,
      completedBookings: 0,
      totalPackages: 0,
    })
  })

  test('count members, packages, bookings and revenue', async () => {
    const { studio, ana, boris, dora } = await openStudio({ now: '2026-11-30 23:30' })
    const [small, hidden, gone] = [
      await studio.createPackage({ price: '45.50' }),
      await studio.createPackage({ price: '129.00' }),
      await studio.createPackage({ price: '1000.00' }),
    ]
    await buy(studio, ana, small)
    await buy(studio, boris, gone)
    // Midnight in London: a new month.
    studio.travelTo('2026-12-01 00:00')
    await buy(studio, ana, small)
    await buy(studio, boris, hidden)
    await dora.request('PATCH', `/api/admin/packages/${hidden.id}/toggle-visibility`)
    await dora.request('DELETE', `/api/packages/${gone.id}`)
    const classes = [await studio.createClass('2026-12-01 18:00'), await studio.createClass('2026-12-09 18:00')]
    for (const id of classes) await ana.book(id)
    await ana.cancel((await ana.book(await studio.createClass('2026-12-10 18:00'))).body.id)
    studio.travelTo('2026-12-02 09:00')
    await studio.server.workers['complete-classes']({}, 'by hand')
    expect(await figures(dora)).toEqual({
      registeredStudents: 2,
      monthlyRevenue: '174.50',
      totalRevenue: '1220.00',
      // The package of Ana's gift, the small and the hidden one.
      activePackages: 2,
      totalPackages: 3,
      totalBookings: 3,
      confirmedBookings: 1,
      completedBookings: 1,
    })
  })

  test('leave out refunds', async () => {
    const { studio, ana, dora } = await openStudio()
    const bought = await studio.createPackage({ price: '100.00' })
    const [refunded] = [await buy(studio, ana, bought), studio.clock.advance({ minutes: 1 })]
    await buy(studio, ana, bought)
    await studio.server.database.pool.query(
      'update purchases set refunded_pence = 8000, lost_pence = 1000 where payment_intent_id = $1',
      [refunded],
    )
    expect(await figures(dora)).toMatchObject({ monthlyRevenue: '110.00', totalRevenue: '110.00' })
  })

  test('use London months, even in summer', async () => {
    const { studio, ana, dora } = await openStudio({ now: '2026-06-30 23:59:59' })
    await buy(studio, ana, await studio.createPackage({ price: '10.00' }))
    expect(await figures(dora)).toMatchObject({ monthlyRevenue: '10.00' })
    studio.travelTo('2026-07-01 00:30')
    expect(await figures(dora)).toMatchObject({ monthlyRevenue: '0.00', totalRevenue: '10.00' })
    await buy(studio, ana, await studio.createPackage({ price: '20.00' }))
    expect(await figures(dora)).toMatchObject({ monthlyRevenue: '20.00' })
  })
})

describe('the overview', () => {
  test('counts all users, and the bookings and revenue of this London month', async () => {
    const { studio, ana, dora } = await openStudio({ now: '2026-11-30 23:59' })
    const overview = async () => (await dora.call(getOverview)).body
    const sold = await studio.createPackage({ price: '45.50' })
    await buy(studio, ana, sold)
    await ana.book(await studio.createClass('2026-12-03 18:00'))
    expect(await overview()).toEqual({ totalUsers: 3, monthBookings: 1, monthConfirmed: 1, monthRevenue: '45.50' })
    // Midnight in London starts a new month; bookings count by when they were made.
    studio.travelTo('2026-12-01 00:00')
    expect(await overview()).toEqual({ totalUsers: 3, monthBookings: 0, monthConfirmed: 0, monthRevenue: '0.00' })
    await ana.cancel((await ana.book(await studio.createClass('2027-01-03 18:00'))).body.id)
    await ana.book(await studio.createClass('2026-12-04 18:00'))
    expect(await overview()).toMatchObject({ monthBookings: 2, monthConfirmed: 1 })
    expect(await ana.call(getOverview)).toBeRefused(commonRefusals.forbidden)
  })
})

describe('the list of users', () => {
  test('has each user’s bookings and valid credits, newest first', async () => {
    const { studio, ana, dora } = await openStudio({ now: '2026-11-01 09:00' })
    await studio.grantCredits(ana, 5, 1)
    await studio.grantCredits(ana, 2, 12)
    await ana.book(await studio.createClass('2026-11-03 18:00'))
    await ana.cancel((await ana.book(await studio.createClass('2026-11-04 18:00'))).body.id)
    const before = (await usersSeen(dora)).find(({ id }) => id === ana.id)
    expect(before).toMatchObject({ totalCredits: 16, bookingsCount: 2 })
    // The one-month pass has expired but has not been written off.
    studio.travelTo('2026-12-02 09:00')
    await studio.logIn(dora)
    const zoe = await studio.member('Zoe')
    const seen = await usersSeen(dora)
    expect(seen[0]).toEqual({
      id: zoe.id,
      username: zoe.email,
      role: 'member',
      email: zoe.email,
      firstName: 'Zoe',
      lastName: 'Cast',
      phone: null,
      isAdmin: false,
      createdAt: '2026-12-02T09:00:00Z',
      emailVerified: false,
      canLogIn: true,
      invitedAt: null,
      teachesAs: null,
      healthComplete: false,
      totalCredits: 0,
      bookingsCount: 0,
      updatedAt: '2026-12-02T09:00:00Z',
    })
    expect(seen.find(({ id }) => id === ana.id)).toMatchObject({
      totalCredits: 12,
      bookingsCount: 2,
      healthComplete: true,
    })
    expect(seen.find(({ id }) => id === dora.id)).toMatchObject({ isAdmin: true, totalCredits: 0 })
    expect(seen).toHaveLength(4)
  })

  test('searches name, email, username and phone number, ignoring case and with % and _ taken literally', async () => {
    const { studio, dora } = await openStudio()
    const [mira, nils] = [await studio.member('Mira'), await studio.member('Nils')]
    const edit = (person: Person, body: object) => dora.request('PUT', `/api/admin/users/${person.id}`, body)
    await edit(mira, { firstName: '100%', lastName: 'O_Neill', username: 'mira\\back' })
    await edit(nils, { firstName: '1000', lastName: 'OXNeill' })
    const find = async (search: string) => (await usersSeen(dora, { search })).map(({ email }) => email?.split('@')[0])
    expect(await find('ANA C')).toEqual(['ana'])
    expect(await find('boris@PEOPLE')).toEqual(['boris'])
    expect(await find('100% o')).toEqual(['mira'])
    expect(await find('%')).toEqual(['mira'])
    expect(await find('o_n')).toEqual(['mira'])
    expect(await find('a\\b')).toEqual(['mira'])
    expect((await find('oneill')).length).toBe(0)
    expect(await find("'; drop table users; --")).toEqual([])
    expect(await find('')).toHaveLength(5)
    await edit(mira, { phone: '+44 (0)1632 960-147' })
    for (const number of ['01632 960147', '1632/960', '0147']) expect(await find(number)).toEqual(['mira'])
    for (const none of ['999999', '14 7', '()']) expect(await find(none)).toEqual([])
  })

  test('pages through the whole list', async () => {
    const { studio, dora } = await openStudio()
    for (const name of ['Emil', 'Fritz', 'Greta']) {
      studio.clock.advance({ minutes: 1 })
      await studio.member(name)
    }
    const all = await usersSeen(dora)
    const pages = await Promise.all(['0', '2', '4'].map((offset) => usersSeen(dora, { limit: '2', offset })))
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2])
    expect(pages.flat()).toEqual(all)
    expect(all.slice(0, 3).map(({ firstName }) => firstName)).toEqual(['Greta', 'Fritz', 'Emil'])
    expect(await usersSeen(dora, { limit: '1', offset: '1', search: 'cast' })).toEqual([all[1]])
    for (const query of [{ limit: '0' }, { limit: 'all' }, { offset: '-1' }]) {
      expect((await dora.call(listUsers, { query: query as never })).status).toBe(400)
    }
  })

  test('never has a password, and is for admins only', async () => {
    const { studio, ana, dora } = await openStudio()
    expect(JSON.stringify(await usersSeen(dora))).not.toMatch(/password|argon2/i)
    for (const endpoint of [listUsers, getAnalytics]) {
      expect(await ana.call(endpoint)).toBeRefused(commonRefusals.forbidden)
      expect(await studio.visitor().call(endpoint)).toBeRefused(commonRefusals.unauthorized)
    }
  })
})
