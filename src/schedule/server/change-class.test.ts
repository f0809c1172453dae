import { describe, expect, test } from 'vitest'
import { getClassForAdmin } from '#booking/contract-classes.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import { deletePass, listCredits } from '#passes/contract.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import {
  cancellationMails,
  createSeriesAndNeighbours,
  describeClasses,
  editClassAs,
  historyOf,
  listClassesAs,
  mailSubjectsTo,
  remove,
  UNTOUCHED,
  upcomingOf,
} from './classes-under-test.ts'

describe('taking a class off the timetable', () => {
  const ways: [string, (admin: Person, id: number) => Promise<TestResponse>][] = [
    ['deleted', (admin, id) => remove(admin, id)],
    ['deactivated', (admin, id) => editClassAs(admin, id, { isActive: false })],
  ]

  test.each(ways)(
    '%s, cancels its bookings for the members: credit back, pass long enough, a mail each',
    async (_way, takesOff) => {
      const { studio, dora, ana, boris } = await openStudio()
      await studio.completeHealth(boris)
      await studio.grantCredits(boris, 1, 1)
      const id = await studio.createClass('2027-01-05 18:00')
      const [anas, boriss] = [await ana.book(id), await boris.book(id)]
      // Thirty hours before the class, two days before Boris's pass expires.
      studio.travelTo('2027-01-04 12:00')
      expect((await takesOff(dora, id)).status).toBe(200)

      expect(await upcomingOf(ana)).toEqual([])
      expect(await historyOf(ana)).toMatchObject([
        {
          id: anas.body.id,
          status: 'cancelled',
          paymentStatus: 'refunded',
          cancelledAt: '2027-01-04T12:00:00Z',
          class: { title: 'Reformer', date: '2027-01-05', startTime: '18:00' },
        },
      ])
      expect(await studio.creditsOf(ana)).toBe(10)
      expect(await studio.creditsOf(boris)).toBe(1)
      const passOf = async (person: Person) => (await person.request('GET', '/api/user/passes')).body[0]
      expect((await passOf(boris)).expiresAt).toBe('2027-01-18T23:59:59Z')
      expect((await passOf(ana)).expiresAt).toBe('2027-12-07T23:59:59Z')
      expect(await cancellationMails(studio, ana)).toHaveLength(1)
      expect(await cancellationMails(studio, boris)).toHaveLength(1)
      expect(await mailSubjectsTo(studio, dora)).toHaveLength(1)
      expect(await boris.cancel(boriss.body.id)).toBeRefused(bookingRefusals.booking_not_confirmed)
      expect(await cancellationMails(studio, ana)).toHaveLength(1)
    },
  )

  test('returns credits even inside 120 minutes and while the class runs', async () => {
    const { studio, dora, ana } = await openStudio()
    const [soon, running] = [await studio.createClass('Monday 10:00'), await studio.createClass('Monday 09:15')]
    await ana.book(soon)
    await ana.book(running)
    studio.travelTo('Monday 09:30')
    await remove(dora, soon)
    await remove(dora, running)
    expect(await studio.creditsOf(ana)).toBe(10)
    expect((await historyOf(ana)).map(({ paymentStatus }) => paymentStatus)).toEqual(['refunded', 'refunded'])
  })

  test('leaves an ended class its history and credits', async () => {
    const { studio, dora, ana } = await openStudio()
    const id = await studio.createClass('Monday 10:00')
    await ana.book(id)
    studio.travelTo('Monday 11:00')
    await remove(dora, id)
    await studio.server.workers['complete-classes']({}, 'by hand')
    expect(await historyOf(ana)).toMatchObject([{ status: 'completed', paymentStatus: 'paid' }])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await cancellationMails(studio, ana)).toEqual([])
  })

  test('does not touch bookings cancelled in time', async () => {
    const { studio, dora, ana } = await openStudio()
    const early = await studio.createClass('Tuesday 18:00')
    await ana.cancel((await ana.book(early)).body.id)
    await remove(dora, early)
    expect(await studio.creditsOf(ana)).toBe(10)
    expect((await historyOf(ana)).map(({ paymentStatus }) => paymentStatus)).toEqual(['refunded'])
    expect(await cancellationMails(studio, ana)).toEqual([])
  })

  test.each(ways)(
    '%s, gives back the credit of a late cancellation too, once, and emails the member',
    async (_way, takesOff) => {
      const { studio, dora, ana, boris } = await openStudio()
      await studio.completeHealth(boris)
      const voided = await studio.grantCredits(boris, 2)
      const late = await studio.createClass('Monday 10:30')
      for (const person of [ana, boris]) await person.cancel((await person.book(late)).body.id)
      await dora.call(deletePass, { params: { id: voided } })
      expect(await studio.creditsOf(ana)).toBe(9)
      expect((await dora.read(getClassForAdmin, { params: { id: late } })).touches.one).toMatchObject({
        bookings: 0,
        credits: 1,
        members: 1,
      })
      await takesOff(dora, late)
      expect(await studio.creditsOf(ana)).toBe(10)
      expect(await historyOf(ana)).toMatchObject([{ status: 'cancelled', paymentStatus: 'refunded' }])
      const subject = 'Your credit for Monday 7 December at 10:30 is back'
      const mails = (await studio.mailTo(ana)).filter((mail) => mail.subject === subject)
      expect(mails).toHaveLength(1)
      expect(mails[0]?.text).toContain('We had to cancel this class.')
      const [line] = await ana.read(listCredits)
      expect(line).toMatchObject({ kind: 'goodwill', credits: 1, reason: 'The studio cancelled the class' })
      // Boris's pass is void.
      expect(await studio.creditsOf(boris)).toBe(0)
      expect(await mailSubjectsTo(studio, boris)).not.toContain(subject)
    },
  )

  test('removes a deleted class from every list, and lets the admin reactivate an inactive one, empty', async () => {
    const { studio, dora, ana } = await openStudio()
    const [gone, hidden] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Wednesday 18:00')]
    await ana.book(hidden)
    expect(await remove(dora, gone)).toMatchObject({ status: 200, body: { message: 'Class deleted successfully' } })
    expect((await editClassAs(dora, hidden, { isActive: false })).body).toMatchObject({
      isActive: false,
      bookedCount: 0,
      availableSpots: 2,
    })
    expect(await listClassesAs(ana)).toEqual([])
    expect(await listClassesAs(dora)).toMatchObject([{ id: hidden, isActive: false }])
    expect(await ana.book(gone)).toBeRefused(timetableRefusals.class_not_found)
    expect(await ana.book(hidden)).toBeRefused(bookingRefusals.class_inactive)
    await editClassAs(dora, hidden, { isActive: true })
    expect(await listClassesAs(ana)).toMatchObject([{ id: hidden, bookedCount: 0 }])
    expect((await ana.book(hidden)).status).toBe(201)
  })

  test('empties a class before reducing its places in the same edit', async () => {
    const { studio, dora, ana, boris } = await openStudio()
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1)
    const id = await studio.createClass('Tuesday 18:00')
    await ana.book(id)
    await boris.book(id)
    const { body } = await editClassAs(dora, id, { isActive: false, maxParticipants: 1 })
    expect(body).toMatchObject({ isActive: false, maxParticipants: 1, bookedCount: 0 })
  })

  test('can delete every class not yet started at the same weekday, start and end', async () => {
    const { studio, dora, ana } = await openStudio()
    const { series, alone } = await createSeriesAndNeighbours(studio, dora)
    for (const id of series) await ana.book(id)
    await ana.book(alone)
    studio.travelTo('2026-12-08 18:00')
    await remove(dora, series[2] ?? 0, { applyToRecurring: true })
    expect(describeClasses(await listClassesAs(dora))).toEqual([
      ...UNTOUCHED.slice(0, 3),
      'Series 2026-12-08 18:00-18:45',
      ...UNTOUCHED.slice(3),
    ])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await cancellationMails(studio, ana)).toHaveLength(3)
  })
})

describe('concurrent requests', () => {
  test('booking during a delete loses no credit and keeps no place', async () => {
    const { studio, dora, ana, boris } = await openStudio()
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 10)
    const classes = await Promise.all(
      Array.from({ length: 8 }, (_, day) => studio.createClass(`2026-12-${String(10 + day)} 18:00`)),
    )
    const responses = await Promise.all(classes.flatMap((id) => [ana.book(id), remove(dora, id), boris.book(id)]))
    for (const { status } of responses) expect([200, 201, 404]).toContain(status)
    expect(await upcomingOf(ana)).toEqual([])
    expect(await upcomingOf(boris)).toEqual([])
    expect([await studio.creditsOf(ana), await studio.creditsOf(boris)]).toEqual([10, 10])
    expect(await studio.count(`select count(*) from bookings where status = 'confirmed'`)).toBe(0)
    expect(await studio.count('select coalesce(sum(booked_count), 0) from classes')).toBe(0)
    expect(await cancellationMails(studio, ana)).toHaveLength((await historyOf(ana)).length)
  })

  test('cancelling during a delete returns one credit, not two', async () => {
    const { studio, dora, ana } = await openStudio()
    const classes = await Promise.all(
      Array.from({ length: 8 }, (_, day) => studio.createClass(`2026-12-${String(10 + day)} 18:00`)),
    )
    const booked: { id: number; classId: number }[] = []
    for (const id of classes) booked.push((await ana.book(id)).body)
    await Promise.all(booked.flatMap(({ id, classId }) => [ana.cancel(id), remove(dora, classId)]))
    expect(await studio.creditsOf(ana)).toBe(10)
    expect((await historyOf(ana)).every(({ paymentStatus }) => paymentStatus === 'refunded')).toBe(true)
  })

  test('booking while capacity is reduced never oversells', async () => {
    const { studio, dora, ana, boris } = await openStudio()
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 10)
    const classes = await Promise.all(
      Array.from({ length: 8 }, (_, day) => studio.createClass(`2026-12-${String(10 + day)} 18:00`)),
    )
    const responses = await Promise.all(
      classes.flatMap((id) => [ana.book(id), editClassAs(dora, id, { maxParticipants: 1 }), boris.book(id)]),
    )
    for (const { status } of responses) expect([200, 201, 400]).toContain(status)
    for (const one of await listClassesAs(dora)) {
      expect(one.bookedCount).toBeLessThanOrEqual(one.maxParticipants)
      expect(one.bookedCount).toBeGreaterThan(0)
    }
  })
})
