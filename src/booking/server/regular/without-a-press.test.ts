import { describe, expect, test } from 'vitest'
import { deleteClass, editClass, undoCancellation } from '#schedule/contract.ts'
import { closeDays, openDays } from '#schedule/contract-closures.ts'
import { pausePass } from '#schedule/contract-pauses.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listClasses } from '#timetable/contract.ts'
import { blockMember, listUpcomingBookings, unblockMember } from '../../contract.ts'
import { acceptInvitation, addCompanion, declineInvitation, readInvitation } from '../../contract-companions.ts'
import {
  endRegularBooking,
  listRegularBookings,
  setRegularBooking,
  setRegularBookingFor,
} from '../../contract-regular.ts'
import { listWaiting } from '../../contract-waiting.ts'

/** A weekly series of the owner; returns its classes' ids by date. */
async function weekly(dora: Person, date: string, startTime: string, more: object = {}) {
  const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2027-02-26' }
  const title = `${date} ${startTime}`
  const [hour, minutes] = startTime.split(':').map(Number)
  const endTime = Temporal.PlainTime.from({ hour, minute: minutes }).add({ minutes: 45 }).toString().slice(0, 5)
  const form = { title, date, startTime, endTime, maxParticipants: 2, ...repeat, ...more }
  await dora.request('POST', '/api/classes', form)
  const all = (await dora.read(listClasses)).filter((one) => one.title === title)
  return (day: string) => all.find((one) => one.date === day)?.id ?? 0
}

type Job = 'book-for-regulars' | 'email-regulars' | 'remind-members'
const runAt = async (studio: StudioUnderTest, at: string, job: Job) => {
  studio.travelTo(at)
  await studio.server.workers[job]({}, 'by hand')
}
const set = (person: Person, classId: number, more: object = {}) =>
  person.call(setRegularBooking, { body: { classId, ...more } })
const datesOf = async (person: Person) => (await person.read(listUpcomingBookings)).map((one) => one.class.date)
const codeOn = async (person: Person, day: string) =>
  (await person.read(listRegularBookings)).flatMap(({ dates }) => dates).find(({ date }) => date === day)?.code
const expectSound = async (studio: StudioUnderTest) =>
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])

/** Eva has Mondays at `startTime` until 21 December; on Sunday the 27th she cancels another class for its credit. */
async function sundayEvening(startTime: string, cancelledAt = '20:00') {
  const { studio, dora } = await openStudio({ now: '2026-12-07 09:00' })
  const eva = await studio.member('Eva', { health: true, credits: 3 })
  const on = await weekly(dora, '2026-12-07', startTime)
  const other = await eva.book(await studio.createClass('2026-12-29 18:00'))
  await set(eva, on('2026-12-14'))
  studio.travelTo(`2026-12-27 ${cancelledAt}`)
  await studio.logIn(eva)
  const before = (await studio.mailTo(eva)).length
  await eva.cancel(other.body.id)
  studio.clock.advance({ seconds: 30 })
  await studio.endUndo()
  const mails = async () => (await studio.mailTo(eva)).slice(before).map(({ text }) => text)
  return { studio, eva, mails }
}

describe('the job at 00:20', () => {
  test.each([
    ['07:00', false],
    ['12:15', false],
    ['12:20', true],
  ])('books a class at %s of the same day: %s', async (startTime, isBooked) => {
    const { studio, eva, mails } = await sundayEvening(startTime)
    await runAt(studio, '2026-12-28 00:20', 'book-for-regulars')
    expect((await datesOf(eva)).includes('2026-12-28')).toBe(isBooked)
    await runAt(studio, '2026-12-28 00:21', 'remind-members')
    const isAnnounced = (text: string) => /Booked\s+Monday 28 December/.test(text)
    expect((await mails()).filter(isAnnounced)).toEqual([])
    await runAt(studio, '2026-12-28 09:00', 'email-regulars')
    expect((await mails()).filter(isAnnounced)).toHaveLength(isBooked ? 1 : 0)
    if (isBooked) {
      const [next] = await eva.read(listUpcomingBookings)
      expect((await eva.cancel(next?.id ?? 0)).body.paymentStatus).toBe('refunded')
    }
    await expectSound(studio)
  })

  test.each([
    ['20:59', true],
    ['21:01', false],
  ])('uses a credit that came back at %s: %s; the next one uses it in any case', async (cancelledAt, isUsed) => {
    const { studio, eva } = await sundayEvening('18:00', cancelledAt)
    await runAt(studio, '2026-12-28 00:20', 'book-for-regulars')
    expect((await datesOf(eva)).includes('2026-12-28')).toBe(isUsed)
    await runAt(studio, '2026-12-29 00:20', 'book-for-regulars')
    const made = "select count(*) from bookings where origin = 'regular' and booked_at > '2026-12-27'"
    expect(await studio.count(made)).toBe(1)
  })

  test('books in order of date over all of a member’s regular bookings', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const eve = await studio.member('Eve', { health: true, credits: 1 })
    const [saturdays, fridays] = [await weekly(dora, '2026-12-12', '08:00'), await weekly(dora, '2026-12-11', '08:00')]
    const { body: booking } = await eve.book(await studio.createClass('Thursday 18:00'))
    for (const classId of [saturdays('2026-12-12'), fridays('2026-12-11')])
      await dora.call(setRegularBookingFor, { params: { id: eve.id }, body: { classId } })
    await eve.cancel(booking.id)
    await studio.endUndo()
    await runAt(studio, 'Tuesday 00:20', 'book-for-regulars')
    expect(await datesOf(eve)).toEqual(['2026-12-11'])
  })

  test('leaves a member without an email address 48 hours to be called', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const on = await weekly(dora, '2026-12-10', '08:00')
    const eve = await studio.member('Eve', { health: true })
    await dora.call(setRegularBookingFor, { params: { id: eve.id }, body: { classId: on('2026-12-10') } })
    await studio.server.database.pool.query(
      "update users set email = null, username = null, password_hash = null, phone = '01423 960111' where id = $1",
      [eve.id],
    )
    await studio.grantCredits(eve, 1)
    await runAt(studio, 'Tuesday 08:01', 'book-for-regulars')
    const booked = () => studio.count('select count(*) from bookings where user_id = $1', [eve.id])
    expect(await booked()).toBe(1)
    const date = "select date = '2026-12-17' from bookings join classes on classes.id = class_id where user_id = $1"
    expect(await studio.count(date, [eve.id])).toBe(1)
  })

  test.each(['a lifted block', 'completed health information'])('uses %s only the night after', async (what) => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const on = await weekly(dora, '2026-12-18', '08:00')
    const isBlock = what === 'a lifted block'
    const eve = await studio.member('Eve', { health: isBlock, credits: 1 })
    await dora.call(setRegularBookingFor, { params: { id: eve.id }, body: { classId: on('2026-12-18') } })
    const [booking] = await eve.read(listUpcomingBookings)
    if (booking) await eve.cancel(booking.id)
    if (isBlock) await dora.call(blockMember, { params: { id: eve.id }, body: { reason: 'Unpaid' } })
    studio.travelTo('Tuesday 21:30')
    await studio.logIn(eve, dora)
    if (isBlock) await dora.call(unblockMember, { params: { id: eve.id } })
    else await studio.completeHealth(eve)
    await runAt(studio, 'Wednesday 00:20', 'book-for-regulars')
    expect(await datesOf(eve)).toEqual([])
    await runAt(studio, 'Thursday 00:20', 'book-for-regulars')
    expect(await datesOf(eve)).toHaveLength(1)
  })
})

describe('new credits', () => {
  test('are the member’s own: for another class, until the night', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const eve = await studio.member('Eve', { health: true, credits: 1 })
    const on = await weekly(dora, '2026-12-11', '08:00')
    await set(eve, on('2026-12-11'))
    await studio.grantCredits(eve, 1)
    expect(await codeOn(eve, '2026-12-18')).toBe('tonight')
    expect((await eve.book(await studio.createClass('Saturday 10:00'))).status).toBe(201)
    expect(await codeOn(eve, '2026-12-18')).toBe('no_credit')
  })

  test('are used at once when the member sets a regular booking up', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const eve = await studio.member('Eve', { health: true })
    const on = await weekly(dora, '2026-12-11', '08:00')
    await studio.grantCredits(eve, 2)
    expect((await set(eve, on('2026-12-11'))).body.booked).toHaveLength(2)
  })

  test('are not spent on a class that is opened or comes back again within 12 hours', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const eve = await studio.member('Eve', { health: true, credits: 3 })
    const on = await weekly(dora, '2026-12-11', '18:00')
    await set(eve, on('2026-12-11'))
    studio.travelTo('2026-12-11 17:40')
    await studio.logIn(eve, dora)
    const days = { from: '2026-12-11', to: '2026-12-11', reason: 'Ill', notify: true }
    const closed = await dora.call(closeDays, { body: days })
    studio.travelTo('2026-12-11 17:50')
    await studio.mailbox()
    await dora.call(openDays, { params: { id: closed.body.id } })
    expect(await datesOf(eve)).not.toContain('2026-12-11')
    expect(await codeOn(eve, '2026-12-11')).toBe('too_soon')
  })
})

test('books a deleted class that comes back for members who set a regular booking up in the meantime', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  const eve = await studio.member('Eve', { health: true, credits: 5 })
  const on = await weekly(dora, '2026-12-11', '18:00')
  studio.travelTo('Tuesday 09:00')
  await studio.logIn(eve, dora)
  const deleted = await dora.call(deleteClass, { params: { id: on('2026-12-18') }, body: {} })
  await set(eve, on('2026-12-11'))
  expect(await datesOf(eve)).not.toContain('2026-12-18')
  await dora.call(undoCancellation, { params: { id: deleted.body.undo.id } })
  // Four of five credits are spent, and one was there last night.
  expect(await studio.creditsOf(eve)).toBe(0)
  await expectSound(studio)
})

test('gives no date of a paused member away from the waiting list, paid by another pass', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
  const first = await studio.count('select id from passes where user_id = $1', [ana.id])
  await studio.grantCredits(ana, 5, 18)
  const cast = async (name: string) => await studio.member(name, { health: true, credits: 5 })
  const [carl, eve] = [await cast('Carl'), await cast('Eve')]
  const on = await weekly(dora, '2026-12-11', '08:00')
  const { body: his } = await carl.book(on('2026-12-18'))
  await eve.book(on('2026-12-18'))
  await set(ana, on('2026-12-11'))
  studio.travelTo('Wednesday 09:00')
  await studio.logIn(carl, dora, ana)
  const body = { from: '2026-12-14', to: '2026-12-27', reason: 'Away' }
  expect((await dora.call(pausePass, { params: { id: first }, body })).status).toBe(201)
  await runAt(studio, 'Thursday 00:20', 'book-for-regulars')
  studio.travelTo('Thursday 09:00')
  await carl.cancel(his.id)
  await studio.endUndo()
  const isAway = (date: string) => date >= body.from && date <= body.to
  expect((await datesOf(ana)).filter(isAway)).toEqual([])
  expect((await ana.read(listWaiting)).map((entry) => entry.wouldBeSkipped)).toEqual(['pass_paused'])
})

describe('ending a regular booking', () => {
  test('leaves a class before its first date, and one in it that was booked by hand', async () => {
    const { ana, dora } = await openStudio({ now: 'Monday 09:00' })
    const on = await weekly(dora, '2026-12-11', '08:00')
    for (const date of ['2026-12-11', '2027-01-15']) expect((await ana.book(on(date))).status).toBe(201)
    const made = await set(ana, on('2027-01-08'))
    const [regular] = await ana.read(listRegularBookings)
    expect(regular?.dates.filter(({ bookingId, isMade }) => bookingId && !isMade).map(({ date }) => date)).toEqual([
      '2027-01-15',
    ])
    const params = { id: made.body.id }
    const ended = await ana.call(endRegularBooking, { params, query: { cancelBookings: 'true' } })
    const listed = regular?.dates.filter(({ isMade }) => isMade).flatMap(({ bookingId }) => bookingId ?? [])
    expect(ended.body.cancelledBookingIds.sort()).toEqual(listed?.sort())
    expect(await datesOf(ana)).toEqual(['2026-12-11', '2027-01-15'])
  })

  test('takes its entries off waiting lists, so that it books nothing weeks later', async () => {
    const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
    const cast = async (name: string) => await studio.member(name, { health: true, credits: 5 })
    const [carl, eve] = [await cast('Carl'), await cast('Eve')]
    const on = await weekly(dora, '2026-12-11', '08:00')
    const { body: his } = await carl.book(on('2027-01-15'))
    await eve.book(on('2027-01-15'))
    const made = await set(ana, on('2026-12-11'))
    expect((await ana.read(listWaiting)).map((entry) => entry.class.date)).toEqual(['2027-01-15'])
    await ana.call(endRegularBooking, { params: { id: made.body.id }, query: { cancelBookings: 'false' } })
    expect(await ana.read(listWaiting)).toEqual([])
    studio.travelTo('2026-12-21 09:00')
    await carl.cancel(his.id)
    await studio.endUndo()
    expect(await datesOf(ana)).not.toContain('2027-01-15')
  })

  test('cancels what a former one of the same slot had made, once it is set up again', async () => {
    const { ana, dora } = await openStudio({ now: 'Monday 09:00' })
    const on = await weekly(dora, '2026-12-11', '08:00')
    const first = await set(ana, on('2026-12-11'))
    await ana.call(endRegularBooking, { params: { id: first.body.id }, query: { cancelBookings: 'false' } })
    const kept = await datesOf(ana)
    expect(kept.length).toBeGreaterThan(1)
    const again = await set(ana, on('2026-12-11'))
    await ana.call(endRegularBooking, { params: { id: again.body.id }, query: { cancelBookings: 'true' } })
    expect(await datesOf(ana)).toEqual([])
  })
})

describe('a companion who has accepted one class', () => {
  async function openWithTwo() {
    const story = await openStudio({ now: 'Monday 09:00' })
    const { studio, ana, boris, dora } = story
    await studio.completeHealth(boris)
    await studio.grantCredits(ana, 10)
    const on = await weekly(dora, '2026-12-11', '08:00')
    const { body: booking } = await ana.book(on('2026-12-11'))
    const invited = { firstName: 'Ben', lastName: 'Beck', email: boris.email }
    await ana.call(addCompanion, { params: { id: booking.id }, body: invited })
    const token = async () =>
      (await studio.mailTo(boris)).flatMap(({ text }) => /#invitation=([\w.-]+)/.exec(text)?.[1] ?? []).at(-1) ?? ''
    expect((await boris.call(acceptInvitation, { body: { token: await token() } })).status).toBe(201)
    expect((await set(ana, on('2026-12-11'), { withCompanion: true })).status).toBe(201)
    return { ...story, token }
  }

  test('is asked once before every week, and has only that class until they agree', async () => {
    const { studio, ana, boris, token } = await openWithTwo()
    expect(await datesOf(boris)).toEqual(['2026-12-11'])
    expect(await ana.read(listRegularBookings)).toMatchObject([{ companion: { firstName: 'Ben', state: 'held' } }])
    const asked = (await studio.mailTo(boris)).at(-1)
    expect(asked?.subject).toBe('Ana would like you to come every Friday at 08:00')
    const { body: invitation } = await boris.call(readInvitation, { body: { token: await token() } })
    expect(invitation).toMatchObject({ isBooked: true, regular: { day: 'Friday', startTime: '08:00' } })
    expect((await boris.call(acceptInvitation, { body: { token: await token() } })).status).toBe(201)
    await studio.runQueue('book-for-companion')
    expect((await datesOf(boris)).length).toBeGreaterThan(1)
    expect(await ana.read(listRegularBookings)).toMatchObject([{ companion: { firstName: 'Ben', state: 'confirmed' } }])
    await expectSound(studio)
  })

  test('keeps that class when they decline', async () => {
    const { studio, ana, boris, token } = await openWithTwo()
    expect((await boris.call(declineInvitation, { body: { token: await token() } })).status).toBe(200)
    await studio.runQueue('book-for-companion')
    expect(await datesOf(boris)).toEqual(['2026-12-11'])
    expect(await ana.read(listRegularBookings)).toMatchObject([{ companion: null }])
    expect((await studio.mailTo(ana)).at(-1)?.subject).toBe('Ben is not coming every Friday at 08:00')
    await expectSound(studio)
  })
})

test('a slot that moves onto another one of the member’s goes on as that one, and the member is emailed', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
  const [fridays, saturdays] = [await weekly(dora, '2026-12-11', '08:00'), await weekly(dora, '2026-12-12', '08:00')]
  await studio.grantCredits(ana, 10)
  for (const classId of [fridays('2026-12-18'), saturdays('2027-01-30')])
    expect((await set(ana, classId)).status).toBe(201)
  const before = await datesOf(ana)
  const body = { date: '2026-12-12', applyToRecurring: true }
  expect((await dora.call(editClass, { params: { id: fridays('2026-12-11') }, body })).status).toBe(200)
  expect(await ana.read(listRegularBookings)).toMatchObject([{ day: 'Saturday', startTime: '08:00' }])
  expect(await datesOf(ana)).toHaveLength(before.length)
  const ended = (await studio.mailTo(ana)).filter(({ subject }) => subject.includes('every Friday at 08:00 has ended'))
  expect(ended).toHaveLength(1)
  expect(ended[0]?.text.replaceAll(/\s+/g, ' ')).toContain('another regular booking')
  await expectSound(studio)
})
