import { expect, test } from 'vitest'
import { openStudio } from '#testing/studio-under-test.ts'
import { openSeparateConnection } from './database-proxy-under-test.ts'

test('stops being ready immediately, keeps serving during the notice, finishes requests in progress and closes connections', async () => {
  const { studio, ana } = await openStudio()
  const duo = await studio.createClass('Tuesday 18:00')
  const { loggedInAs, server } = await studio.startSecondProcess()
  const there = loggedInAs(ana)
  expect((await there.request('GET', '/readyz')).headers.get('connection')).toBe('keep-alive')

  const holder = await openSeparateConnection(studio)
  await holder.query('begin')
  await holder.query('select from classes where id = $1 for update', [duo])
  const underWay = there.book(duo)
  const waiting = "wait_event_type = 'Lock' and datname = current_database()"
  await expect.poll(() => studio.count(`select count(*) from pg_stat_activity where ${waiting}`)).toBe(1)

  const seen = Promise.withResolvers<void>()
  const closed = server.close({ notice: seen.promise })
  const ready = await there.request('GET', '/readyz')
  expect(ready).toMatchObject({ status: 503, body: { status: 'stopping' } })
  const served = await there.request('GET', '/api/user/bookings')
  expect([ready, served].map(({ headers }) => headers.get('connection'))).toEqual(['close', 'close'])
  expect(served.status).toBe(200)

  seen.resolve()
  await expect.poll(() => there.request('GET', '/healthz').catch(() => 'refused'), { timeout: 60_000 }).toBe('refused')
  await holder.query('commit')
  const booked = await underWay
  expect(booked.status).toBe(201)
  expect(booked.headers.get('connection')).toBe('close')
  await closed
  expect(await studio.count('select count(*) from bookings')).toBe(1)
})
