import { describe, expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import {
  adminWithApp,
  advanceClock,
  codeOf,
  SECOND_FACTOR_ENV,
  submitStepUp,
} from '#accounts/server/factors/factors-under-test.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { saveQuestionnaire } from '#health/contract.ts'
import { healthReads } from '#health/tables.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { cancelForMember, markAttendance } from '../../contract.ts'
import { listSessions } from '../../contract-classes.ts'
import { bookingRefusals } from '../../refusals.ts'

const mark = (admin: Person, id: number, status: string) =>
  admin.call(markAttendance, { params: { id }, body: { status } })
const cancelFor = (admin: Person, id: number, body: object = {}) =>
  admin.call(cancelForMember, { params: { id }, body })

describe('attendance', () => {
  test('can be marked from the second the class starts, and moves no credit', async () => {
    const { studio, ana, dora } = await openStudio()
    const { body: booking } = await ana.book(await studio.createClass('Tuesday 18:00'))
    studio.travelTo('2026-12-08 17:59:59')
    expect(await mark(dora, booking.id, 'no_show')).toBeRefused(bookingRefusals.class_not_started)
    studio.travelTo('2026-12-08 18:00:00')
    expect(await mark(dora, booking.id, 'no_show')).toMatchObject({
      status: 200,
      body: { status: 'no_show', paymentStatus: 'forfeited', user: { firstName: 'Ana' } },
    })
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await studio.count('select booked_count from classes')).toBe(1)
    await mark(dora, booking.id, 'no_show')
    const history = await dora.request('GET', `/api/admin/audit?subject=booking:${booking.id}`)
    expect(history.body).toMatchObject([
      { action: 'no_show', admin: { id: dora.id }, changes: { status: { before: 'confirmed', after: 'no_show' } } },
    ])
  })

  test('can be corrected both ways, even days after the job completed the booking', async () => {
    const { studio, ana, dora } = await openStudio()
    const { body: booking } = await ana.book(await studio.createClass('Tuesday 18:00'))
    studio.travelTo('Tuesday 19:00')
    await studio.runQueue('complete-classes')
    await studio.server.workers['complete-classes']({}, 'by hand')
    expect((await mark(dora, booking.id, 'no_show')).body).toMatchObject({ status: 'no_show' })
    await studio.server.workers['complete-classes']({}, 'by hand')
    studio.travelTo('Friday 12:00')
    expect((await mark(dora, booking.id, 'completed')).body).toMatchObject({
      status: 'completed',
      paymentStatus: 'paid',
    })
    expect(await studio.creditsOf(ana)).toBe(9)
  })

  test('is refused for a cancelled or unknown booking, and for members', async () => {
    const { studio, ana, dora } = await openStudio()
    const { body: booking } = await ana.book(await studio.createClass('Tuesday 18:00'))
    await ana.cancel(booking.id)
    studio.travelTo('Tuesday 18:00')
    expect(await mark(dora, booking.id, 'completed')).toBeRefused(bookingRefusals.booking_cancelled)
    expect(await mark(dora, 999, 'completed')).toBeRefused(bookingRefusals.booking_not_found)
    expect(await mark(ana, booking.id, 'completed')).toBeRefused(commonRefusals.forbidden)
    expect((await mark(dora, booking.id, 'cancelled')).status).toBe(400)
  })
})

describe('an admin cancelling for a member', () => {
  test('follows the rules: early returns the credit, late forfeits it; the member is emailed', async () => {
    const { studio, ana, dora } = await openStudio()
    const early = (await ana.book(await studio.createClass('Tuesday 18:00'))).body
    const late = (await ana.book(await studio.createClass('Monday 11:00'))).body
    expect((await cancelFor(dora, early.id)).body).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
    expect((await cancelFor(dora, late.id)).body).toMatchObject({ status: 'cancelled', paymentStatus: 'forfeited' })
    expect(await studio.creditsOf(ana)).toBe(9)
    const history = await dora.request('GET', `/api/admin/audit?subject=booking:${late.id}`)
    expect(history.body).toMatchObject([
      { action: 'booking_cancelled_for', changes: { paymentStatus: { before: 'paid', after: 'forfeited' } } },
    ])
    const mails = (await studio.mailTo(ana)).filter(({ subject }) => /cancelled/i.test(subject))
    expect(mails).toHaveLength(2)
  })

  test('can override the rules both ways', async () => {
    const { studio, ana, dora } = await openStudio()
    const early = (await ana.book(await studio.createClass('Tuesday 18:00'))).body
    const late = (await ana.book(await studio.createClass('Monday 11:00'))).body
    expect((await cancelFor(dora, late.id, { returnCredit: true })).body.paymentStatus).toBe('refunded')
    expect((await cancelFor(dora, early.id, { returnCredit: false })).body.paymentStatus).toBe('forfeited')
    expect(await studio.creditsOf(ana)).toBe(9)
    const { ledger } = (await dora.request('GET', `/api/admin/users/${ana.id}`)).body
    expect(ledger.slice(0, 2)).toMatchObject([
      { kind: 'forfeit', reason: 'The studio decided that the credit is not returned' },
      { kind: 'return', reason: 'Returned by the studio, although it was late' },
    ])
    // The email gives no reason when the admin overrides the rules.
    const texts = (await studio.mailTo(ana))
      .map(({ text }) => text)
      .filter((text) => text.includes('Your booking is cancelled'))
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text).not.toMatch(/120 minutes|had moved/)
    expect(texts.join()).toMatch(/credit is back/)
    expect(texts.join()).toMatch(/credit has been used/)
  })

  test('records an override that matches the rules as the rules', async () => {
    const { studio, ana, dora } = await openStudio()
    const early = (await ana.book(await studio.createClass('Tuesday 18:00'))).body
    const late = (await ana.book(await studio.createClass('Monday 11:00'))).body
    await cancelFor(dora, early.id, { returnCredit: true })
    await cancelFor(dora, late.id, { returnCredit: false })
    const { ledger } = (await dora.request('GET', `/api/admin/users/${ana.id}`)).body
    expect(ledger.slice(0, 2)).toMatchObject([
      { kind: 'forfeit', reason: null },
      { kind: 'return', reason: null },
    ])
  })

  test('is refused after the start, a second time, and for members', async () => {
    const { studio, ana, boris, dora } = await openStudio()
    const { body: booking } = await ana.book(await studio.createClass('Monday 11:00'))
    expect(await cancelFor(boris, booking.id)).toBeRefused(commonRefusals.forbidden)
    studio.travelTo('Monday 11:00')
    expect(await cancelFor(dora, booking.id)).toBeRefused(bookingRefusals.too_late_to_cancel)
    studio.travelTo('Monday 10:59')
    await cancelFor(dora, booking.id)
    expect(await cancelFor(dora, booking.id)).toBeRefused(bookingRefusals.booking_not_confirmed)
    expect(await cancelFor(dora, 999)).toBeRefused(bookingRefusals.booking_not_found)
  })
})

describe('the session list', () => {
  const sessions = (admin: Person, from: string, to: string) => admin.read(listSessions, { query: { from, to } })

  test('shows participants and instructor notes but no free text, and records each reading', async () => {
    const { studio, ana, boris, dora } = await openStudio()
    const [today, tomorrow] = [await studio.createClass('Monday 18:00'), await studio.createClass('Tuesday 09:30')]
    await studio.createClass('Wednesday 09:30')
    const carl = await studio.member('Carl', { health: true, credits: 1 })
    await ana.call(saveQuestionnaire, {
      body: {
        hasHeartCondition: true,
        hasJointProblems: true,
        hasDiabetes: true,
        previousInjuries: 'Secret knee',
        allergies: 'Secret latex',
        pregnancyStatus: 'postnatal',
      },
    })
    await dora.call(editUser, { params: { id: ana.id }, body: { phone: '01632 960120' } })
    await ana.book(today)
    await carl.book(tomorrow)
    await ana.cancel((await ana.book(tomorrow)).body.id)
    await studio.endUndo()
    const found = await dora.call(listSessions, { query: { from: '2026-12-07', to: '2026-12-08' } })
    expect(JSON.stringify(found.body)).not.toContain('Secret')
    expect(found.body).toMatchObject([
      {
        class: { id: today, startTime: '18:00', bookedCount: 1 },
        bookings: [
          {
            firstName: 'Ana',
            phone: '01632 960120',
            status: 'confirmed',
            notes: ['heart_condition', 'joint_problems', 'injuries', 'postnatal'],
          },
        ],
      },
      { class: { id: tomorrow }, bookings: [{ firstName: 'Carl', notes: [] }] },
    ])
    await sessions(dora, '2026-12-07', '2026-12-08')
    const reads = await studio.db.select().from(healthReads)
    expect(reads.map(({ adminId, memberId, what }) => [adminId, memberId, what]).sort()).toEqual(
      [
        [dora.id, ana.id, 'session_notes'],
        [dora.id, carl.id, 'session_notes'],
      ].sort(),
    )
    expect(await boris.call(listSessions, { query: { from: '2026-12-07', to: '2026-12-07' } })).toBeRefused(
      commonRefusals.forbidden,
    )
  })

  test('includes inactive but not deleted classes, and distinguishes unknown notes from none', async () => {
    const { studio, ana, dora } = await openStudio()
    const [off, gone, on] = [
      await studio.createClass('Monday 16:00'),
      await studio.createClass('Monday 17:00'),
      await studio.createClass('Monday 18:00'),
    ]
    await dora.request('PUT', `/api/classes/${off}`, { isActive: false })
    await dora.request('DELETE', `/api/classes/${gone}`)
    await ana.book(on)
    await studio.server.database.pool.query('delete from health_questionnaires')
    const found = await sessions(dora, '2026-12-07', '2026-12-07')
    expect(found.map((session) => [session.class.id, session.class.isActive])).toEqual([
      [off, false],
      [on, true],
    ])
    expect(found[1]?.bookings).toMatchObject([{ firstName: 'Ana', notes: null }])
    expect(await studio.count('select count(*) from health_reads')).toBe(0)
  })

  test('hides health notes of other days until the admin confirms their identity', async () => {
    const { studio, ana, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
    const { secret } = await adminWithApp(studio, dora)
    const days = { from: '2026-12-07', to: '2026-12-09' }
    for (const day of ['Monday', 'Tuesday', 'Wednesday']) await ana.book(await studio.createClass(`${day} 18:00`))
    await ana.call(saveQuestionnaire, { body: { hasHeartCondition: true } })
    const seen = async () =>
      (await sessions(dora, days.from, days.to)).map(({ areNotesHidden, bookings }) => [
        areNotesHidden,
        bookings.map(({ firstName, notes }) => [firstName, notes]),
      ])
    const shown = [false, [['Ana', ['heart_condition']]]]
    const hidden = [true, [['Ana', null]]]
    await submitStepUp(dora, { code: codeOf(studio, secret) })
    advanceClock(studio, 30 * 60 - 1)
    expect(await seen()).toEqual([shown, shown, shown])
    advanceClock(studio, 1)
    expect(await seen()).toEqual([shown, shown, hidden])
    studio.travelTo('Tuesday 23:59')
    expect(await seen()).toEqual([hidden, shown, shown])
    studio.travelTo('Wednesday 00:00')
    expect(await seen()).toEqual([hidden, hidden, shown])

    const list = (from: string) => dora.call(listSessions, { query: { from, to: from, withNotes: 'true' } })
    const countReads = () => studio.count("select count(*) from health_reads where what = 'session_notes'")
    const before = await countReads()
    expect(await list('2026-12-07')).toBeRefused(commonRefusals.step_up_required)
    await sessions(dora, '2026-12-07', '2026-12-07')
    expect(await countReads()).toBe(before)
    await submitStepUp(dora, { code: codeOf(studio, secret) })
    expect((await list('2026-12-07')).body).toMatchObject([{ areNotesHidden: false }])
    expect(await countReads()).toBe(before + 1)
  })

  test('covers at most seven days', async () => {
    const { dora } = await openStudio()
    const list = async (from: string, to: string) => (await dora.call(listSessions, { query: { from, to } })).status
    expect(await list('2026-12-07', '2026-12-13')).toBe(200)
    expect(await list('2026-12-07', '2026-12-14')).toBe(400)
    expect(await list('2026-12-07', '2026-13-14')).toBe(400)
  })
})
