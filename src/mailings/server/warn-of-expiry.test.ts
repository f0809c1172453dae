import { expect, test } from 'vitest'
import { blockMember } from '#booking/contract.ts'
import { setRegularBookingFor } from '#booking/contract-regular.ts'
import { pausePass } from '#schedule/contract-pauses.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { warnOfExpiry } from './warn-of-expiry.ts'

const warn = (studio: StudioUnderTest) =>
  studio.server.database.transaction((tx) => warnOfExpiry(tx, studio.clock.now()))

const setExpiry = (studio: StudioUnderTest, id: number, at: string) =>
  studio.server.database.pool.query('update passes set expires_at = $2 where id = $1', [id, at])

test('warns 14 and 3 days before credits expire, once each, with the next free places', async () => {
  const { studio, boris } = await openStudio({ now: 'Monday 09:00' })
  await studio.completeHealth(boris)
  const pass = await studio.grantCredits(boris, 3)
  await setExpiry(studio, pass, '2026-12-21T23:59:59Z')
  const booked = await studio.createClass('Tuesday 18:00')
  await studio.createClass({ at: 'Wednesday 09:30', places: 1 })
  await studio.createClass('2026-12-22 10:00')
  await boris.book(booked)
  await studio.mailbox()

  expect([await warn(studio), await warn(studio)]).toEqual([1, 0])
  const [first, ...more] = (await studio.mailTo(boris)).filter(({ subject }) => subject.includes('credits left'))
  expect([first?.subject, more]).toEqual(['2 credits left until Monday 21 December', []])
  expect(first?.text).toContain('The class you have already booked is paid for.')
  expect(first?.text).toContain('Wednesday 9 December, 09:30')
  expect(first?.text).not.toContain('22 December')

  studio.travelTo('2026-12-17 12:00')
  expect(await warn(studio)).toBe(0)
  studio.travelTo('2026-12-18 12:00')
  expect([await warn(studio), await warn(studio)]).toEqual([1, 0])
  // Extended: both are due again for the new date.
  await setExpiry(studio, pass, '2026-12-31T23:59:59Z')
  expect(await warn(studio)).toBe(1)
})

test('knows the pauses of a pass: no free places on those days, and another warning for the later expiry', async () => {
  const { studio, boris, dora } = await openStudio({ now: 'Monday 09:00' })
  const id = await studio.grantCredits(boris, 3)
  await setExpiry(studio, id, '2026-12-18T23:59:59Z')
  await studio.createClass('Wednesday 09:30')
  await studio.createClass('Thursday 09:30')
  await dora.call(pausePass, { params: { id }, body: { from: '2026-12-09', to: '2026-12-09', reason: 'Away' } })
  expect(await warn(studio)).toBe(1)
  const mail = (await studio.mailTo(boris)).find(({ subject }) => subject.includes('credits left'))
  expect(mail?.subject).toBe('3 credits left until Saturday 19 December')
  expect(mail?.text).toContain('paused from Wednesday 9 December to Wednesday 9 December')
  expect(mail?.text).not.toContain('Wednesday 9 December, 09:30')
  expect(mail?.text).toContain('Thursday 10 December, 09:30')
})

test('names the weekly slots that are booked for the member', async () => {
  const { studio, boris, dora } = await openStudio({ now: 'Monday 09:00' })
  const first = await studio.createClass('2026-12-11 08:00')
  await studio.createClass('2026-12-18 08:00')
  await dora.call(setRegularBookingFor, { params: { id: boris.id }, body: { classId: first } })
  await setExpiry(studio, await studio.grantCredits(boris, 3), '2026-12-19T23:59:59Z')
  expect(await warn(studio)).toBe(1)
  const mail = (await studio.mailTo(boris)).find(({ subject }) => subject.includes('credits left'))
  expect(mail?.text).toContain('We book your class every Friday at 08:00 as far as your credits go.')
})

test('sends only the nearer one, and nothing for passes on hold or blocked members', async () => {
  const { studio, ana, boris, dora } = await openStudio({ now: 'Monday 09:00' })
  const carl = await studio.member('Carl')
  const late = await studio.grantCredits(carl, 1)
  await setExpiry(studio, late, '2026-12-09T23:59:59Z')
  const { pool } = studio.server.database
  const frozen = await studio.grantCredits(ana, 1)
  await setExpiry(studio, frozen, '2026-12-09T23:59:59Z')
  await pool.query('update passes set frozen_at = now() where id = $1', [frozen])
  await setExpiry(studio, await studio.grantCredits(boris, 1), '2026-12-09T23:59:59Z')
  await dora.call(blockMember, { params: { id: boris.id }, body: { reason: 'Did not pay' } })
  expect(await warn(studio)).toBe(1)
  expect((await studio.mailTo(carl)).at(-1)?.subject).toBe('1 credit left until Wednesday 9 December')
  expect(await studio.count('select count(*) from expiry_warnings where days = 3')).toBe(1)
  expect(await studio.count('select count(*) from expiry_warnings')).toBe(1)
})

test('the database keeps one warning per pass, expiry and number of days', async () => {
  const { studio, boris } = await openStudio()
  const pass = await studio.grantCredits(boris, 1)
  const insert = (days: number) =>
    studio.server.database.pool.query(
      `insert into expiry_warnings (pass_id, expires_on, days, queued_at) values ($1, '2026-12-21', $2, now())`,
      [pass, days],
    )
  await expect(insert(7)).rejects.toThrow('warnings_come_14_or_3_days_before')
  await insert(3)
  await expect(insert(3)).rejects.toThrow('expiry_warnings_pkey')
})
