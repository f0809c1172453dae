import { describe, expect, test } from 'vitest'
import { NOW, shareAttackedStudio } from './attacked-under-test.ts'

const { story, here, number, credits, refusalOf, refusalOfAll, aBooking, itsLine, aLine } = shareAttackedStudio()

describe('credits', () => {
  test('are never negative', async () => {
    const other = await story.studio.createClass('Tuesday 22:00')
    const third = await story.studio.createClass('Tuesday 23:00')
    expect(await refusalOfAll([aBooking(here.carl, here.passId, other), itsLine(here.passId)])).toBeUndefined()
    const broke = { code: '23514', constraint: 'credits_are_never_negative' }
    expect(await refusalOfAll([aBooking(here.carl, here.passId, third), itsLine(here.passId)])).toEqual(broke)
    expect(await refusalOf(...aLine('expiry', -1))).toEqual(broke)
    expect(await credits()).toBe(0)
  })

  test('move by ledger lines alone', async () => {
    for (const change of [
      'credits_remaining = 99',
      'credits_remaining = credits_remaining - 1',
      'credits_remaining = 0',
    ]) {
      expect((await refusalOf(`update passes set ${change} where id = $1`, [here.passId]))?.code).toBe('23514')
    }
    const born = `insert into passes (user_id, package_id, credits_total, credits_remaining, expires_at, created_at)
      select user_id, package_id, 5, $2, expires_at, created_at from passes where id = $1`
    expect((await refusalOf(born, [here.passId, 5]))?.code).toBe('23514')
    expect(await refusalOf(born, [here.passId, 0])).toBeUndefined()
    expect(await refusalOf(...aLine('correction', 3))).toBeUndefined()
    expect(await credits()).toBe(4)
  })

  test('are never on a voided pass', async () => {
    const voids: [string, unknown[]] = ['update passes set voided_at = now() where id = $1', [here.passId]]
    expect((await refusalOfAll([voids]))?.code).toBe('23514')
    const left = await credits()
    expect(await refusalOfAll([voids, aLine('correction', -left)])).toBeUndefined()
    expect((await refusalOfAll([aLine('gift', 1)]))?.code).toBe('23514')
  })

  test('always equal the sum of their lines', async () => {
    await refusalOf(...aLine('gift', 7))
    await refusalOf(...aLine('correction', -2))
    await here.carl.cancel(here.bookingId)
    expect(await credits()).toBe(7)
    const off = `select count(*) from passes p where credits_remaining <>
      (select coalesce(sum(credits), 0) from credit_ledger l where l.pass_id = p.id)`
    expect(await number(off, [])).toBe(0)
  })

  test('a ledger line is neither changed nor deleted', async () => {
    const before = (
      await here.client.query('select * from credit_ledger where pass_id = $1 order by id', [here.passId])
    ).rows
    expect(before).toHaveLength(2)
    for (const text of [
      'update credit_ledger set credits = 50 where pass_id = $1',
      "update credit_ledger set at = now(), reason = 'x' where pass_id = $1",
      'delete from credit_ledger where pass_id = $1',
    ]) {
      expect((await refusalOf(text, [here.passId]))?.code).toBe('23001')
    }
    expect((await refusalOf('truncate credit_ledger'))?.code).toBe('23001')
    expect(
      (await here.client.query('select * from credit_ledger where pass_id = $1 order by id', [here.passId])).rows,
    ).toEqual(before)
  })

  test('deletes a ledger with its pass, but not the places that the pass paid for', async () => {
    expect(await refusalOf('delete from passes where id = $1', [here.passId])).toBeUndefined()
    expect(await number('select count(*) from credit_ledger where pass_id = $1', [here.passId])).toBe(0)
    expect(await number('select count(*) from bookings where id = $1 and pass_id is null', [here.bookingId])).toBe(1)
  })

  test.each([
    ['purchase', 0],
    ['purchase', -1],
    ['gift', -1],
    ['expiry', 1],
    ['refund', 1],
    ['correction', 0],
    ['return', 2],
    ['goodwill', 0],
    ['forfeit', 1],
    ['no_show', -1],
    ['bonus', 1],
  ])('a line of %s by %i is refused', async (kind, moved) => {
    expect(await refusalOf(...aLine(kind, moved))).toMatchObject({ constraint: 'a_line_moves_the_right_way' })
  })

  test('links lines of a booking to an existing booking, once each way', async () => {
    expect(await refusalOf(...aLine('return', 1))).toMatchObject({ constraint: 'bookings_explain_their_lines' })
    expect(await refusalOf(...aLine('gift', 1, here.bookingId))).toMatchObject({
      constraint: 'bookings_explain_their_lines',
    })
    expect(await refusalOf(...aLine('booking', -2, here.bookingId))).toMatchObject({
      constraint: 'a_line_moves_the_right_way',
    })
    expect(await refusalOf(...aLine('return', 1, 2_000_000_000))).toMatchObject({
      code: '23503',
      constraint: 'ledger_lines_name_real_bookings',
    })
    expect(await refusalOf(...aLine('booking', -1, here.bookingId))).toMatchObject({
      constraint: 'a_booking_is_paid_once',
    })
    expect(await refusalOf(...aLine('return', 1, here.bookingId))).toBeUndefined()
    expect(await refusalOf(...aLine('return', 1, here.bookingId))).toMatchObject({
      constraint: 'a_booking_is_returned_once',
    })
    expect(await credits()).toBe(2)
  })

  test('a credit is returned once, by the rules or as goodwill, and a booking has one outcome', async () => {
    expect(await refusalOf(...aLine('forfeit', 0, here.bookingId))).toBeUndefined()
    expect(await refusalOf(...aLine('forfeit', 0, here.bookingId))).toMatchObject({ code: '23505' })
    expect(await refusalOf(...aLine('return', 1, here.bookingId))).toMatchObject({
      constraint: 'a_cancelled_booking_has_one_outcome',
    })
    expect(await refusalOf(...aLine('goodwill', 1, here.bookingId))).toBeUndefined()
    expect(await refusalOf(...aLine('goodwill', 1, here.bookingId))).toMatchObject({
      constraint: 'a_booking_is_returned_once',
    })
    for (const kind of ['no_show', 'correction'])
      expect(await refusalOf(...aLine(kind, 0, here.bookingId))).toBeUndefined()
    for (const [kind, moved] of [
      ['forfeit', 0],
      ['no_show', 0],
      ['goodwill', 1],
    ] as const) {
      expect(await refusalOf(...aLine(kind, moved))).toMatchObject({ constraint: 'bookings_explain_their_lines' })
    }
    expect(await refusalOf(...aLine('correction', 1, here.bookingId))).toMatchObject({
      constraint: 'a_line_moves_the_right_way',
    })
    expect(await credits()).toBe(2)
  })

  test('records the cause of a line, an admin by id, and the reason for goodwill', async () => {
    const line = (causedBy: string | null, admin: string | null, reason: string | null = 'x', kind = 'gift') =>
      refusalOf(
        `insert into credit_ledger (pass_id, kind, credits, booking_id, caused_by, caused_by_admin, reason, at)
         values ($1, $2, 1, $3, $4, $5, $6, $7)`,
        [here.passId, kind, kind === 'goodwill' ? here.bookingId : null, causedBy, admin, reason, NOW],
      )
    expect(await line('admin', 'dora')).toBeUndefined()
    expect(await line(null, null)).toMatchObject({ code: '23502' })
    expect(await line('admin', null)).toMatchObject({ constraint: 'a_line_says_who_caused_it' })
    expect(await line('member', 'dora')).toMatchObject({ code: '23514' })
    expect(await line('somebody', null)).toMatchObject({ constraint: 'causes_are_known' })
    expect(await line('admin', 'dora', null, 'goodwill')).toMatchObject({ constraint: 'a_kindness_has_its_reason' })
  })
})
