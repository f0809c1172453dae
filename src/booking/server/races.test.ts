import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStudio, type StudioUnderTest } from '../../testing/studio-under-test.ts'
import { bookingRefusals } from '../contract.ts'

const SIXTY = Array.from({ length: 60 }, (_, place) => `Racer${place}`)

async function sixtyMembers(studio: StudioUnderTest) {
  return await Promise.all(SIXTY.map((name) => studio.member(name, { health: true, credits: 1 })))
}

test('of sixty who race for two places exactly two win, and the others keep their credit', async () => {
  const { studio } = await openStudio()
  const racers = await sixtyMembers(studio)
  const duo = await studio.class('Tuesday 18:00')
  const answers = await Promise.all(racers.map((racer) => studio.books(racer, duo)))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toBeRefused(bookingRefusals.class_full)
  }
  expect(await studio.count('select booked_count from classes where id = $1', [duo])).toBe(2)
  expect(await studio.count("select count(*) from bookings where status = 'confirmed'")).toBe(2)
  expect(await studio.count("select count(*) from credit_ledger where kind = 'booking'")).toBe(2)
})

test('the canary: with the row locks taken away the same race oversells', async () => {
  const { studio } = await openStudio()
  const racers = (await sixtyMembers(studio)).slice(0, 8)
  const duo = await studio.class('Tuesday 18:00')
  const { pool } = studio.server.database
  await pool.query('alter table classes drop constraint a_class_is_never_oversold')
  takeRowLocksAway()
  // Everybody is held between looking and taking, until all have looked.
  const gate = await pool.connect()
  await gate.query('begin; lock table bookings in exclusive mode')
  const race = Promise.all(racers.map((racer) => studio.books(racer, duo)))
  const waiting = "select count(*) from pg_locks where relation = 'bookings'::regclass and not granted"
  await vi.waitUntil(async () => Number((await gate.query(waiting)).rows[0].count) === racers.length, {
    timeout: 10_000,
  })
  await gate.query('commit')
  gate.release()

  const won = (await race).filter(({ status }) => status === 201)
  expect(won).toHaveLength(racers.length)
  expect(await studio.count('select booked_count from classes where id = $1', [duo])).toBe(racers.length)
})

/** From here on the studio's own statements ask for no row lock. */
function takeRowLocksAway(): void {
  const query = pg.Client.prototype.query
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...[statement, ...rest]: unknown[]
  ) {
    const unlocked = (text: string) => text.replace(/ for (no key )?update( of \S+)?/, '')
    const changed =
      typeof statement === 'string'
        ? unlocked(statement)
        : Object.assign(statement as object, { text: unlocked((statement as { text: string }).text) })
    return Reflect.apply(query, this, [changed, ...rest])
  })
  onTestFinished(() => spy.mockRestore())
}

test('one credit raced over six classes buys one', async () => {
  const { studio } = await openStudio()
  const racer = await studio.member('Racer', { health: true, credits: 1 })
  const classes = await Promise.all(
    ['07:00', '08:00', '09:00', '10:00', '11:00', '12:00'].map((time) => studio.class(`Friday ${time}`)),
  )
  const answers = await Promise.all(classes.map((id) => studio.books(racer, id)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toBeRefused(bookingRefusals.pass_empty)
  }
  expect(await studio.creditsOf(racer)).toBe(0)
})

test('one member racing for one class ten times gets one place and pays once', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.class('Tuesday 18:00')
  const answers = await Promise.all(Array.from({ length: 10 }, () => studio.books(ana, duo)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toBeRefused(bookingRefusals.already_booked)
  }
  expect(await studio.creditsOf(ana)).toBe(9)
})

test('bookings and cancellations that cross each other leave ledger, places and credits in agreement', async () => {
  const { studio } = await openStudio()
  const members = await Promise.all(
    ['Ann', 'Ben', 'Cat', 'Dan'].map((name) => studio.member(name, { health: true, credits: 3 })),
  )
  const classes = await Promise.all(['09:00', '10:00', '11:00'].map((time) => studio.class(`Friday ${time}`)))
  await Promise.all(
    members.flatMap((member) =>
      classes.map(async (id) => {
        const { status, body } = await studio.books(member, id)
        if (status === 201) await studio.cancels(member, body.id)
        await studio.books(member, id)
      }),
    ),
  )
  expect(
    await studio.count(
      `select count(*) from classes where booked_count <>
         (select count(*) from bookings where class_id = classes.id and status <> 'cancelled')`,
    ),
  ).toBe(0)
  expect(
    await studio.count(
      `select count(*) from passes where credits_remaining <>
         (select sum(credits) from credit_ledger where pass_id = passes.id)`,
    ),
  ).toBe(0)
  expect(await studio.count('select max(booked_count) from classes')).toBe(2)
})
