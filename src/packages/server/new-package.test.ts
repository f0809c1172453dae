import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import * as contract from '../contract.ts'

const story = shareStudio()

const form = { name: 'Winter Pass', price: '45.00', classCount: 3, validityMonths: 2 }
const create = (admin: Person, body: object) => admin.call(contract.createPackage, { body })
const edit = (admin: Person, id: number, body: object) => admin.call(contract.editPackage, { params: { id }, body })
const remove = (admin: Person, id: number) => admin.call(contract.deletePackage, { params: { id } })
const toggle = (admin: Person, id: number) => admin.call(contract.togglePackageVisibility, { params: { id } })
const shop = async (person: Person) => (await person.call(contract.listPackages)).body as contract.Package[]

describe('a new package', () => {
  test('is on sale immediately, with defaults for missing fields', async () => {
    const { studio, dora } = story
    const { status, body } = await create(dora, { ...form, isActive: false, id: 5, colour: 'blue' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      ...form,
      description: null,
      maxParticipants: 2,
      isLimitedOffer: false,
      purchaseOncePerUser: false,
      isActive: true,
      createdAt: '2026-12-07T09:00:00Z',
      updatedAt: '2026-12-07T09:00:00Z',
      isForImports: false,
      nextPrice: null,
    })
    const { isForImports: _, nextPrice: __, ...onSale } = body
    expect(await shop(studio.visitor())).toContainEqual(onSale)
  })

  test('keeps every value as sent', async () => {
    const sent = {
      ...form,
      name: 'Ünïcode “Pass” 🐈',
      description: 'שלום\nDROP TABLE packages; --',
      maxParticipants: 1,
      isLimitedOffer: true,
      purchaseOncePerUser: true,
    }
    expect((await create(story.dora, sent)).body).toMatchObject(sent)
  })

  test.each([
    ['45', '45.00'],
    ['45.5', '45.50'],
    ['45.50', '45.50'],
    [45.5, '45.50'],
    [45, '45.00'],
    ['0.3', '0.30'],
    [0.3, '0.30'],
    ['999999.99', '999999.99'],
    ['£45', '45.00'],
    ['£1,200.50', '1200.50'],
  ])('reads a price of %j as %s', async (price, reads) => {
    expect((await create(story.dora, { ...form, price })).body.price).toBe(reads)
  })

  const NAME = 'Name is required'
  const PRICE = 'Price is required'
  const AMOUNT = 'Please write the price in pounds, such as 45, 45.50 or 1,200'
  const COUNT = 'Class count must be at least 1'
  const VALIDITY = 'Validity must be at least 1 month'
  const PLACES = 'Please choose 1 or 2 participants'
  test.each([
    ['name', undefined, NAME],
    ['name', '', NAME],
    ['name', '   ', NAME],
    ['name', null, NAME],
    ['name', 5, NAME],
    ['name', 'x'.repeat(256), 'Please use at most 255 characters'],
    ['price', undefined, PRICE],
    ['price', '', PRICE],
    ['price', ' ', PRICE],
    ['price', null, PRICE],
    ['price', 'free', AMOUNT],
    ['price', '-1', AMOUNT],
    ['price', '45.555', AMOUNT],
    ['price', '45,50', AMOUNT],
    ['price', '1e3', AMOUNT],
    ['price', true, AMOUNT],
    ['price', '1,000,000', 'Please use a price below £1,000,000'],
    ['classCount', undefined, COUNT],
    ['classCount', 0, COUNT],
    ['classCount', 1.5, COUNT],
    ['classCount', '3', COUNT],
    ['classCount', 1001, 'Please enter at most 1000'],
    ['validityMonths', undefined, VALIDITY],
    ['validityMonths', 0, VALIDITY],
    ['validityMonths', 121, 'Please enter at most 120'],
    ['maxParticipants', 0, PLACES],
    ['maxParticipants', 3, PLACES],
    ['maxParticipants', 1.5, PLACES],
    ['isLimitedOffer', 'yes', 'Enter true or false for isLimitedOffer'],
    ['purchaseOncePerUser', 1, 'Enter true or false for purchaseOncePerUser'],
    ['description', 5, 'Enter text.'],
  ])('is refused with %s %j: %s', async (path, value, message) => {
    const { studio, dora } = story
    const before = await studio.count('select count(*) from packages')
    const body = { ...form, [path]: value }
    const [created, edited] = [
      await create(dora, body),
      value !== undefined && (await edit(dora, (await shop(dora))[0]?.id ?? 0, { [path]: value })),
    ]
    expect(created).toMatchObject({ status: 400, body: { message, errors: [{ path, message }] } })
    if (edited) expect(edited).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
    expect(await studio.count('select count(*) from packages')).toBe(before)
  })

  test.each([0, '0', '0.00', '0.29', 0.1])('is refused at %j, below 30 pence', async (price) => {
    const message = 'A package costs at least 30 pence'
    expect(await create(story.dora, { ...form, price })).toMatchObject({
      status: 400,
      body: { message, errors: [{ path: 'price', message }] },
    })
  })

  test('reports every invalid field', async () => {
    const { body } = await create(story.dora, {})
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([NAME, PRICE, COUNT, VALIDITY])
  })

  test('can be created, edited, shown, hidden and deleted by admins only', async () => {
    const { studio, ana } = story
    const { id } = await studio.createPackage()
    for (const [person, refusal] of [
      [ana, commonRefusals.forbidden],
      [studio.visitor(), commonRefusals.unauthorized],
    ] as const) {
      expect(await create(person, form)).toBeRefused(refusal)
      expect(await edit(person, id, { price: '1' })).toBeRefused(refusal)
      expect(await toggle(person, id)).toBeRefused(refusal)
      expect(await remove(person, id)).toBeRefused(refusal)
    }
    expect(await shop(ana)).toContainEqual(expect.objectContaining({ id, price: '424.00' }))
  })
})
