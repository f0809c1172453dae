import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { deletePass, listCredits } from '#passes/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { markAttendance, returnForfeitedCredit } from '../../contract.ts'
import { bookingRefusals } from '../../refusals.ts'

const returns = (admin: Person, id: number, reason = 'The bus broke down') =>
  admin.call(returnForfeitedCredit, { params: { id }, body: { reason } })
const mark = (admin: Person, id: number, status: string) =>
  admin.call(markAttendance, { params: { id }, body: { status } })
const linesOf = async (person: Person) => (await person.read(listCredits)).map(({ kind, credits }) => [kind, credits])
const expiryOf = async (person: Person) => (await person.request('GET', '/api/user/passes')).body[0].expiresAt

/** A booking cancelled in the last two hours. */
async function cancelLate(studio: StudioUnderTest, person: Person, title = 'Duo'): Promise<number> {
  const { body } = await person.book(await studio.createClass({ at: 'Monday 10:00', title }))
  expect((await person.cancel(body.id)).body.paymentStatus).toBe('forfeited')
  return body.id
}

describe('a credit that was forfeited', () => {
  test('is returned once, with its reason in ledger, audit log and email', async () => {
    const { studio, ana, dora } = await openStudio()
    const id = await cancelLate(studio, ana)
    expect(await linesOf(ana)).toEqual([
      ['forfeit', 0],
      ['booking', -1],
      ['gift', 10],
    ])
    expect(await returns(dora, id, '  The bus broke down ')).toMatchObject({
      status: 200,
      body: { id, status: 'cancelled', paymentStatus: 'refunded', class: { title: 'Duo' } },
    })
    expect(await studio.creditsOf(ana)).toBe(10)
    expect(await expiryOf(ana)).toBe('2027-12-07T23:59:59Z')
    expect((await ana.call(listCredits, { query: { limit: '1' } })).body).toMatchObject([
      {
        kind: 'goodwill',
        credits: 1,
        bookingId: id,
        class: { title: 'Duo', date: '2026-12-07', startTime: '10:00' },
        causedBy: { by: 'admin', name: null },
        reason: 'The bus broke down',
      },
    ])
    const history = await dora.request('GET', `/api/admin/audit?subject=booking:${id}`)
    expect(history.body).toMatchObject([
      { action: 'credit_returned', admin: { id: dora.id }, changes: { paymentStatus: { after: 'refunded' } } },
    ])
    const [mail] = (await studio.mailTo(ana)).filter(({ subject }) => subject.includes('is back'))
    expect(mail?.text).toContain('The bus broke down')

    expect(await returns(dora, id)).toBeRefused(bookingRefusals.credit_already_returned)
    expect(await studio.creditsOf(ana)).toBe(10)
  })

  test('is returned once on concurrent requests by two admins', async () => {
    const { studio, ana, dora } = await openStudio()
    const id = await cancelLate(studio, ana)
    const responses = await Promise.all([returns(dora, id), returns(dora, id), returns(dora, id)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await studio.creditsOf(ana)).toBe(10)
  })

  test('makes an expired pass valid for fourteen days, for that credit only', async () => {
    const { studio, dora } = await openStudio()
    const carl = await studio.member('Carl', { health: true })
    const passId = await studio.grantCredits(carl, 3, 1)
    const id = await cancelLate(studio, carl)
    studio.travelTo('2027-03-01 12:00')
    await studio.logIn(carl, dora)
    expect((await returns(dora, id)).status).toBe(200)
    expect(await expiryOf(carl)).toBe('2027-03-15T23:59:59Z')
    expect(await studio.count('select credits_remaining from passes where id = $1', [passId])).toBe(1)
    expect((await linesOf(carl)).slice(0, 2)).toEqual([
      ['goodwill', 1],
      ['expiry', -2],
    ])
  })

  test('extends a pass that is about to expire, not one valid for longer', async () => {
    const { studio, dora } = await openStudio()
    const carl = await studio.member('Carl', { health: true, credits: 0 })
    await studio.grantCredits(carl, 3, 1)
    const id = await cancelLate(studio, carl)
    const another = await cancelLate(studio, carl, 'Solo')
    studio.travelTo('2026-12-20 12:00')
    await returns(dora, id)
    expect(await expiryOf(carl)).toBe('2027-01-07T23:59:59Z')
    studio.travelTo('2026-12-31 12:00')
    await returns(dora, another)
    expect(await expiryOf(carl)).toBe('2027-01-14T23:59:59Z')
  })
})

describe('a no-show', () => {
  test('can have the credit returned, which no attendance correction undoes', async () => {
    const { studio, ana, dora } = await openStudio()
    const { body: booking } = await ana.book(await studio.createClass('Tuesday 18:00'))
    studio.travelTo('Tuesday 18:00')
    await mark(dora, booking.id, 'no_show')
    expect((await returns(dora, booking.id)).body).toMatchObject({ status: 'no_show', paymentStatus: 'refunded' })
    for (const status of ['completed', 'no_show', 'no_show', 'completed']) {
      expect((await mark(dora, booking.id, status)).body).toMatchObject({ status, paymentStatus: 'refunded' })
      expect(await returns(dora, booking.id)).toBeRefused(bookingRefusals.credit_already_returned)
    }
    expect(await studio.creditsOf(ana)).toBe(10)
    expect(await linesOf(ana)).toEqual([
      ['correction', 0],
      ['no_show', 0],
      ['correction', 0],
      ['goodwill', 1],
      ['no_show', 0],
      ['booking', -1],
      ['gift', 10],
    ])
  })

  test('corrected to attended has no credit to return', async () => {
    const { studio, ana, dora } = await openStudio()
    const { body: booking } = await ana.book(await studio.createClass('Tuesday 18:00'))
    studio.travelTo('Tuesday 18:00')
    await mark(dora, booking.id, 'no_show')
    await mark(dora, booking.id, 'completed')
    expect(await returns(dora, booking.id)).toBeRefused(bookingRefusals.credit_not_forfeited)
    await mark(dora, booking.id, 'no_show')
    expect((await returns(dora, booking.id)).status).toBe(200)
    expect(await studio.creditsOf(ana)).toBe(10)
  })
})

describe('returning a credit is refused', () => {
  test('for a confirmed booking, or one returned by the rules', async () => {
    const { studio, ana, dora } = await openStudio()
    const { body: booking } = await ana.book(await studio.createClass('Tuesday 18:00'))
    expect(await returns(dora, booking.id)).toBeRefused(bookingRefusals.credit_not_forfeited)
    await ana.cancel(booking.id)
    expect(await returns(dora, booking.id)).toBeRefused(bookingRefusals.credit_already_returned)
    expect(await studio.creditsOf(ana)).toBe(10)
  })

  test('for a voided or refunded pass', async () => {
    const { studio, dora } = await openStudio()
    const { pool } = studio.server.database
    for (const [name, credits] of [
      ['Carl', 1],
      ['Cora', 5],
    ] as const) {
      const person = await studio.member(name, { health: true })
      const passId = await studio.grantCredits(person, credits)
      const id = await cancelLate(studio, person)
      await dora.call(deletePass, { params: { id: passId } })
      expect(await returns(dora, id)).toBeRefused(bookingRefusals.pass_voided)
      expect(await studio.creditsOf(person)).toBe(0)
    }
    const rita = await studio.member('Rita', { health: true, credits: 1 })
    const id = await cancelLate(studio, rita)
    await pool.query('update passes set refunded_at = now() where user_id = $1', [rita.id])
    expect(await returns(dora, id)).toBeRefused(bookingRefusals.pass_voided)
    expect(await studio.creditsOf(rita)).toBe(0)
  })

  test('without a reason, for an unknown booking, and for members', async () => {
    const { studio, ana, dora } = await openStudio()
    const id = await cancelLate(studio, ana)
    for (const body of [{}, { reason: '' }, { reason: '   ' }, { reason: 'x'.repeat(501) }]) {
      expect((await dora.call(returnForfeitedCredit, { params: { id }, body })).status).toBe(400)
    }
    expect(await returns(dora, 999)).toBeRefused(bookingRefusals.booking_not_found)
    expect(await returns(ana, id)).toBeRefused(commonRefusals.forbidden)
    expect(await returns(studio.visitor(), id)).toBeRefused(commonRefusals.unauthorized)
    expect(await studio.creditsOf(ana)).toBe(9)
  })
})
