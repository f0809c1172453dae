import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { deletePass, giftCredits, listPasses, passRefusals } from '../contract.ts'

const story = shareStudio()

const passesOf = (person: Person, query: Record<string, string> = {}) => person.read(listPasses, { query })
const giveAs = (admin: Person, to: Person | string, body: object) =>
  admin.call(giftCredits, { params: { userId: typeof to === 'string' ? to : to.id }, body })
const voidPassAs = (admin: Person, id: number) => admin.call(deletePass, { params: { id } })
const ledgerOf = async (studio: StudioUnderTest, passId: number) => {
  const { rows } = await studio.server.database.pool.query<{
    kind: string
    credits: number
    reason: string | null
    booking_id: number | null
  }>('select kind, credits, reason, booking_id from credit_ledger where pass_id = $1 order by id', [passId])
  return rows
}
const expires = (studio: StudioUnderTest) => studio.server.workers['expire-passes']({}, 'by hand')

describe('the list of passes', () => {
  test('has the package under both names, first to expire first, same under both paths', async () => {
    const { studio, boris } = story
    const anton = await studio.member('Anton')
    const later = await studio.grantCredits(anton, 4, 6)
    const sooner = await studio.grantCredits(anton, 2, 1)
    const passes = await passesOf(anton)
    expect(passes.map(({ id }) => id)).toEqual([sooner, later])
    expect(passes[0]).toMatchObject({
      userId: anton.id,
      creditsRemaining: 2,
      creditsTotal: 2,
      expiresAt: '2027-01-07T23:59:59Z',
      package: { name: '2 credits', classCount: 2, price: '424.00', isActive: true },
    })
    expect(passes[0]?.packageId).toBe(passes[0]?.package.id)
    expect(passes[0]?.classPass).toEqual(passes[0]?.package)
    for (const query of ['', '?activeOnly=true', '?activeOnly=false']) {
      const [one, other] = await Promise.all(
        ['/api/user/passes', '/api/user-passes'].map((path) => anton.request('GET', path + query)),
      )
      expect(other).toMatchObject({ status: 200, body: one?.body })
      expect(one?.body).toHaveLength(2)
    }
    expect((await passesOf(boris)).map(({ id }) => id)).not.toContain(sooner)
    expect(await studio.visitor().call(listPasses)).toBeRefused(commonRefusals.unauthorized)
    expect((await anton.request('GET', '/api/user-passes?activeOnly=perhaps')).status).toBe(400)
  })

  test('activeOnly leaves out used and expired passes, to the second', async () => {
    const { studio, ana } = await openStudio()
    const single = await studio.grantCredits(ana, 1, 1)
    const short = await studio.grantCredits(ana, 3, 2)
    const active = async () => (await passesOf(ana, { activeOnly: 'true' })).map(({ id }) => id)
    expect(await active()).toHaveLength(3)
    await ana.book(await studio.createClass('Tuesday 18:00'))
    expect(await active()).not.toContain(single)
    studio.travelTo('2027-02-07 23:59:58')
    await studio.logIn(ana)
    expect(await active()).toContain(short)
    studio.travelTo('2027-02-08 00:00')
    expect(await active()).not.toContain(short)
    expect((await passesOf(ana)).map(({ id }) => id)).toEqual([single, short, expect.any(Number)])
  })
})

describe('gifted credits', () => {
  test('create a pass, valid twelve months by default', async () => {
    const { studio, dora } = story
    const gina = await studio.member('Gina')
    const gift = await studio.createPackage({ name: 'Gift', classCount: 8, validityMonths: 1 })
    const response = await giveAs(dora, gina, { packageId: gift.id, creditsToGift: 3, userId: gina.id })
    expect(response).toMatchObject({
      status: 201,
      body: {
        userId: gina.id,
        creditsRemaining: 3,
        creditsTotal: 3,
        expiresAt: '2027-12-07T23:59:59Z',
        package: { name: 'Gift' },
      },
    })
    expect(await passesOf(gina)).toEqual([response.body])
    expect(await ledgerOf(studio, response.body.id)).toEqual([
      { kind: 'gift', credits: 3, reason: null, booking_id: null },
    ])
    expect(await studio.count('select count(*) from purchases')).toBe(0)
  })

  test.each([
    [3, '2027-03-07T23:59:59Z'],
    [6, '2027-06-07T22:59:59Z'],
    [24, '2028-12-07T23:59:59Z'],
  ])('are valid for %i months on request', async (expiryMonths, expiresAt) => {
    const { studio, boris, dora } = story
    const gift = await studio.createPackage()
    const { body } = await giveAs(dora, boris, { packageId: gift.id, creditsToGift: 50, expiryMonths })
    expect(body).toMatchObject({ creditsRemaining: 50, expiresAt })
  })

  test('can be of a hidden package, not of a deleted or unknown one, and need a member', async () => {
    const { studio, boris, dora } = story
    const hidden = await studio.createPackage()
    const body = { packageId: hidden.id, creditsToGift: 1 }
    await dora.request('PATCH', `/api/admin/packages/${hidden.id}/toggle-visibility`)
    expect((await giveAs(dora, boris, body)).status).toBe(201)
    expect(await giveAs(dora, 'nobody', body)).toBeRefused(passRefusals.user_not_found)
    await dora.request('DELETE', `/api/packages/${hidden.id}`)
    expect(await giveAs(dora, boris, body)).toBeRefused(packageRefusals.package_not_found)
    expect(await giveAs(dora, boris, { ...body, packageId: 987_654 })).toBeRefused(packageRefusals.package_not_found)
  })

  test.each([
    [{ packageId: undefined }, 'packageId', 'Package is required'],
    [{ packageId: null }, 'packageId', 'Package is required'],
    [{ packageId: '' }, 'packageId', 'Package is required'],
    [{ creditsToGift: undefined }, 'creditsToGift', 'At least 1 credit required'],
    [{ creditsToGift: 0 }, 'creditsToGift', 'At least 1 credit required'],
    [{ creditsToGift: -1 }, 'creditsToGift', 'At least 1 credit required'],
    [{ creditsToGift: 2.5 }, 'creditsToGift', 'Please enter a whole number'],
    [{ creditsToGift: '2' }, 'creditsToGift', 'At least 1 credit required'],
    [{ creditsToGift: 51 }, 'creditsToGift', 'At most 50 credits can be gifted at once'],
    [{ expiryMonths: 0 }, 'expiryMonths', 'Validity must be at least 1 month'],
    [{ expiryMonths: 121 }, 'expiryMonths', 'Please enter at most 120'],
  ])('are refused with %j next to the field', async (wrong, path, message) => {
    const { studio, dora } = story
    const gift = await studio.createPackage()
    const before = await studio.count('select count(*) from passes')
    const response = await giveAs(dora, story.boris, { packageId: gift.id, creditsToGift: 1, ...wrong })
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
    expect(await studio.count('select count(*) from passes')).toBe(before)
  })

  test('refuses a gift of credits by anyone but an admin', async () => {
    const { studio, ana, boris } = story
    const gift = await studio.createPackage()
    const body = { packageId: gift.id, creditsToGift: 1 }
    expect(await giveAs(ana, ana, body)).toBeRefused(commonRefusals.forbidden)
    expect(await giveAs(studio.visitor(), boris, body)).toBeRefused(commonRefusals.unauthorized)
  })
})

describe('a deleted pass', () => {
  test('is voided by one correction line, even on concurrent requests; its bookings stay', async () => {
    const { studio, ana, dora } = await openStudio()
    await ana.book(await studio.createClass('Tuesday 18:00'))
    const [pass] = await passesOf(ana)
    if (!pass) throw new Error('Ana has no pass')
    expect(await voidPassAs(ana, pass.id)).toBeRefused(commonRefusals.forbidden)
    const responses = await Promise.all([voidPassAs(dora, pass.id), voidPassAs(dora, pass.id)])
    for (const response of responses) {
      expect(response).toMatchObject({ status: 200, body: { message: 'User pass deleted successfully' } })
    }
    expect(await studio.creditsOf(ana)).toBe(0)
    expect(await ledgerOf(studio, pass.id)).toMatchObject([
      { kind: 'gift', credits: 10 },
      { kind: 'booking', credits: -1 },
      { kind: 'correction', credits: -9, reason: 'The pass was voided' },
    ])
    expect((await ana.request('GET', '/api/user/bookings/upcoming')).body).toHaveLength(1)
    expect(await voidPassAs(dora, 987_654)).toBeRefused(passRefusals.pass_not_found)
    expect((await dora.request('DELETE', '/api/admin/user-passes/first')).status).toBe(404)
  })
})

describe('the ledger', () => {
  test('has a line for every movement, and credits are its sum', async () => {
    const { studio, ana } = await openStudio()
    const booking = (await ana.book(await studio.createClass('Tuesday 18:00'))).body
    await ana.book(await studio.createClass('Wednesday 18:00'))
    await ana.cancel(booking.id)
    const [pass] = await passesOf(ana)
    if (!pass) throw new Error('Ana has no pass')
    const lines = await ledgerOf(studio, pass.id)
    expect(lines).toMatchObject([
      { kind: 'gift', credits: 10, booking_id: null },
      { kind: 'booking', credits: -1, booking_id: booking.id },
      { kind: 'booking', credits: -1 },
      { kind: 'return', credits: 1, booking_id: booking.id },
    ])
    expect(pass.creditsRemaining).toBe(lines.reduce((sum, line) => sum + line.credits, 0))
    expect(pass.creditsRemaining).toBe(9)
  })

  test.each([
    ['a line changed', 'update credit_ledger set credits = 5 where pass_id = $1'],
    ['a line deleted', 'delete from credit_ledger where pass_id = $1'],
    ['credits moved without a line', 'update passes set credits_remaining = credits_remaining + 1 where id = $1'],
    [
      'more spent than there is',
      `insert into credit_ledger (pass_id, kind, credits, caused_by, at) values ($1, 'correction', -11, 'system', now())`,
    ],
    [
      'a line that moves the wrong way',
      `insert into credit_ledger (pass_id, kind, credits, caused_by, at) values ($1, 'gift', -1, 'system', now())`,
    ],
    [
      'a booking’s line without a booking',
      `insert into credit_ledger (pass_id, kind, credits, caused_by, at) values ($1, 'booking', -1, 'member', now())`,
    ],
    [
      'a pass that is born full',
      `insert into passes (user_id, package_id, credits_total, credits_remaining, expires_at, created_at)
       select user_id, package_id, 5, 5, expires_at, created_at from passes where id = $1`,
    ],
  ])('the database refuses %s', async (_what, statement) => {
    const [pass] = await passesOf(story.ana)
    const { pool } = story.studio.server.database
    await expect(pool.query(statement, [pass?.id])).rejects.toThrow()
    expect(await passesOf(story.ana)).toEqual([pass])
  })
})

describe('expiry', () => {
  test('writes off remaining credits once, the day after; other passes keep theirs', async () => {
    const { studio, ana, boris } = await openStudio()
    const short = await studio.grantCredits(ana, 3, 1)
    const alsoShort = await studio.grantCredits(boris, 2, 1)
    studio.travelTo('2027-01-07 23:59:59')
    await studio.logIn(ana, boris)
    await expires(studio)
    expect(await studio.creditsOf(ana)).toBe(13)
    studio.travelTo('2027-01-08 00:00')
    await expires(studio)
    await expires(studio)
    expect(await studio.creditsOf(ana)).toBe(10)
    expect(await studio.creditsOf(boris)).toBe(0)
    for (const [pass, left] of [
      [short, 3],
      [alsoShort, 2],
    ] as const) {
      expect(await ledgerOf(studio, pass)).toMatchObject([
        { kind: 'gift', credits: left },
        { kind: 'expiry', credits: -left, booking_id: null },
      ])
    }
    // It stays in the list, empty.
    expect((await passesOf(ana)).map(({ creditsRemaining }) => creditsRemaining)).toEqual([0, 10])
  })
})
