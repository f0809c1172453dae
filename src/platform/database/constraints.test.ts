import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '../../foundation/collections.ts'
import type { Person } from '../../testing/person.ts'
import { shareStudio } from '../../testing/studio-under-test.ts'
import { databaseErrorOf } from './database.ts'

/**
 * What the database refuses by itself, whatever the code may try: raw SQL, as the application's own role. Every test
 * begins with Carl, who holds a pass of two credits and a place in a class for two.
 */
const story = shareStudio()
let client: pg.PoolClient
let carl: Person
let passId: number
let classId: number
let bookingId: number
let people = 0

beforeEach(async () => {
  const { studio } = story
  carl = await studio.member(`Carl${++people}`, { health: true })
  passId = await studio.grants(carl, 2)
  classId = await studio.class('Tuesday 18:00')
  bookingId = (await studio.books(carl, classId)).body.id
  client = await studio.server.database.pool.connect()
})
afterEach(async () => {
  await client.query('rollback')
  client.release()
})

const NOW = '2026-12-07T09:00:00Z'
const number = async (text: string, values: unknown[]) =>
  Number(Object.values((await client.query(text, values)).rows[0])[0])
const credits = () => number('select credits_remaining from passes where id = $1', [passId])
const places = () => number('select booked_count from classes where id = $1', [classId])

/** One statement, committed by itself; answers what the database said against it. */
async function refusalOf(text: string, values: unknown[] = []) {
  try {
    await client.query(text, values)
  } catch (error) {
    return databaseErrorOf(error)
  }
  return undefined
}

/** Several statements in one transaction; answers what the database said against any of them, or the commit. */
async function refusalOfAll(statements: [string, unknown[]][]) {
  await client.query('begin')
  try {
    for (const [text, values] of statements) await client.query(text, values)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    return databaseErrorOf(error)
  }
  return undefined
}

const aBooking = (who: Person, pass: number, id = classId): [string, unknown[]] => [
  `insert into bookings (user_id, class_id, pass_id, status, payment_status, total_amount_pence, booked_at)
   values ($1, $2, $3, 'confirmed', 'paid', 5000, $4) returning id`,
  [who.id, id, pass, NOW],
]
/** Pays for the booking made just before. */
const itsLine = (pass: number): [string, unknown[]] => [
  `insert into credit_ledger (pass_id, kind, credits, booking_id, caused_by, at)
   values ($1, 'booking', -1, (select max(id) from bookings), 'member', $2)`,
  [pass, NOW],
]
const aLine = (kind: string, moved: number, booking: number | null = null): [string, unknown[]] => [
  `insert into credit_ledger (pass_id, kind, credits, booking_id, reason, caused_by, at)
   values ($1, $2, $3, $4, 'because', 'system', $5)`,
  [passId, kind, moved, booking, NOW],
]

test('the story holds before it is attacked', async () => {
  expect([await credits(), await places()]).toEqual([1, 1])
  const another = await story.studio.class('Tuesday 19:00')
  expect(await refusalOfAll([aBooking(carl, passId, another), itsLine(passId)])).toBeUndefined()
  expect(await credits()).toBe(0)
})

describe('places', () => {
  test('a class is never oversold', async () => {
    const { studio } = story
    const others = [
      await studio.member(`One${people}`, { credits: 1 }),
      await studio.member(`Two${people}`, { credits: 1 }),
    ]
    const book = async (who: Person) => {
      const pass = await number('select id from passes where user_id = $1', [who.id])
      return await refusalOfAll([aBooking(who, pass), itsLine(pass)])
    }
    expect(await book(defined(others[0]))).toBeUndefined()
    expect(await book(defined(others[1]))).toEqual({ code: '23514', constraint: 'a_class_is_never_oversold' })
    expect(await places()).toBe(2)
    expect(await refusalOf('update classes set max_participants = 1 where id = $1', [classId])).toEqual({
      code: '23514',
      constraint: 'a_class_is_never_oversold',
    })
  })

  test('are counted by bookings alone', async () => {
    for (const change of ['booked_count = 0', 'booked_count = booked_count + 1', 'booked_count = -1']) {
      expect((await refusalOf(`update classes set ${change} where id = $1`, [classId]))?.code).toBe('23514')
    }
    const copy = `insert into classes (title, date, start_time, end_time, starts_at, ends_at, max_participants, booked_count,
      price_pence, pass_price_pence, instructor_name, created_at, updated_at) select title, date, start_time, end_time,
      starts_at, ends_at, max_participants, $2, price_pence, pass_price_pence, instructor_name, created_at, updated_at
      from classes where id = $1`
    expect((await refusalOf(copy, [classId, 1]))?.code).toBe('23514')
    expect(await refusalOf(copy, [classId, 0])).toBeUndefined()
    expect(await places()).toBe(1)
  })

  test('follow a booking that is cancelled, taken up again, moved and deleted', async () => {
    const other = await story.studio.class('Tuesday 20:00')
    const cancelled =
      "update bookings set status = 'cancelled', payment_status = 'forfeited', cancelled_at = $2 where id = $1"
    await client.query(cancelled, [bookingId, NOW])
    expect(await places()).toBe(0)
    await client.query(
      "update bookings set status = 'no_show', payment_status = 'paid', cancelled_at = null where id = $1",
      [bookingId],
    )
    expect(await places()).toBe(1)
    await client.query('update bookings set class_id = $2 where id = $1', [bookingId, other])
    expect([await places(), await number('select booked_count from classes where id = $1', [other])]).toEqual([0, 1])
    await client.query('delete from passes where id = $1', [passId])
    expect(await number('select booked_count from classes where id = $1', [other])).toBe(0)
  })
})

describe('bookings', () => {
  test('a member has one place in a class, unless the other is cancelled', async () => {
    const twice = { code: '23505', constraint: 'one_confirmed_booking_per_member_and_class' }
    expect(await refusalOfAll([aBooking(carl, passId), itsLine(passId)])).toEqual(twice)
    for (const status of ['completed', 'no_show']) {
      await client.query('update bookings set status = $2 where id = $1', [bookingId, status])
      expect(await refusalOfAll([aBooking(carl, passId), itsLine(passId)])).toEqual(twice)
    }
    expect(await credits()).toBe(1)
    const cancelled =
      "update bookings set status = 'cancelled', payment_status = 'forfeited', cancelled_at = $2 where id = $1"
    await client.query(cancelled, [bookingId, NOW])
    expect(await refusalOfAll([aBooking(carl, passId), itsLine(passId)])).toBeUndefined()
  })

  test('none is kept without the ledger line that paid for it', async () => {
    const other = await story.studio.class('Tuesday 21:00')
    expect((await refusalOfAll([aBooking(carl, passId, other)]))?.code).toBe('23514')
    expect(await number('select count(*) from bookings where class_id = $1', [other])).toBe(0)
    expect(await number('select booked_count from classes where id = $1', [other])).toBe(0)
    // Nor with a line of another pass.
    const elsewhere = await story.studio.grants(carl, 1)
    expect((await refusalOfAll([aBooking(carl, passId, other), itsLine(elsewhere)]))?.code).toBe('23514')
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
    expect((await refusalOf(`update bookings set ${change} where id = $1`, [bookingId]))?.code).toBe('23514')
  })
})

test('a booking that the studio has moved says where from, wholly', async () => {
  const half = 'update bookings set moved_at = now() where id = $1'
  expect(await refusalOf(half, [bookingId])).toMatchObject({ constraint: 'a_move_says_where_from' })
  const whole = `update bookings set moved_at = now(), moved_from_date = '2026-12-08', moved_from_start_time = '18:00',
    moved_from_end_time = '18:45' where id = $1`
  expect(await refusalOf(whole, [bookingId])).toBeUndefined()
})

test('a member stands in a line once, and goes from it with the account', async () => {
  const waits = 'insert into waiting_list (user_id, class_id, joined_at) values ($1, $2, $3)'
  const { studio } = story
  const other = await studio.class('Tuesday 20:00')
  expect(await refusalOf(waits, [carl.id, other, NOW])).toBeUndefined()
  expect(await refusalOf(waits, [carl.id, other, '2026-12-07T10:00:00Z'])).toEqual({
    code: '23505',
    constraint: 'one_place_in_line_per_member_and_class',
  })
  expect((await refusalOf(waits, ['nobody', other, NOW]))?.code).toBe('23503')
  expect((await refusalOf(waits, [carl.id, 999_999, NOW]))?.code).toBe('23503')
  await client.query('delete from users where id = $1', [carl.id])
  expect(await number('select count(*) from waiting_list where class_id = $1', [other])).toBe(0)
})

describe('credits', () => {
  test('are never negative', async () => {
    const other = await story.studio.class('Tuesday 22:00')
    const third = await story.studio.class('Tuesday 23:00')
    expect(await refusalOfAll([aBooking(carl, passId, other), itsLine(passId)])).toBeUndefined()
    const broke = { code: '23514', constraint: 'credits_are_never_negative' }
    expect(await refusalOfAll([aBooking(carl, passId, third), itsLine(passId)])).toEqual(broke)
    expect(await refusalOf(...aLine('expiry', -1))).toEqual(broke)
    expect(await credits()).toBe(0)
  })

  test('move by ledger lines alone', async () => {
    for (const change of [
      'credits_remaining = 99',
      'credits_remaining = credits_remaining - 1',
      'credits_remaining = 0',
    ]) {
      expect((await refusalOf(`update passes set ${change} where id = $1`, [passId]))?.code).toBe('23514')
    }
    const born = `insert into passes (user_id, package_id, credits_total, credits_remaining, expires_at, created_at)
      select user_id, package_id, 5, $2, expires_at, created_at from passes where id = $1`
    expect((await refusalOf(born, [passId, 5]))?.code).toBe('23514')
    expect(await refusalOf(born, [passId, 0])).toBeUndefined()
    expect(await refusalOf(...aLine('correction', 3))).toBeUndefined()
    expect(await credits()).toBe(4)
  })

  test('always equal the sum of their lines', async () => {
    await refusalOf(...aLine('gift', 7))
    await refusalOf(...aLine('correction', -2))
    await story.studio.cancels(carl, bookingId)
    expect(await credits()).toBe(7)
    const off = `select count(*) from passes p where credits_remaining <>
      (select coalesce(sum(credits), 0) from credit_ledger l where l.pass_id = p.id)`
    expect(await number(off, [])).toBe(0)
  })

  test('a ledger line is neither changed nor deleted', async () => {
    const before = (await client.query('select * from credit_ledger where pass_id = $1 order by id', [passId])).rows
    expect(before).toHaveLength(2)
    for (const text of [
      'update credit_ledger set credits = 50 where pass_id = $1',
      "update credit_ledger set at = now(), reason = 'x' where pass_id = $1",
      'delete from credit_ledger where pass_id = $1',
    ]) {
      expect((await refusalOf(text, [passId]))?.code).toBe('23001')
    }
    expect((await refusalOf('truncate credit_ledger'))?.code).toBe('23001')
    expect((await client.query('select * from credit_ledger where pass_id = $1 order by id', [passId])).rows).toEqual(
      before,
    )
  })

  test('a ledger goes with its pass', async () => {
    expect(await refusalOf('delete from passes where id = $1', [passId])).toBeUndefined()
    expect(await number('select count(*) from credit_ledger where pass_id = $1', [passId])).toBe(0)
    expect(await number('select count(*) from bookings where id = $1', [bookingId])).toBe(0)
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

  test('lines of a booking name it, one that is there, once each way', async () => {
    expect(await refusalOf(...aLine('return', 1))).toMatchObject({ constraint: 'bookings_explain_their_lines' })
    expect(await refusalOf(...aLine('gift', 1, bookingId))).toMatchObject({
      constraint: 'bookings_explain_their_lines',
    })
    expect(await refusalOf(...aLine('booking', -2, bookingId))).toMatchObject({
      constraint: 'a_line_moves_the_right_way',
    })
    expect(await refusalOf(...aLine('return', 1, 2_000_000_000))).toMatchObject({ code: '23503' })
    expect(await refusalOf(...aLine('booking', -1, bookingId))).toMatchObject({ constraint: 'a_booking_is_paid_once' })
    expect(await refusalOf(...aLine('return', 1, bookingId))).toBeUndefined()
    expect(await refusalOf(...aLine('return', 1, bookingId))).toMatchObject({
      constraint: 'a_booking_is_returned_once',
    })
    expect(await credits()).toBe(2)
  })

  test('a credit comes back once, by the rules or as a kindness, and a booking ends one way', async () => {
    expect(await refusalOf(...aLine('forfeit', 0, bookingId))).toBeUndefined()
    expect(await refusalOf(...aLine('forfeit', 0, bookingId))).toMatchObject({ code: '23505' })
    expect(await refusalOf(...aLine('return', 1, bookingId))).toMatchObject({
      constraint: 'a_cancelled_booking_has_one_outcome',
    })
    expect(await refusalOf(...aLine('goodwill', 1, bookingId))).toBeUndefined()
    expect(await refusalOf(...aLine('goodwill', 1, bookingId))).toMatchObject({
      constraint: 'a_booking_is_returned_once',
    })
    for (const kind of ['no_show', 'correction']) expect(await refusalOf(...aLine(kind, 0, bookingId))).toBeUndefined()
    for (const [kind, moved] of [
      ['forfeit', 0],
      ['no_show', 0],
      ['goodwill', 1],
    ] as const) {
      expect(await refusalOf(...aLine(kind, moved))).toMatchObject({ constraint: 'bookings_explain_their_lines' })
    }
    expect(await refusalOf(...aLine('correction', 1, bookingId))).toMatchObject({
      constraint: 'a_line_moves_the_right_way',
    })
    expect(await credits()).toBe(2)
  })

  test('a line says who caused it, an admin by id, and a kindness why', async () => {
    const line = (causedBy: string | null, admin: string | null, reason: string | null = 'x', kind = 'gift') =>
      refusalOf(
        `insert into credit_ledger (pass_id, kind, credits, booking_id, caused_by, caused_by_admin, reason, at)
         values ($1, $2, 1, $3, $4, $5, $6, $7)`,
        [passId, kind, kind === 'goodwill' ? bookingId : null, causedBy, admin, reason, NOW],
      )
    expect(await line('admin', 'dora')).toBeUndefined()
    expect(await line(null, null)).toMatchObject({ constraint: 'a_line_says_who_caused_it' })
    expect(await line('admin', null)).toMatchObject({ constraint: 'a_line_says_who_caused_it' })
    expect(await line('member', 'dora')).toMatchObject({ code: '23514' })
    expect(await line('somebody', null)).toMatchObject({ constraint: 'causes_are_known' })
    expect(await line('admin', 'dora', null, 'goodwill')).toMatchObject({ constraint: 'a_kindness_has_its_reason' })
  })
})

describe('payments', () => {
  const anIntent = (id: string): [string, unknown[]] => [
    `insert into payment_intents (id, user_id, package_id, amount_pence, class_count, validity_months, state, created_at)
     select $1, $2, package_id, 4500, 1, 1, 'open', $3 from passes where id = $4`,
    [id, carl.id, NOW, passId],
  ]
  const aPurchase = (intent: string): [string, unknown[]] => [
    `insert into purchases (payment_intent_id, user_id, package_id, amount_pence, purchased_at)
     select $1, $2, package_id, 4500, $3 from passes where id = $4`,
    [intent, carl.id, NOW, passId],
  ]
  const aPass = (intent: string): [string, unknown[]] => [
    `insert into passes (user_id, package_id, purchase_id, credits_total, expires_at, created_at)
     select p.user_id, p.package_id, b.id, 1, p.expires_at, p.created_at from passes p, purchases b
     where p.id = $2 and b.payment_intent_id = $1`,
    [intent, passId],
  ]

  test('one payment is one purchase, and one purchase is one pass', async () => {
    const id = `pi_once_${people}`
    expect(await refusalOf(...aPurchase(id))).toMatchObject({ code: '23503' })
    expect(await refusalOfAll([anIntent(id), aPurchase(id), aPass(id)])).toBeUndefined()
    expect(await refusalOf(...aPurchase(id))).toEqual({ code: '23505', constraint: 'one_purchase_per_payment' })
    expect(await refusalOf(...aPass(id))).toEqual({ code: '23505', constraint: 'one_pass_per_purchase' })
  })

  test('an amount is positive, and no more goes back than came', async () => {
    const id = `pi_amount_${people}`
    await refusalOfAll([anIntent(id), aPurchase(id)])
    for (const [table, change] of [
      ['payment_intents', 'amount_pence = 0'],
      ['payment_intents', "state = 'paid'"],
      ['payment_intents', "state = 'purchased'"],
      ['purchases', 'amount_pence = -1'],
      ['purchases', 'refunded_pence = 4501'],
      ['purchases', 'refunded_pence = -1'],
    ]) {
      const key = table === 'purchases' ? 'payment_intent_id' : 'id'
      expect([change, (await refusalOf(`update ${table} set ${change} where ${key} = $1`, [id]))?.code]).toEqual([
        change,
        '23514',
      ])
    }
  })

  test('all refunds together never exceed what was paid; one that failed does not count, and stays on record', async () => {
    const id = `pi_refunds_${people}`
    await refusalOfAll([anIntent(id), aPurchase(id)])
    const refund = (pence: number, status: string, more = ''): [string, unknown[]] => [
      `insert into refunds (payment_intent_id, purchase_id, origin, amount_pence, status, created_at, settled_at, sent_at, failure)
       select payment_intent_id, id, 'owner', $2, $3, $4, $4, $4, ${more || 'null'} from purchases where payment_intent_id = $1`,
      [id, pence, status, NOW],
    ]
    const tooMuch = { code: '23514', constraint: 'no_more_goes_back_than_came' }
    expect(await refusalOf(...refund(4501, 'succeeded'))).toEqual(tooMuch)
    expect(await refusalOf(...refund(4000, 'succeeded'))).toBeUndefined()
    expect(await refusalOf(...refund(501, 'succeeded'))).toEqual(tooMuch)
    expect(await refusalOf(...refund(4000, 'failed', "'lost_card'"))).toBeUndefined()
    expect(await refusalOf(...refund(100, 'failed'))).toMatchObject({ constraint: 'a_refund_that_failed_says_why' })
    const fail = `update refunds set status = 'failed', failure = 'expired' where payment_intent_id = $1 and status = 'succeeded'`
    expect(await refusalOf(fail, [id])).toBeUndefined()
    const revive = `update refunds set status = 'succeeded', failure = null where payment_intent_id = $1`
    expect((await refusalOf(revive, [id]))?.code).toBe('23001')
    const { rows } = await client.query('select refunded_pence from purchases where payment_intent_id = $1', [id])
    expect(rows).toEqual([{ refunded_pence: 0 }])
  })

  test('a purchase outlives its member, without them', async () => {
    const id = `pi_kept_${people}`
    await refusalOfAll([anIntent(id), aPurchase(id)])
    await client.query('delete from passes where user_id = $1', [carl.id])
    expect(await refusalOf('delete from users where id = $1', [carl.id])).toBeUndefined()
    expect(
      (await client.query('select user_id, amount_pence from purchases where payment_intent_id = $1', [id])).rows,
    ).toEqual([{ user_id: null, amount_pence: 4500 }])
  })
})

describe('people', () => {
  test('one account per email and per username, in any case', async () => {
    const twin = (email: string, username: string) =>
      refusalOf(
        "insert into users (id, username, email, first_name, last_name, created_at) values ($3, $2, $1, 'a', 'b', now())",
        [email, username, `twin-${people}`],
      )
    expect(await twin(carl.email.toUpperCase(), 'other')).toEqual({
      code: '23505',
      constraint: 'one_account_per_email',
    })
    expect(await twin('other@people.example', carl.email.toUpperCase())).toEqual({
      code: '23505',
      constraint: 'one_account_per_username',
    })
  })

  test('sessions, links and health data go with their owner', async () => {
    await client.query('delete from passes where user_id = $1', [carl.id])
    await client.query('delete from users where id = $1', [carl.id])
    for (const table of [
      'sessions',
      'one_time_links',
      'health_questionnaires',
      'emergency_contacts',
      'health_updates',
    ]) {
      expect([table, await number(`select count(*) from ${table} where user_id = $1`, [carl.id])]).toEqual([table, 0])
    }
  })
})
