import { describe, expect, test } from 'vitest'
import { listUpcomingBookings } from '#booking/contract.ts'
import { joinWaitingList, listWaiting, waitingRefusals } from '#booking/contract-waiting.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { deleteClass } from '../contract.ts'
import { editClassAs, mailsOf, moveMails, openStudioWithBooking } from './classes-under-test.ts'

const join = (person: Person, id: number) => person.call(joinWaitingList, { params: { id } })
const upcomingOf = (person: Person) => person.read(listUpcomingBookings)

/** Carl has the only place on Tuesday at 18:00; Ana (credits, health) waits ahead of Boris, who has neither. */
async function awaited() {
  const story = await openStudio()
  const carl = await story.studio.member('Carl', { health: true, credits: 2 })
  const id = await story.studio.createClass({ at: 'Tuesday 18:00', places: 1 })
  const booking: number = (await carl.book(id)).body.id
  await join(story.ana, id)
  await join(story.boris, id)
  return { ...story, carl, id, booking }
}

describe('a class with bookings or a waiting list', () => {
  test('cannot move into the past, alone or with similar classes, and then nothing changes', async () => {
    const { studio, ana, dora, id } = await openStudioWithBooking()
    const later = await studio.createClass('2026-12-15 18:00')
    for (const edit of [{ date: '2026-12-06' }, { date: '2026-12-07', startTime: '09:00' }]) {
      expect(await editClassAs(dora, id, edit)).toBeRefused(bookingRefusals.new_time_in_past)
    }
    const all = { date: '2026-12-10', applyToRecurring: true }
    expect(await editClassAs(dora, later, all)).toBeRefused(bookingRefusals.new_time_in_past)
    expect((await upcomingOf(ana))[0]).toMatchObject({ class: { date: '2026-12-08' }, movedFrom: null })
    expect(await moveMails(studio, ana)).toEqual([])
    expect((await editClassAs(dora, id, { date: '2026-12-07', startTime: '09:01' })).status).toBe(200)
  })

  test('can end later while it runs', async () => {
    const { studio, dora, id } = await openStudioWithBooking()
    studio.travelTo('Tuesday 18:20')
    expect((await editClassAs(dora, id, { endTime: '19:00' })).status).toBe(200)
    expect(await editClassAs(dora, id, { endTime: '18:20' })).toBeRefused(bookingRefusals.new_time_in_past)
  })

  test('is cancelled, not moved, when one edit does both; the email has the time that the member knew', async () => {
    const { studio, ana, dora, id } = await openStudioWithBooking()
    expect((await editClassAs(dora, id, { isActive: false, date: '2026-12-01' })).status).toBe(200)
    expect(await moveMails(studio, ana)).toEqual([])
    expect(await mailsOf(studio, ana, /Tuesday 8 December at 18:00/)).not.toEqual([])
  })

  test('is emailed about twice when moved and then cancelled, and returns the credit once', async () => {
    const { studio, ana, dora, id } = await openStudioWithBooking()
    await editClassAs(dora, id, { date: '2026-12-09' })
    await dora.call(deleteClass, { params: { id }, body: {} })
    expect(await moveMails(studio, ana)).toHaveLength(1)
    expect(await studio.creditsOf(ana)).toBe(10)
  })
})

describe('a member waiting for a class that the studio moves', () => {
  const listWaitingAs = async (person: Person) => (await person.call(listWaiting)).body

  test('is emailed, keeps their position, and gets a place only after confirming', async () => {
    const { studio, ana, boris, carl, dora, id, booking } = await awaited()
    await editClassAs(dora, id, { date: '2026-12-10' })
    const subject =
      'The class you are waiting for on Tuesday 8 December at 18:00 has moved to Thursday 10 December at 18:00'
    expect(await moveMails(studio, ana)).toEqual([subject])
    expect(await moveMails(studio, boris)).toEqual([subject])
    expect((await mailsOf(studio, ana, /waiting for/))[0]?.text).toContain('You keep your place on the waiting list')
    expect(await listWaitingAs(ana)).toMatchObject([{ classId: id, position: 1, needsConfirming: true }])

    await carl.cancel(booking)
    await studio.endUndo()
    expect(await upcomingOf(ana)).toEqual([])
    for (const person of [ana, boris]) expect(await mailsOf(studio, person, /^A place is free/)).toHaveLength(1)

    const { status, body } = await join(ana, id)
    expect([status, body]).toMatchObject([201, { isBooked: true, position: 1, needsConfirming: false }])
    expect(await upcomingOf(ana)).toMatchObject([{ classId: id, class: { date: '2026-12-10' }, movedFrom: null }])
    expect(await listWaitingAs(ana)).toEqual([])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await listWaitingAs(boris)).toMatchObject([{ position: 1, needsConfirming: true }])
  })

  test('gets the next free place after confirming, ahead of members who have not confirmed', async () => {
    const { studio, ana, boris, carl, dora, id, booking } = await awaited()
    const eve = await studio.member('Eve', { health: true, credits: 1 })
    await join(eve, id)
    await editClassAs(dora, id, { date: '2026-12-10' })
    expect((await join(eve, id)).body).toMatchObject({ isBooked: false, position: 3, needsConfirming: false })
    expect(await join(eve, id)).toBeRefused(waitingRefusals.already_on_waiting_list)
    await carl.cancel(booking)
    await studio.endUndo()
    expect(await upcomingOf(eve)).toHaveLength(1)
    expect(await upcomingOf(ana)).toEqual([])
    for (const person of [ana, boris]) expect(await mailsOf(studio, person, /^A place is free/)).toEqual([])
  })

  test('must confirm after every move, except of a started class', async () => {
    const { studio, ana, dora, id } = await awaited()
    await editClassAs(dora, id, { date: '2026-12-10' })
    await join(ana, id)
    await editClassAs(dora, id, { date: '2026-12-11' })
    expect(await listWaitingAs(ana)).toMatchObject([{ needsConfirming: true }])
    expect(await moveMails(studio, ana)).toHaveLength(2)
    studio.travelTo('Friday 18:00')
    expect(await join(ana, id)).toBeRefused(waitingRefusals.class_started)
  })

  test('reads about free places in the same email', async () => {
    const { studio, ana, boris, dora, id } = await awaited()
    await editClassAs(dora, id, { date: '2026-12-10', maxParticipants: 2 })
    expect(await upcomingOf(ana)).toEqual([])
    for (const person of [ana, boris]) {
      const mails = await studio.mailTo(person)
      const news = mails.filter(({ subject }) => /waiting for|is free/.test(subject))
      expect(news).toHaveLength(1)
      expect(news[0]?.text).toContain('It has a free place')
      expect(news[0]?.text).toContain('/booking?date=2026-12-10')
    }
    expect((await ana.book(id)).status).toBe(201)
    expect(await listWaitingAs(ana)).toEqual([])
  })

  test('gets a free place by confirming, even within 12 hours of the start', async () => {
    const { studio, ana, boris, dora, id } = await awaited()
    await editClassAs(dora, id, { date: '2026-12-07', startTime: '20:00', endTime: '20:45', maxParticipants: 2 })
    studio.travelTo('Monday 12:00')
    expect((await join(boris, id)).body).toMatchObject({ isBooked: false, wouldBeSkipped: 'no_credit' })
    expect((await join(ana, id)).body).toMatchObject({ isBooked: true, wouldBeSkipped: null })
    expect(await upcomingOf(ana)).toMatchObject([{ classId: id }])
    expect(await listWaitingAs(ana)).toEqual([])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await listWaitingAs(boris)).toMatchObject([{ needsConfirming: false, position: 1 }])
  })

  test('keeps the class out of the past even without bookings', async () => {
    const { studio, ana, boris, carl, dora, id, booking } = await awaited()
    await carl.cancel(booking)
    await studio.endUndo()
    await ana.cancel((await upcomingOf(ana))[0]?.id ?? 0)
    await studio.endUndo()
    expect(await listWaitingAs(boris)).toHaveLength(1)
    expect(await editClassAs(dora, id, { date: '2026-12-01' })).toBeRefused(bookingRefusals.new_time_in_past)
  })
})

test('moving a class never deadlocks with booking, cancelling, joining or confirming', async () => {
  const { studio, ana, boris, carl, dora, id, booking } = await awaited()
  await editClassAs(dora, id, { date: '2026-12-10' })
  const cancelForGood = async () => {
    const response = await carl.cancel(booking)
    await studio.endUndo()
    return response
  }
  const responses = await Promise.all([
    editClassAs(dora, id, { date: '2026-12-11' }),
    cancelForGood(),
    join(ana, id),
    join(boris, id),
    editClassAs(dora, id, { date: '2026-12-12' }),
    carl.book(id),
  ])
  for (const { status } of responses) expect(status).toBeLessThan(500)
  // Everyone booked knows the latest time: from the move, or because they were booked after it.
  const [row] = (
    await studio.server.database.pool.query(
      `select count(*)::int as places, count(distinct user_id)::int as people from bookings where status = 'confirmed' and class_id = $1`,
      [id],
    )
  ).rows
  expect(row.places).toBeLessThanOrEqual(1)
  expect(row.people).toBe(row.places)
})
