import { expect, test } from 'vitest'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listAttention, markDone } from '../contract.ts'
import { checkCheckout } from './attention.ts'

/** Ignores what earlier studios of this process counted. */
async function openWatchedStudio() {
  const story = await openStudio()
  await story.studio.server.outcomes.write()
  await story.studio.server.database.pool.query('delete from outcomes')
  return story
}

const watch = (studio: StudioUnderTest) => studio.server.workers['watch-failures']({}, 'a-job')
const itemsOf = async (dora: Person) =>
  (await dora.read(listAttention)).filter(({ kind }) => kind === 'failing').map(({ title }) => title)
const count = (studio: StudioUnderTest, statuses: Record<number, number>) => {
  for (const [status, times] of Object.entries(statuses))
    for (let i = 0; i < times; i++) studio.server.outcomes.count('booking', Number(status))
}

test('counts real bookings; refusals are no failures', async () => {
  const { studio, ana } = await openWatchedStudio()
  const classId = await studio.createClass('Tuesday 18:00')
  await ana.book(classId)
  await ana.request('POST', '/api/bookings', { classId })
  await watch(studio)
  expect(await studio.count(`select sum(total) from outcomes where kind = 'booking'`)).toBe(2)
  expect(await studio.count('select sum(failed) from outcomes')).toBe(0)
})

test('emails the owner once when many bookings fail, lists it, and says when it is over', async () => {
  const { studio, dora } = await openWatchedStudio()
  const mails = async () =>
    (await studio.mailbox()).filter(({ subject }) => subject === 'Many bookings are failing').map(({ text }) => text)
  count(studio, { 201: 18, 409: 9, 503: 3 })
  await watch(studio)
  expect(await itemsOf(dora)).toEqual([])
  count(studio, { 500: 1 })
  await watch(studio)
  await watch(studio)
  expect(await itemsOf(dora)).toEqual(['Many bookings are failing: 4 of 31 in ten minutes'])
  expect(await mails()).toEqual([expect.stringContaining('4 of 31 bookings failed')])

  studio.travelTo('Monday 09:10')
  await watch(studio)
  expect(await itemsOf(dora)).toEqual(['Many bookings failed: 4 of 31 in ten minutes'])
  // It starts again: the same incident.
  count(studio, { 201: 10, 500: 10 })
  await watch(studio)
  expect(await itemsOf(dora)).toEqual(['Many bookings are failing: 4 of 31 in ten minutes'])
  expect(await mails()).toHaveLength(1)
  studio.travelTo('Monday 09:30')
  await watch(studio)
  studio.travelTo('Monday 10:31')
  count(studio, { 201: 10, 500: 10 })
  await watch(studio)
  expect(await mails()).toHaveLength(2)
  const [item] = (await dora.read(listAttention)).filter(({ kind }) => kind === 'failing')
  await dora.call(markDone, { body: { kind: 'failing', about: item?.about ?? '' } })
  expect(await itemsOf(dora)).toHaveLength(1)
})

test('the weekly check of the checkout page lists what differs, until the next one finds nothing', async () => {
  const { studio, dora } = await openWatchedStudio()
  const titles = async () => (await dora.read(listAttention)).filter(({ kind }) => kind === 'checkout_differs')
  const { database, origin } = studio.server
  // Without pages the site answers 404 there.
  await checkCheckout(database, origin, studio.clock.now())
  expect(await titles()).toMatchObject([{ text: expect.stringContaining('status 404') }])
  await checkCheckout(database, 'http://127.0.0.1:1', studio.clock.now())
  expect(await titles()).toMatchObject([{ text: expect.stringContaining('could not be fetched') }])
  await database.pool.query(`insert into checkout_checks (checked_at, findings) values (now(), '{}')`)
  expect(await titles()).toEqual([])
})
