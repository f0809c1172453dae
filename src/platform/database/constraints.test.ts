import { describe, expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import type { Person } from '#testing/person.ts'
import { NOW, shareAttackedStudio } from './attacked-under-test.ts'

const { story, here, number, credits, places, refusalOf, refusalOfAll, aBooking, itsLine } = shareAttackedStudio()

test('the story holds before it is attacked', async () => {
  expect([await credits(), await places()]).toEqual([1, 1])
  const another = await story.studio.createClass('Tuesday 19:00')
  expect(await refusalOfAll([aBooking(here.carl, here.passId, another), itsLine(here.passId)])).toBeUndefined()
  expect(await credits()).toBe(0)
})

describe('places', () => {
  test('a class is never oversold', async () => {
    const { studio } = story
    const others = [
      await studio.member(`One${here.carl.name}`, { credits: 1 }),
      await studio.member(`Two${here.carl.name}`, { credits: 1 }),
    ]
    const book = async (who: Person) => {
      const pass = await number('select id from passes where user_id = $1', [who.id])
      return await refusalOfAll([aBooking(who, pass), itsLine(pass)])
    }
    expect(await book(defined(others[0]))).toBeUndefined()
    expect(await book(defined(others[1]))).toEqual({ code: '23514', constraint: 'a_class_is_never_oversold' })
    expect(await places()).toBe(2)
    expect(await refusalOf('update classes set max_participants = 1 where id = $1', [here.classId])).toEqual({
      code: '23514',
      constraint: 'a_class_is_never_oversold',
    })
  })

  test('are counted by bookings alone', async () => {
    for (const change of ['booked_count = 0', 'booked_count = booked_count + 1', 'booked_count = -1']) {
      expect((await refusalOf(`update classes set ${change} where id = $1`, [here.classId]))?.code).toBe('23514')
    }
    const copy = `insert into classes (title, date, start_time, end_time, starts_at, ends_at, max_participants, booked_count,
      price_pence, pass_price_pence, instructor_name, created_at, updated_at) select title, date, start_time, end_time,
      starts_at, ends_at, max_participants, $2, price_pence, pass_price_pence, instructor_name, created_at, updated_at
      from classes where id = $1`
    expect((await refusalOf(copy, [here.classId, 1]))?.code).toBe('23514')
    expect(await refusalOf(copy, [here.classId, 0])).toBeUndefined()
    expect(await places()).toBe(1)
  })

  test('follow a booking that is cancelled, booked again, moved and deleted', async () => {
    const other = await story.studio.createClass('Tuesday 20:00')
    const cancelled =
      "update bookings set status = 'cancelled', payment_status = 'forfeited', cancelled_at = $2 where id = $1"
    await here.client.query(cancelled, [here.bookingId, NOW])
    expect(await places()).toBe(0)
    await here.client.query(
      "update bookings set status = 'no_show', payment_status = 'paid', cancelled_at = null where id = $1",
      [here.bookingId],
    )
    expect(await places()).toBe(1)
    await here.client.query('update bookings set class_id = $2 where id = $1', [here.bookingId, other])
    expect([await places(), await number('select booked_count from classes where id = $1', [other])]).toEqual([0, 1])
    await here.client.query('delete from bookings where id = $1', [here.bookingId])
    expect(await number('select booked_count from classes where id = $1', [other])).toBe(0)
  })
})

describe('bookings', () => {
  test('a member has one place in a class, unless the other is cancelled', async () => {
    const twice = { code: '23505', constraint: 'one_confirmed_booking_per_member_and_class' }
    expect(await refusalOfAll([aBooking(here.carl, here.passId), itsLine(here.passId)])).toEqual(twice)
    for (const status of ['completed', 'no_show']) {
      await here.client.query('update bookings set status = $2 where id = $1', [here.bookingId, status])
      expect(await refusalOfAll([aBooking(here.carl, here.passId), itsLine(here.passId)])).toEqual(twice)
    }
    expect(await credits()).toBe(1)
    const cancelled =
      "update bookings set status = 'cancelled', payment_status = 'forfeited', cancelled_at = $2 where id = $1"
    await here.client.query(cancelled, [here.bookingId, NOW])
    expect(await refusalOfAll([aBooking(here.carl, here.passId), itsLine(here.passId)])).toBeUndefined()
  })

  test('none is kept without the ledger line that paid for it', async () => {
    const other = await story.studio.createClass('Tuesday 21:00')
    expect((await refusalOfAll([aBooking(here.carl, here.passId, other)]))?.code).toBe('23514')
    expect(await number('select count(*) from bookings where class_id = $1', [other])).toBe(0)
    expect(await number('select booked_count from classes where id = $1', [other])).toBe(0)
    // Nor with a line of another pass.
    const elsewhere = await story.studio.grantCredits(here.carl, 1)
    expect((await refusalOfAll([aBooking(here.carl, here.passId, other), itsLine(elsewhere)]))?.code).toBe('23514')
  })

  test.each([
    ["status = 'lost'"],
    ["payment_status = 'free'"],
    ['participant_count = 2'],
    ["status = 'cancelled'"],
    ['cancelled_at = now()'],
    ["payment_status = 'refunded'"],
    ['total_amount_pence = -1'],
  ])('%s is refused', async (change) => {
    expect((await refusalOf(`update bookings set ${change} where id = $1`, [here.bookingId]))?.code).toBe('23514')
  })
})

test('records where a moved booking was before, completely', async () => {
  const half = 'update bookings set moved_at = now() where id = $1'
  expect(await refusalOf(half, [here.bookingId])).toMatchObject({ constraint: 'a_move_says_where_from' })
  const whole = `update bookings set moved_at = now(), moved_from_date = '2026-12-08', moved_from_start_time = '18:00',
    moved_from_end_time = '18:45' where id = $1`
  expect(await refusalOf(whole, [here.bookingId])).toBeUndefined()
})

test('allows a member once on a waiting list, and removes them with the account', async () => {
  const waits = 'insert into waiting_list (user_id, class_id, joined_at) values ($1, $2, $3)'
  const { studio } = story
  const other = await studio.createClass('Tuesday 20:00')
  expect(await refusalOf(waits, [here.carl.id, other, NOW])).toBeUndefined()
  expect(await refusalOf(waits, [here.carl.id, other, '2026-12-07T10:00:00Z'])).toEqual({
    code: '23505',
    constraint: 'one_entry_per_member_and_class',
  })
  expect((await refusalOf(waits, ['nobody', other, NOW]))?.code).toBe('23503')
  expect((await refusalOf(waits, [here.carl.id, 999_999, NOW]))?.code).toBe('23503')
  await here.client.query('delete from users where id = $1', [here.carl.id])
  expect(await number('select count(*) from waiting_list where class_id = $1', [other])).toBe(0)
})

describe('people', () => {
  test('one account per email and per username, in any case', async () => {
    const twin = (email: string, username: string) =>
      refusalOf(
        "insert into users (id, username, email, first_name, last_name, created_at) values ($3, $2, $1, 'a', 'b', now())",
        [email, username, `twin-${here.carl.name}`],
      )
    expect(await twin(here.carl.email.toUpperCase(), 'other')).toEqual({
      code: '23505',
      constraint: 'one_account_per_email',
    })
    expect(await twin('other@people.example', here.carl.email.toUpperCase())).toEqual({
      code: '23505',
      constraint: 'one_account_per_username',
    })
  })

  test('reserves a recently changed address, as an address and as a username', async () => {
    await here.client.query(
      "insert into email_changes (token_hash, user_id, old_email, changed_at, expires_at) values ('hash', $1, 'old@people.example', now(), now())",
      [here.carl.id],
    )
    const insertUser = (email: string, username: string) =>
      refusalOf(
        "insert into users (id, username, email, first_name, last_name, created_at) values ('else', $2, $1, 'a', 'b', now())",
        [email, username],
      )
    const kept = { code: '23505', constraint: 'an_address_is_kept_free' }
    expect(await insertUser('OLD@people.example', 'other')).toEqual(kept)
    expect(await insertUser('other@people.example', 'Old@People.example')).toEqual(kept)
    await here.client.query("update users set email = 'old@people.example' where id = $1", [here.carl.id])
  })

  test('sessions, links and health data go with their owner', async () => {
    await here.client.query('delete from passes where user_id = $1', [here.carl.id])
    await here.client.query('delete from users where id = $1', [here.carl.id])
    for (const table of [
      'sessions',
      'one_time_links',
      'health_questionnaires',
      'emergency_contacts',
      'health_updates',
    ]) {
      expect([table, await number(`select count(*) from ${table} where user_id = $1`, [here.carl.id])]).toEqual([
        table,
        0,
      ])
    }
  })
})
