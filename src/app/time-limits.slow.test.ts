import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { bookClass } from '#booking/contract.ts'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIMITS } from '#platform/limits.ts'
import { SHORT_LIMITS } from '#testing/limits.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { openDatabaseProxy, openSeparateConnection } from './database-proxy-under-test.ts'

const book = (person: Person, classId: number) => person.call(bookClass, { body: { classId } })

/** Expects a 503 with a message and `Retry-After`. */
function expectUnavailable(response: TestResponse): void {
  expect(response).toBeRefused(commonRefusals.unavailable)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
}

async function expectNothingBooked(studio: StudioUnderTest): Promise<void> {
  expect(await studio.count('select count(*) from bookings')).toBe(0)
  expect(await studio.count("select count(*) from credit_ledger where kind = 'booking'")).toBe(0)
  expect(await studio.count('select coalesce(sum(booked_count), 0) from classes')).toBe(0)
}

/** Makes every booking sleep while it is written or committed. */
async function slowBookings(studio: StudioUnderTest, ms: number, when: 'written' | 'committed'): Promise<void> {
  await studio.server.database.pool.query(`
    create function sleep() returns trigger language plpgsql as 'begin perform pg_sleep(${ms / 1000}); return null; end';
    create constraint trigger slow after insert on bookings
      ${when === 'committed' ? 'deferrable initially deferred' : ''} for each row execute function sleep()`)
}

test('makes each time limit longer than the ones inside it, and sets PostgreSQL’s', async () => {
  for (const limits of [LIMITS, SHORT_LIMITS]) {
    const { web, background } = limits
    expect(web.lockMs).toBeLessThan(web.statementMs)
    expect(web.connectionMs).toBeLessThan(limits.responseMs)
    expect(web.statementMs).toBeLessThan(web.silenceMs)
    expect(web.silenceMs).toBeLessThan(limits.responseMs)
    expect(limits.responseMs + web.silenceMs).toBeLessThan(limits.socketMs)
    expect(limits.providerMs).toBeLessThan(limits.responseMs)
    expect(limits.responseMs).toBeLessThan(limits.exportMs)
    expect(limits.exportMs).toBeLessThan(limits.socketMs)
    expect(web.lockMs).toBeLessThan(background.lockMs)
  }
  expect(LIMITS).toMatchObject({ web: { connectionMs: 3000, lockMs: 3000, statementMs: 8000 } })
  expect(LIMITS).toMatchObject({ providerMs: 10_000, responseMs: 12_000 })
  expect(LIMITS.socketMs).toBeGreaterThanOrEqual(20_000)
  const { studio } = await openStudio()
  const { server: usual } = await studio.startSecondProcess()
  const { rows } = await usual.database.db.execute<{ name: string; setting: string }>(
    sql`select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout') order by name`,
  )
  expect(rows).toEqual([
    { name: 'lock_timeout', setting: '3000' },
    { name: 'statement_timeout', setting: '8000' },
  ])
  const { server } = usual.app
  expect(server.timeout).toBe(LIMITS.socketMs)
})

test('never reports a failure for a saved booking, in 200 attempts while the class row is repeatedly locked', async () => {
  const { studio } = await openStudio()
  const names = Array.from({ length: 20 }, (_, place) => `Racer${place}`)
  const members = await Promise.all(names.map((name) => studio.member(name, { health: true, credits: 20 })))
  const again = await studio.startSecondProcess({ limits: SHORT_LIMITS })
  const racers = members.map(again.loggedInAs)
  const holder = await openSeparateConnection(studio)
  const seen = { booked: 0, refused: 0, unavailable: 0 }
  for (let round = 0; round < 10; round++) {
    const duo = await studio.createClass(`Tuesday ${String(8 + round).padStart(2, '0')}:00`)
    await holder.query('begin')
    await holder.query('select from classes where id = $1 for update', [duo])
    const race = Promise.all(racers.map((racer) => book(racer, duo)))
    // From well below to well above the limit; at last until all have given up.
    if (round < 8) await pause((SHORT_LIMITS.web.lockMs * round) / 5)
    else await race
    await holder.query('commit')
    const responses = await race
    const { rows } = await holder.query("select user_id from bookings where class_id = $1 and status = 'confirmed'", [
      duo,
    ])
    const winners = racers.filter((_, place) => responses[place]?.status === 201)
    expect(rows.map((row) => row.user_id).sort()).toEqual(winners.map(({ id }) => id).sort())
    for (const response of responses) {
      if (response.status === 201) seen.booked += 1
      else if (response.status === 400) seen.refused += 1
      else {
        expectUnavailable(response)
        seen.unavailable += 1
      }
    }
  }
  expect(seen.booked + seen.refused + seen.unavailable).toBe(200)
  // Otherwise this test would prove nothing.
  expect(seen.booked).toBeGreaterThan(0)
  expect(seen.unavailable).toBeGreaterThan(20)
})

test('returns 503 when a lock is not released, before an outer limit fires', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  const patient = {
    ...SHORT_LIMITS,
    web: { ...SHORT_LIMITS.web, statementMs: 20_000, silenceMs: 25_000 },
    responseMs: 20_000,
  }
  const { loggedInAs } = await studio.startSecondProcess({ limits: patient })
  const holder = await openSeparateConnection(studio)
  await holder.query('begin')
  await holder.query('select from classes where id = $1 for update', [duo])
  expectUnavailable(await book(loggedInAs(ana), duo))
  await holder.query('rollback')
  await expectNothingBooked(studio)
  expect((await ana.book(duo)).status).toBe(201)
})

test('cancels a slow statement and returns 503', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  await slowBookings(studio, 5000, 'written')
  const { loggedInAs } = await studio.startSecondProcess({ limits: { ...SHORT_LIMITS, responseMs: 10_000 } })
  expectUnavailable(await book(loggedInAs(ana), duo))
  await expectNothingBooked(studio)
})

test('stops a request that takes too long and rolls its transaction back', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  // Longer than the response may take, shorter than the statement may.
  await slowBookings(studio, 10_000, 'written')
  const { loggedInAs } = await studio.startSecondProcess({
    limits: { ...SHORT_LIMITS, web: { ...SHORT_LIMITS.web, statementMs: 15_000, silenceMs: 20_000 } },
  })
  expectUnavailable(await book(loggedInAs(ana), duo))
  // The statement ends with its connection.
  await expect
    .poll(() => studio.count("select count(*) from pg_locks where relation = 'bookings'::regclass"), {
      timeout: 60_000,
    })
    .toBe(0)
  await expectNothingBooked(studio)
})

test('waits for a COMMIT that was sent, even long after the time limit', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  await slowBookings(studio, 2500, 'committed')
  const { loggedInAs } = await studio.startSecondProcess({
    limits: { ...SHORT_LIMITS, web: { ...SHORT_LIMITS.web, statementMs: 15_000, silenceMs: 20_000 } },
  })
  expect((await book(loggedInAs(ana), duo)).status).toBe(201)
  expect(await studio.count("select count(*) from bookings where status = 'confirmed'")).toBe(1)
})

test('reports that nothing was saved after a cancelled COMMIT, and an unknown outcome when its connection is lost', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  await slowBookings(studio, 8000, 'committed')
  const { pool } = studio.server.database
  const committing = "pg_stat_activity where query = 'commit' and state = 'active' and datname = current_database()"
  const whileCommitting = async (end: 'pg_cancel_backend' | 'pg_terminate_backend') => {
    const response = ana.book(duo)
    await expect.poll(() => studio.count(`select count(*) from ${committing}`), { timeout: 60_000 }).toBe(1)
    await pool.query(`select ${end}(pid) from ${committing}`)
    return await response
  }
  expectUnavailable(await whileCommitting('pg_cancel_backend'))
  await expectNothingBooked(studio)
  expect(await whileCommitting('pg_terminate_backend')).toBeRefused(commonRefusals.outcome_unknown)
})

test('returns 503 when no connection is free, for reads and writes', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  const { loggedInAs, server } = await studio.startSecondProcess({ limits: SHORT_LIMITS, connections: 1 })
  const taken = await server.database.pool.connect()
  const responses = [await book(loggedInAs(ana), duo), await loggedInAs(ana).request('GET', '/api/packages')]
  taken.release()
  for (const response of responses) expectUnavailable(response)
  await expectNothingBooked(studio)
  expect((await book(loggedInAs(ana), duo)).status).toBe(201)
})

test('returns 503, never 500, while the database is down, read only or closes connections', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  const line = await openDatabaseProxy(studio.settings.databaseUrl as string)
  const { loggedInAs } = await studio.startSecondProcess({ limits: SHORT_LIMITS, databaseUrl: line.url })
  const there = loggedInAs(ana)
  expect((await there.request('GET', '/api/user/bookings')).status).toBe(200)

  line.cut()
  for (let tries = 0; tries < 3; tries++) expectUnavailable(await book(there, duo))
  expectUnavailable(await there.request('GET', '/api/classes'))
  line.restore()
  const outside = await openSeparateConnection(studio)
  const own = new URL(line.url).pathname.slice(1)
  // An open session, as a pooler keeps them, would not notice.
  const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${own}' and pid <> pg_backend_pid()`
  await outside.query(`alter database ${own} set default_transaction_read_only = on`)
  await outside.query(endSessions)
  expectUnavailable(await book(there, duo))
  await outside.query(`alter database ${own} reset default_transaction_read_only`)
  await outside.query(endSessions)
  line.cut()
  line.restore()
  await expectNothingBooked(studio)

  const holder = await openSeparateConnection(studio)
  await holder.query('begin')
  await holder.query('select from classes where id = $1 for update', [duo])
  const waiting = "pid <> pg_backend_pid() and wait_event_type = 'Lock' and datname = current_database()"
  const patient = await studio.startSecondProcess()
  const ended = book(patient.loggedInAs(ana), duo)
  await expect.poll(() => studio.count(`select count(*) from pg_stat_activity where ${waiting}`)).toBe(1)
  await holder.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`)
  expectUnavailable(await ended)
  await holder.query('rollback')
  await expectNothingBooked(studio)
  expect((await book(there, duo)).status).toBe(201)
})

test('gives jobs and exports longer limits than the web', async () => {
  const { studio, ana } = await openStudio()
  await studio.createClass({ at: 'Monday 07:00' })
  const { loggedInAs, server } = await studio.startSecondProcess({ limits: SHORT_LIMITS })
  const holder = await openSeparateConnection(studio)
  const whileLocked = async <Result>(work: () => Promise<Result>) => {
    await holder.query('begin; lock table bookings, passes in access exclusive mode')
    const done = work()
    await pause(SHORT_LIMITS.responseMs * 1.5)
    await holder.query('commit')
    return await done
  }
  expectUnavailable(await whileLocked(() => loggedInAs(ana).request('GET', '/api/user/bookings')))
  expect((await whileLocked(() => loggedInAs(ana).request('GET', '/api/user/export'))).status).toBe(200)
  await whileLocked(() => server.workers['complete-classes']({}, 'by hand'))
})

test('books 2 of 300 requests for 2 places over three processes, and refuses the others with a reason', async () => {
  const { studio } = await openStudio()
  const names = Array.from({ length: 30 }, (_, place) => `Racer${place}`)
  const members = await Promise.all(names.map((name) => studio.member(name, { health: true, credits: 2 })))
  const others = await Promise.all([studio.startSecondProcess(), studio.startSecondProcess()])
  const everywhere = [...members, ...others.flatMap(({ loggedInAs }) => members.map(loggedInAs))]
  const duo = await studio.createClass('Tuesday 18:00')
  const tries = Array.from({ length: 300 }, (_, place) => defined(everywhere[(place * 7) % everywhere.length]))
  const responses = await Promise.all(tries.map((person) => book(person, duo)))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(2)
  for (const { status, body, headers } of responses.filter((response) => response.status !== 201)) {
    expect([400, 409, 503]).toContain(status)
    expect(body.message).toMatch(/^[A-Z].*\.$/)
    expect(headers.has('retry-after')).toBe(status === 503)
  }
  expect(await studio.count("select count(*) from bookings where status = 'confirmed'")).toBe(2)
  expect(await studio.count("select count(*) from credit_ledger where kind = 'booking'")).toBe(2)
})
