import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { defined } from '#foundation/collections.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { joinWaitingList, leaveWaitingList } from '../../contract-waiting.ts'
import { bookingRefusals } from '../../refusals.ts'

const SIXTY = Array.from({ length: 60 }, (_, place) => `Racer${place}`)

async function sixtyMembers(studio: StudioUnderTest) {
  return await Promise.all(SIXTY.map((name) => studio.member(name, { health: true, credits: 1 })))
}

test('sixty concurrent bookings of two places: two succeed, the others keep their credit', async () => {
  const { studio } = await openStudio()
  const racers = await sixtyMembers(studio)
  const duo = await studio.createClass('Tuesday 18:00')
  const responses = await Promise.all(racers.map((racer) => racer.book(duo)))

  expect(responses.filter(({ status }) => status === 201)).toHaveLength(2)
  for (const response of responses.filter(({ status }) => status !== 201)) {
    expect(response).toBeRefused(bookingRefusals.class_full)
  }
  expect(await studio.count('select booked_count from classes where id = $1', [duo])).toBe(2)
  expect(await studio.count("select count(*) from bookings where status = 'confirmed'")).toBe(2)
  expect(await studio.count("select count(*) from credit_ledger where kind = 'booking'")).toBe(2)
})

test('the same race oversells without row locks', async () => {
  const { studio } = await openStudio()
  const racers = (await sixtyMembers(studio)).slice(0, 8)
  const duo = await studio.createClass('Tuesday 18:00')
  const { pool } = studio.server.database
  await pool.query('alter table classes drop constraint a_class_is_never_oversold')
  takeRowLocksAway()
  // Holds every booking between its checks and its insert, until all have checked.
  const gate = await pool.connect()
  await gate.query('begin; lock table bookings in exclusive mode')
  const race = Promise.all(racers.map((racer) => racer.book(duo)))
  const waiting = "select count(*) from pg_locks where relation = 'bookings'::regclass and not granted"
  await vi.waitUntil(async () => Number((await gate.query(waiting)).rows[0].count) === racers.length, PATIENCE)
  await gate.query('commit')
  gate.release()

  const won = (await race).filter(({ status }) => status === 201)
  expect(won).toHaveLength(racers.length)
  expect(await studio.count('select booked_count from classes where id = $1', [duo])).toBe(racers.length)
})

/** Generous, as the machine may be busy. */
const PATIENCE = { timeout: 60_000 }

/** Removes the row locks from the studio's statements from now on. */
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
        : // Under its name a connection knows the statement with its lock.
          Object.assign(statement as object, { text: unlocked((statement as { text: string }).text), name: undefined })
    return Reflect.apply(query, this, [changed, ...rest])
  })
  onTestFinished(() => spy.mockRestore())
}

test('six concurrent bookings with one credit: one succeeds', async () => {
  const { studio } = await openStudio()
  const racer = await studio.member('Racer', { health: true, credits: 1 })
  const classes = await Promise.all(
    ['07:00', '08:00', '09:00', '10:00', '11:00', '12:00'].map((time) => studio.createClass(`Friday ${time}`)),
  )
  const responses = await Promise.all(classes.map((id) => racer.book(id)))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const response of responses.filter(({ status }) => status !== 201)) {
    expect(response).toBeRefused(bookingRefusals.no_credits)
  }
  expect(await studio.creditsOf(racer)).toBe(0)
})

test('ten concurrent bookings by one member get one place and pay once', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  const responses = await Promise.all(Array.from({ length: 10 }, () => ana.book(duo)))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const response of responses.filter(({ status }) => status !== 201)) {
    expect(response).toBeRefused(bookingRefusals.already_booked)
  }
  expect(await studio.creditsOf(ana)).toBe(9)
})

test('concurrent bookings and cancellations keep ledger, places and credits consistent', async () => {
  const { studio } = await openStudio()
  const members = await Promise.all(
    ['Ann', 'Ben', 'Cat', 'Dan'].map((name) => studio.member(name, { health: true, credits: 3 })),
  )
  const classes = await Promise.all(['09:00', '10:00', '11:00'].map((time) => studio.createClass(`Friday ${time}`)))
  await Promise.all(
    members.flatMap((member) =>
      classes.map(async (id) => {
        const { status, body } = await member.book(id)
        if (status === 201) await member.cancel(body.id)
        await member.book(id)
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

test('a freed place goes to the first waiting member while others book, join and leave', async () => {
  const { studio, ana } = await openStudio()
  const racers = (await sixtyMembers(studio)).slice(0, 20)
  const single = await studio.createClass({ at: 'Tuesday 18:00', places: 1 })
  const booking = (await ana.book(single)).body
  const [first, second] = [defined(racers[0]), defined(racers[1])]
  const others = racers.slice(2)
  const join = (person: typeof first) => person.call(joinWaitingList, { params: { id: single } })
  await join(first)
  await join(second)
  const responses = await Promise.all([
    ...others.slice(0, 9).map((racer) => racer.book(single)),
    cancelForGood(studio, ana, booking.id),
    ...others.slice(9).map(join),
    second.call(leaveWaitingList, { params: { id: single } }),
  ])
  for (const { status } of responses) expect(status).toBeLessThan(500)
  expect(await holders(studio, single)).toEqual([first.id])
  expect(await studio.count('select booked_count from classes where id = $1', [single])).toBe(1)
  expect(await studio.count("select count(*) from credit_ledger where kind = 'booking'")).toBe(2)
  expect(await studio.creditsOf(first)).toBe(0)
  expect(await studio.count('select count(*) from waiting_list')).toBe(others.slice(9).length)
})

test('places freed by members who wait for each other’s classes are assigned without deadlock, once per credit', async () => {
  const { studio } = await openStudio()
  const [kim, lee] = [
    await studio.member('Kim', { health: true, credits: 2 }),
    await studio.member('Lee', { health: true, credits: 2 }),
  ]
  const classes = await Promise.all(
    ['09:00', '10:00', '11:00', '12:00'].map((time) => studio.createClass({ at: `Friday ${time}`, places: 1 })),
  )
  const [a = 0, b = 0, c = 0, d = 0] = classes
  const held = [
    [kim, (await kim.book(a)).body.id, b],
    [kim, (await kim.book(c)).body.id, d],
    [lee, (await lee.book(b)).body.id, a],
    [lee, (await lee.book(d)).body.id, c],
  ] as const
  for (const [person, , awaited] of held) await person.call(joinWaitingList, { params: { id: awaited } })
  const responses = await Promise.all(held.map(([person, booking]) => cancelForGood(studio, person, booking)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  for (const id of classes) expect((await holders(studio, id)).length).toBeLessThanOrEqual(1)
  for (const person of [kim, lee]) {
    const spent = await studio.count("select count(*) from bookings where user_id = $1 and status = 'confirmed'", [
      person.id,
    ])
    expect(spent + (await studio.creditsOf(person))).toBe(2)
  }
})

/** Cancels, and ends Undo at once. */
async function cancelForGood(studio: StudioUnderTest, person: Person, bookingId: number) {
  const response = await person.cancel(bookingId)
  await studio.endUndo()
  return response
}

async function holders(studio: StudioUnderTest, classId: number): Promise<string[]> {
  const { rows } = await studio.server.database.pool.query(
    "select user_id from bookings where class_id = $1 and status = 'confirmed'",
    [classId],
  )
  return rows.map((row) => row.user_id)
}
