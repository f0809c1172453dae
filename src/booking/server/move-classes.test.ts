import { describe, expect, test } from 'vitest'
import type { Person } from '../../testing/person.ts'
import { openStudio, type StudioUnderTest } from '../../testing/studio-under-test.ts'
import { bookingRefusals, cancelForMember, listUpcomingBookings, rescheduleBooking } from '../contract.ts'
import { deleteClass, editClass } from '../contract-classes.ts'
import { joinWaitingList, listWaiting, waitingRefusals } from '../contract-waiting.ts'

const moves = (admin: Person, id: number, body: object) => admin.call(editClass, { params: { id }, body })
const joins = (person: Person, id: number) => person.call(joinWaitingList, { params: { id } })
const upcomingOf = (person: Person) => person.reads(listUpcomingBookings)
const passesOf = async (person: Person) => (await person.request('GET', '/api/user/passes')).body
const mailsOf = async (studio: StudioUnderTest, person: Person, subject: RegExp) =>
  (await studio.mailTo(person)).filter((mail) => subject.test(mail.subject))
const movesTold = async (studio: StudioUnderTest, person: Person) =>
  (await mailsOf(studio, person, /moved/)).map(({ subject }) => subject)
const remind = (studio: StudioUnderTest) => studio.server.workers['remind-members']({}, 'job')

/** Ana has booked a class of two on Tuesday at 18:00. */
async function booked(now = 'Monday 09:00') {
  const story = await openStudio({ now })
  const id = await story.studio.class('Tuesday 18:00')
  const booking: number = (await story.studio.books(story.ana, id)).body.id
  return { ...story, id, booking }
}

/** Carl has the only place on Tuesday at 18:00, Ana (credits, health) waits before Boris, who has neither. */
async function awaited() {
  const story = await openStudio()
  const carl = await story.studio.member('Carl', { health: true, credits: 2 })
  const id = await story.studio.class({ at: 'Tuesday 18:00', places: 1 })
  const booking: number = (await story.studio.books(carl, id)).body.id
  await joins(story.ana, id)
  await joins(story.boris, id)
  return { ...story, carl, id, booking }
}

describe('who has booked a class that the studio moves', () => {
  test('is told once: old time, new time, a calendar file and the way out', async () => {
    const { studio, ana, boris, dora, id } = await booked()
    await moves(dora, id, { date: '2026-12-10', startTime: '15:00', endTime: '15:45' })
    const [mail, ...more] = await mailsOf(studio, ana, /moved/)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Your class on Tuesday 8 December at 18:00 has moved to Thursday 10 December at 15:00')
    expect(mail?.text).toContain('Tuesday 8 December 2026, 18:00 to 18:45')
    expect(mail?.text).toContain('Thursday 10 December 2026, 15:00 to 15:45')
    expect(mail?.text).toContain('/dashboard')
    expect(mail?.attachments[0]?.content).toContain('DTSTART:20261210T150000Z')
    expect(mail?.attachments[0]?.content).toContain('SEQUENCE:1')
    expect(await movesTold(studio, boris)).toEqual([])
    const { body: record } = await dora.request('GET', `/api/admin/audit?subject=class:${id}&limit=1`)
    expect(record[0].changes).toMatchObject({ peopleTold: { after: 1 }, startTime: { after: '15:00' } })
  })

  test.each([
    ['its end', { endTime: '19:00' }, 1],
    ['its start', { startTime: '17:45' }, 1],
    ['its date', { date: '2026-12-09' }, 1],
    ['its title', { title: 'Gentle' }, 0],
    ['the same values', { date: '2026-12-08', startTime: '18:00', endTime: '18:45', title: 'Reformer' }, 0],
  ])('is told of a change of %s as often as it concerns them', async (_what, edit, times) => {
    const { studio, ana, dora, id } = await booked()
    await moves(dora, id, edit)
    expect(await movesTold(studio, ana)).toHaveLength(times)
    expect((await upcomingOf(ana))[0]?.movedFrom === null).toBe(times === 0)
  })

  test('is told of every move, and where it came from each time: twice moved, moved back', async () => {
    const { studio, ana, dora, id } = await booked()
    await moves(dora, id, { startTime: '19:00', endTime: '19:45' })
    await moves(dora, id, { startTime: '19:00', endTime: '19:45' })
    studio.clock.advance({ minutes: 1 })
    await moves(dora, id, { startTime: '18:00', endTime: '18:45' })
    const mails = await mailsOf(studio, ana, /moved/)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your class on Tuesday 8 December at 18:00 has moved to Tuesday 8 December at 19:00',
      'Your class on Tuesday 8 December at 19:00 has moved to Tuesday 8 December at 18:00',
    ])
    // The first one had not left when the class went back: it says so, and the second, which holds, does not.
    expect(mails.map(({ text }) => text.includes('Something has changed since we wrote this email'))).toEqual([
      true,
      false,
    ])
    expect(mails[1]?.text).toContain('We moved this class at 09:01 on Monday 7 December')
  })

  test('of a series is told once for each class, whatever else they have', async () => {
    const { studio, ana, dora } = await openStudio()
    const [first = 0, second = 0, inactive = 0] = await Promise.all(
      ['2026-12-08 18:00', '2026-12-15 18:00', '2026-12-22 18:00'].map((at) => studio.class(at)),
    )
    await studio.books(ana, first)
    await studio.books(ana, second)
    await moves(dora, inactive, { isActive: false })
    await moves(dora, first, { date: '2026-12-09', applyToRecurring: true })
    expect((await movesTold(studio, ana)).sort()).toEqual([
      'Your class on Tuesday 15 December at 18:00 has moved to Wednesday 16 December at 18:00',
      'Your class on Tuesday 8 December at 18:00 has moved to Wednesday 9 December at 18:00',
    ])
    expect((await upcomingOf(ana)).map(({ movedFrom }) => movedFrom?.date)).toEqual(['2026-12-08', '2026-12-15'])
  })

  test('cancels with the credit back until the new start, though less than 120 minutes are left', async () => {
    const { studio, ana, dora, id, booking } = await booked()
    await moves(dora, id, { date: '2026-12-09' })
    studio.itIs('Wednesday 17:59:59')
    expect((await studio.cancels(ana, booking)).body).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
    expect(await studio.creditsOf(ana)).toBe(10)
    const [mail] = await mailsOf(studio, ana, /is cancelled$/)
    expect(mail?.text).toContain('We had moved this class, so cancelling it costs you nothing')
  })

  test('does so too when it was moved within its last 120 minutes; from the new start on nobody cancels', async () => {
    const { studio, ana, dora, id, booking } = await booked()
    studio.itIs('Tuesday 17:30')
    await moves(dora, id, { startTime: '18:30', endTime: '19:15' })
    studio.itIs('Tuesday 18:30')
    expect(await studio.cancels(ana, booking)).toBeRefused(bookingRefusals.class_already_started)
    studio.itIs('Tuesday 18:29')
    expect((await dora.call(cancelForMember, { params: { id: booking }, body: {} })).body).toMatchObject({
      paymentStatus: 'refunded',
    })
  })

  test('chooses another class until the new start, and there the usual 120 minutes hold again', async () => {
    const { studio, ana, dora, id, booking } = await booked()
    await moves(dora, id, { date: '2026-12-09' })
    const other = await studio.class('Wednesday 19:00')
    studio.itIs('Wednesday 17:30')
    const { status, body } = await ana.call(rescheduleBooking, { params: { id: booking }, body: { classId: other } })
    expect([status, body.movedFrom]).toEqual([201, null])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect((await studio.cancels(ana, body.id)).body.paymentStatus).toBe('forfeited')
  })

  test('after the move is nobody it concerns: who books then has the usual 120 minutes', async () => {
    const { studio, boris, dora, id } = await booked()
    await studio.completesHealth(boris)
    await studio.grants(boris, 1)
    await moves(dora, id, { date: '2026-12-09' })
    const later = (await studio.books(boris, id)).body
    expect(later.movedFrom).toBeNull()
    studio.itIs('Wednesday 17:00')
    expect((await studio.cancels(boris, later.id)).body.paymentStatus).toBe('forfeited')
    expect(await movesTold(studio, boris)).toEqual([])
  })

  test('still pays with a pass that ends before; a credit that comes back makes it last 14 days', async () => {
    const { studio, boris, dora } = await openStudio()
    await studio.completesHealth(boris)
    await studio.grants(boris, 1, 1)
    const id = await studio.class('2027-01-05 18:00')
    const booking = (await studio.books(boris, id)).body.id
    await moves(dora, id, { date: '2027-02-02' })
    expect(await upcomingOf(boris)).toHaveLength(1)
    // The pass has ended, and the night has written off what was left on it: nothing.
    studio.itIs('2027-01-20 09:00')
    await studio.logsIn(boris)
    await studio.server.workers['expire-passes']({}, 'job')
    expect((await studio.cancels(boris, booking)).body.paymentStatus).toBe('refunded')
    expect(await passesOf(boris)).toMatchObject([{ creditsRemaining: 1, expiresAt: '2027-02-03T23:59:59Z' }])
    expect((await studio.books(boris, await studio.class('2027-02-03 10:00'))).status).toBe(201)
  })

  test('is reminded anew, of the new time; a reminder of the old one that has not left never leaves', async () => {
    const { studio, ana, dora, id } = await booked()
    studio.itIs('Monday 18:00')
    await remind(studio)
    await moves(dora, id, { date: '2026-12-10' })
    const reminders = async () => (await mailsOf(studio, ana, /^See you/)).map(({ subject }) => subject)
    expect(await reminders()).toEqual([])
    studio.itIs('Wednesday 18:00')
    await remind(studio)
    await remind(studio)
    expect(await reminders()).toEqual(['See you on Thursday 10 December at 18:00'])
    const [mail] = await mailsOf(studio, ana, /^See you/)
    expect(mail?.text).toContain('Because we moved this class, your credit comes back until it starts')
  })

  test('has just been told where it moves within the 24 hours, and is not reminded on top', async () => {
    const { studio, ana, dora, id } = await booked()
    studio.itIs('Tuesday 09:00')
    await moves(dora, id, { startTime: '19:00', endTime: '19:45' })
    await remind(studio)
    expect(await mailsOf(studio, ana, /^See you/)).toEqual([])
  })
})

describe('a class that somebody has booked or waits for', () => {
  test('cannot move into the past, alone or with all alike, and then nothing has changed', async () => {
    const { studio, ana, dora, id } = await booked()
    const later = await studio.class('2026-12-15 18:00')
    for (const edit of [{ date: '2026-12-06' }, { date: '2026-12-07', startTime: '09:00' }]) {
      expect(await moves(dora, id, edit)).toBeRefused(bookingRefusals.moves_into_past)
    }
    const all = { date: '2026-12-10', applyToRecurring: true }
    expect(await moves(dora, later, all)).toBeRefused(bookingRefusals.moves_into_past)
    expect((await upcomingOf(ana))[0]).toMatchObject({ class: { date: '2026-12-08' }, movedFrom: null })
    expect(await movesTold(studio, ana)).toEqual([])
    expect((await moves(dora, id, { date: '2026-12-07', startTime: '09:01' })).status).toBe(200)
  })

  test('may end later while it runs', async () => {
    const { studio, dora, id } = await booked()
    studio.itIs('Tuesday 18:20')
    expect((await moves(dora, id, { endTime: '19:00' })).status).toBe(200)
    expect(await moves(dora, id, { endTime: '18:20' })).toBeRefused(bookingRefusals.moves_into_past)
  })

  test('is cancelled, not moved, when one edit does both; the mail names the time people knew', async () => {
    const { studio, ana, dora, id } = await booked()
    expect((await moves(dora, id, { isActive: false, date: '2026-12-01' })).status).toBe(200)
    expect(await movesTold(studio, ana)).toEqual([])
    expect(await mailsOf(studio, ana, /Tuesday 8 December at 18:00/)).not.toEqual([])
  })

  test('moved, then cancelled by the studio: both are told, the credit comes back once', async () => {
    const { studio, ana, dora, id } = await booked()
    await moves(dora, id, { date: '2026-12-09' })
    await dora.call(deleteClass, { params: { id }, body: {} })
    expect(await movesTold(studio, ana)).toHaveLength(1)
    expect(await studio.creditsOf(ana)).toBe(10)
  })
})

describe('who waits for a class that the studio moves', () => {
  const waits = async (person: Person) => (await person.call(listWaiting)).body

  test('is told, keeps the place in line, and is booked into it only once they have said that they still want it', async () => {
    const { studio, ana, boris, carl, dora, id, booking } = await awaited()
    await moves(dora, id, { date: '2026-12-10' })
    const subject = 'The class you wait for on Tuesday 8 December at 18:00 has moved to Thursday 10 December at 18:00'
    expect(await movesTold(studio, ana)).toEqual([subject])
    expect(await movesTold(studio, boris)).toEqual([subject])
    expect(await waits(ana)).toMatchObject([{ classId: id, position: 1, needsConfirming: true }])

    await studio.cancels(carl, booking)
    expect(await upcomingOf(ana)).toEqual([])
    for (const person of [ana, boris]) expect(await mailsOf(studio, person, /^A place is free/)).toHaveLength(1)

    const { status, body } = await joins(ana, id)
    expect([status, body]).toMatchObject([201, { isBooked: true, position: 1, needsConfirming: false }])
    expect(await upcomingOf(ana)).toMatchObject([{ classId: id, class: { date: '2026-12-10' }, movedFrom: null }])
    expect(await waits(ana)).toEqual([])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await waits(boris)).toMatchObject([{ position: 1, needsConfirming: true }])
  })

  test('says so once: then the next free place is theirs, before those ahead who have not', async () => {
    const { studio, ana, boris, carl, dora, id, booking } = await awaited()
    const eve = await studio.member('Eve', { health: true, credits: 1 })
    await joins(eve, id)
    await moves(dora, id, { date: '2026-12-10' })
    expect((await joins(eve, id)).body).toMatchObject({ isBooked: false, position: 3, needsConfirming: false })
    expect(await joins(eve, id)).toBeRefused(waitingRefusals.already_waiting)
    await studio.cancels(carl, booking)
    expect(await upcomingOf(eve)).toHaveLength(1)
    expect(await upcomingOf(ana)).toEqual([])
    for (const person of [ana, boris]) expect(await mailsOf(studio, person, /^A place is free/)).toEqual([])
  })

  test('is asked anew by every move, and by none that has started', async () => {
    const { studio, ana, dora, id } = await awaited()
    await moves(dora, id, { date: '2026-12-10' })
    await joins(ana, id)
    await moves(dora, id, { date: '2026-12-11' })
    expect(await waits(ana)).toMatchObject([{ needsConfirming: true }])
    expect(await movesTold(studio, ana)).toHaveLength(2)
    studio.itIs('Friday 18:00')
    expect(await joins(ana, id)).toBeRefused(waitingRefusals.class_started)
  })

  test('is told of free places in the same mail, where the move makes some', async () => {
    const { studio, ana, boris, dora, id } = await awaited()
    await moves(dora, id, { date: '2026-12-10', maxParticipants: 2 })
    expect(await upcomingOf(ana)).toEqual([])
    for (const person of [ana, boris]) {
      const mails = await studio.mailTo(person)
      const news = mails.filter(({ subject }) => /wait for|is free/.test(subject))
      expect(news).toHaveLength(1)
      expect(news[0]?.text).toContain('It has a free place')
      expect(news[0]?.text).toContain('/booking?date=2026-12-10')
    }
    expect((await studio.books(ana, id)).status).toBe(201)
    expect(await waits(ana)).toEqual([])
  })

  test('keeps it out of the past though nobody has booked it', async () => {
    const { studio, ana, boris, carl, dora, id, booking } = await awaited()
    await studio.cancels(carl, booking)
    await studio.cancels(ana, (await upcomingOf(ana))[0]?.id ?? 0)
    expect(await waits(boris)).toHaveLength(1)
    expect(await moves(dora, id, { date: '2026-12-01' })).toBeRefused(bookingRefusals.moves_into_past)
  })
})

test('a move and who books, cancels, joins and confirms meanwhile never wait for each other in a ring', async () => {
  const { studio, ana, boris, carl, dora, id, booking } = await awaited()
  await moves(dora, id, { date: '2026-12-10' })
  const answers = await Promise.all([
    moves(dora, id, { date: '2026-12-11' }),
    studio.cancels(carl, booking),
    joins(ana, id),
    joins(boris, id),
    moves(dora, id, { date: '2026-12-12' }),
    studio.books(carl, id),
  ])
  for (const { status } of answers) expect(status).toBeLessThan(500)
  // Who is in it by now knows the last time: from the move, or because they were booked after it.
  const [row] = (
    await studio.server.database.pool.query(
      `select count(*)::int as places, count(distinct user_id)::int as people from bookings where status = 'confirmed' and class_id = $1`,
      [id],
    )
  ).rows
  expect(row.places).toBeLessThanOrEqual(1)
  expect(row.people).toBe(row.places)
})
