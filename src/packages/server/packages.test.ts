import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import * as contract from '../contract.ts'

const story = shareStudio()
const { packageRefusals } = contract

const form = { name: 'Winter Pass', price: '45.00', classCount: 3, validityMonths: 2 }
const create = (admin: Person, body: object) => admin.call(contract.createPackage, { body })
const editAs = (admin: Person, id: number, body: object) => admin.call(contract.editPackage, { params: { id }, body })
const remove = (admin: Person, id: number) => admin.call(contract.deletePackage, { params: { id } })
const toggle = (admin: Person, id: number) => admin.call(contract.togglePackageVisibility, { params: { id } })
const shop = async (person: Person) => (await person.call(contract.listPackages)).body as contract.Package[]
const store = async (admin: Person, query: Record<string, string> = {}) =>
  (await admin.call(contract.listAllPackages, { query })).body as contract.Package[]

describe('the lists', () => {
  test('show active packages in the shop, smallest first, hidden ones to admins too, deleted ones nowhere', async () => {
    const { studio, ana, dora } = await openStudio()
    // The cast's passes are gifts of other packages.
    const [twelve, one, dear, hidden, gone] = [
      await studio.createPackage({ name: 'Twelve', classCount: 12 }),
      await studio.createPackage({ name: 'One', classCount: 1, price: '65.00' }),
      await studio.createPackage({ name: 'One, dear', classCount: 1, price: '70.00' }),
      await studio.createPackage({ name: 'Hidden', classCount: 2 }),
      await studio.createPackage({ name: 'Gone', classCount: 3 }),
    ]
    await toggle(dora, hidden.id)
    await remove(dora, gone.id)
    const names = (packages: contract.Package[]) => packages.map(({ name }) => name)
    const onSale = ['One', 'One, dear', '10 credits', 'Twelve']
    for (const person of [studio.visitor(), ana, dora]) expect(names(await shop(person))).toEqual(onSale)
    expect(names(await store(dora))).toEqual(['One', 'One, dear', 'Hidden', '10 credits', 'Twelve'])
    expect(names(await store(dora, { limit: '2', offset: '1' }))).toEqual(['One, dear', 'Hidden'])
    expect(names(await store(dora, { search: 'ONE' }))).toEqual(['One', 'One, dear'])
    expect(names(await store(dora, { search: '%' }))).toEqual([])
    expect((await shop(ana)).map(({ id }) => id)).toEqual([one.id, dear.id, expect.any(Number), twelve.id])
  })

  test('show the full list to admins only', async () => {
    expect(await story.ana.call(contract.listAllPackages)).toBeRefused(commonRefusals.forbidden)
    expect(await story.studio.visitor().call(contract.listAllPackages)).toBeRefused(commonRefusals.unauthorized)
  })
})

test('no package costs less than 30 pence, not even a hidden one in the database', async () => {
  const { studio, dora } = story
  const { id } = await studio.createPackage()
  for (const price of ['0.00', '0.29']) {
    const response = await editAs(dora, id, { price })
    expect([response.status, response.body.errors]).toEqual([
      400,
      [{ path: 'price', message: 'A package costs at least 30 pence' }],
    ])
  }
  expect((await editAs(dora, id, { price: '£0.30' })).body).toMatchObject({ price: '0.30' })
  const free = studio.server.database.pool.query('update packages set price_pence = 29 where id = $1', [id])
  await expect(free).rejects.toThrow('costs_at_least_thirty_pence')
})

describe('an existing package', () => {
  test('changes only the fields sent', async () => {
    const { studio, dora } = story
    const made = (await create(dora, { ...form, description: 'As it was' })).body
    studio.clock.advance({ minutes: 5 })
    const { status, body } = await editAs(dora, made.id, { price: 50.5, isActive: false })
    expect(status).toBe(200)
    expect(body).toEqual({ ...made, price: '50.50', updatedAt: '2026-12-07T09:05:00Z' })
    expect((await editAs(dora, made.id, { description: '' })).body.description).toBeNull()
    expect((await editAs(dora, made.id, {})).body).toMatchObject({ name: 'Winter Pass', price: '50.50' })
    studio.travelTo('Monday 09:00')
  })

  test('is hidden and shown by the same call', async () => {
    const { studio, dora } = story
    const { id } = await studio.createPackage()
    expect(await toggle(dora, id)).toMatchObject({ status: 200, body: { id, isActive: false } })
    expect((await shop(dora)).map((one) => one.id)).not.toContain(id)
    expect(await toggle(dora, id)).toMatchObject({ status: 200, body: { id, isActive: true } })
    expect((await shop(dora)).map((one) => one.id)).toContain(id)
  })

  test("stays on members' passes when deleted, which still pay", async () => {
    const { studio, ana, dora } = await openStudio()
    const [held] = await store(dora)
    if (!held) throw new Error('Ana’s pass has no package')
    expect(await remove(dora, held.id)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect(await store(dora)).toEqual([])
    const { body } = await ana.request('GET', '/api/user/passes')
    expect(body).toMatchObject([{ packageId: held.id, package: { name: '10 credits' }, creditsRemaining: 10 }])
    expect((await ana.book(await studio.createClass('Tuesday 18:00'))).status).toBe(201)
  })

  test('is not found if deleted or unknown', async () => {
    const { studio, dora } = story
    const { id } = await studio.createPackage()
    expect((await remove(dora, id)).status).toBe(200)
    for (const unknown of [id, 987_654]) {
      expect(await editAs(dora, unknown, { price: '1' })).toBeRefused(packageRefusals.package_not_found)
      expect(await toggle(dora, unknown)).toBeRefused(packageRefusals.package_not_found)
      expect(await remove(dora, unknown)).toBeRefused(packageRefusals.package_not_found)
    }
    for (const id of ['0', 'first', '99999999999']) {
      expect((await dora.request('PUT', `/api/packages/${id}`, {})).status).toBe(404)
    }
  })

  test('does not change passes already held when edited', async () => {
    const { studio, ana, dora } = await openStudio()
    const [held] = await store(dora)
    await editAs(dora, held?.id ?? 0, { classCount: 99, validityMonths: 99 })
    const { body } = await ana.request('GET', '/api/user/passes')
    expect(body).toMatchObject([{ creditsRemaining: 10, creditsTotal: 10, expiresAt: '2027-12-07T23:59:59Z' }])
    expect(await studio.creditsOf(ana)).toBe(10)
  })
})
