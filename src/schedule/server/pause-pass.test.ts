import { describe, expect, test } from 'vitest'
import { joinWaitingList, listWaiting } from '#booking/contract-waiting.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { deletePass, extendPass, listCredits, listPasses, passRefusals, resumePass } from '#passes/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { pausePass, previewPause } from '../contract-pauses.ts'

const passOf = async (person: Person) => {
  const [pass] = await person.read(listPasses)
  if (!pass) throw new Error('no pass')
  return pass
}
const pause = (admin: Person, id: number, from: string, to: string, more: object = {}) =>
  admin.call(pausePass, { params: { id }, body: { from, to, reason: ' Away for work ', ...more } })
const preview = (admin: Person, id: number, from: string, to: string) =>
  admin.call(previewPause, { params: { id }, query: { from, to } })
const resume = (admin: Person, id: number) => admin.call(resumePass, { params: { id } })
const extend = (admin: Person, id: number, expiresAt: string) =>
  admin.call(extendPass, { params: { id }, body: { expiresAt, reason: 'For your patience' } })
const mailsAbout = async (studio: StudioUnderTest, person: Person, words: string) =>
  (await studio.mailTo(person)).filter(({ subject }) => subject.includes(words))
const historyOf = async (admin: Person, person: Person) =>
  (await admin.request('GET', `/api/admin/audit?subject=user:${person.id}`)).body

describe('a pause', () => {
  test('adds its days, cancels the bookings the pass paid for, and shows them first', async () => {
    const { studio, ana, dora } = await openStudio()
    const { id } = await passOf(ana)
    const [before, first, last, after] = await Promise.all(
      ['Monday 12:00', 'Tuesday 07:00', 'Thursday 20:00', 'Friday 09:00'].map((at) => studio.createClass(at)),
    )
    for (const classId of [before, first, last, after]) await ana.book(classId ?? 0)
    studio.travelTo('Tuesday 06:30')
    const shown = await preview(dora, id, '2026-12-08', '2026-12-10')
    expect(shown.body).toMatchObject({
      expiresAt: '2027-12-10T23:59:59Z',
      bookings: [
        { class: { date: '2026-12-08' }, user: { firstName: 'Ana', isByPhone: false } },
        { class: { date: '2026-12-10' } },
      ],
    })
    const bookingIds = shown.body.bookings.map((row: { id: number }) => row.id)
    const wrong = await pause(dora, id, '2026-12-08', '2026-12-10', { bookingIds: bookingIds.slice(1) })
    expect(wrong).toBeRefused(commonRefusals.edit_conflict)
    expect(await studio.creditsOf(ana)).toBe(6)

    const paused = await pause(dora, id, '2026-12-08', '2026-12-10', { bookingIds })
    expect(paused).toMatchObject({
      status: 201,
      body: { id, expiresAt: '2027-12-10T23:59:59Z', paused: [{ from: '2026-12-08', to: '2026-12-10' }] },
    })
    // The first was less than two hours away; its credit came back too.
    expect(await studio.creditsOf(ana)).toBe(8)
    expect((await ana.read(listCredits, { query: { limit: 3 } })).map(({ kind, credits }) => [kind, credits])).toEqual([
      ['pause', 0],
      ['return', 1],
      ['return', 1],
    ])
    expect((await ana.read(listCredits))[0]?.reason).toBe('08/12/2026 to 10/12/2026: Away for work')
    expect((await historyOf(dora, ana))[0]).toMatchObject({
      action: 'pass_paused',
      changes: {
        days: { after: '08/12/2026 to 10/12/2026' },
        expiry: { before: '2027-12-07', after: '2027-12-10' },
        bookingsCancelled: { after: 2 },
      },
    })
    expect(await mailsAbout(studio, ana, 'is cancelled')).toHaveLength(2)
    const [mail, ...more] = await mailsAbout(studio, ana, 'is paused')
    expect(more).toEqual([])
    expect(mail?.text).toContain('Away for work')

    const midweek = await studio.createClass('Wednesday 09:00')
    expect(await ana.book(midweek)).toBeRefused(bookingRefusals.pass_paused)
    const other = await studio.grantCredits(ana, 1)
    expect((await ana.book(midweek)).status).toBe(201)
    expect((await ana.read(listPasses)).find((pass) => pass.id === other)?.creditsRemaining).toBe(0)
  })

  test('leaves its place to the waiting list, and skips a member whose pass is paused', async () => {
    const { studio, ana, boris, dora } = await openStudio()
    const classId = await studio.createClass({ at: 'Thursday 12:00', places: 1 })
    await ana.book(classId)
    const carl = await studio.member('Carl', { health: true, credits: 1 })
    for (const person of [boris, carl]) await person.call(joinWaitingList, { params: { id: classId } })
    const held = await studio.grantCredits(boris, 1)
    expect((await pause(dora, held, '2026-12-10', '2026-12-10')).status).toBe(201)
    expect(await boris.read(listWaiting)).toMatchObject([{ wouldBeSkipped: 'pass_paused' }])
    expect((await pause(dora, (await passOf(ana)).id, '2026-12-09', '2026-12-10')).status).toBe(201)
    expect(await mailsAbout(studio, carl, 'A place for you')).toHaveLength(1)
    expect((await mailsAbout(studio, boris, 'could not give you a place'))[0]?.text).toContain('paused')
  })

  test('counts days that it shares with another pause or a dispute once', async () => {
    const { studio, ana, dora } = await openStudio()
    const { id } = await passOf(ana)
    await pause(dora, id, '2026-12-08', '2026-12-10')
    expect((await pause(dora, id, '2026-12-10', '2026-12-12')).body).toMatchObject({
      expiresAt: '2027-12-12T23:59:59Z',
      paused: [{ from: '2026-12-08', to: '2026-12-12' }],
    })
    expect(await pause(dora, id, '2026-12-09', '2026-12-11')).toBeRefused(passRefusals.already_paused)
    const { pool } = studio.server.database
    await pool.query(`update passes set frozen_days = '{[2026-12-13,2026-12-14]}' where id = $1`, [id])
    expect((await pause(dora, id, '2026-12-13', '2026-12-15')).body.expiresAt).toBe('2027-12-13T23:59:59Z')
  })

  test('ends early and takes the days back that were not used', async () => {
    const { studio, ana, dora } = await openStudio()
    const { id } = await passOf(ana)
    await pause(dora, id, '2026-12-07', '2026-12-16')
    await pause(dora, id, '2026-12-20', '2026-12-21')
    studio.travelTo('Wednesday 12:00')
    const today = await studio.createClass('Wednesday 18:00')
    expect(await ana.book(today)).toBeRefused(bookingRefusals.pass_paused)
    expect((await resume(dora, id)).body).toMatchObject({
      expiresAt: '2027-12-09T23:59:59Z',
      paused: [{ from: '2026-12-07', to: '2026-12-08' }],
    })
    expect((await ana.book(today)).status).toBe(201)
    expect((await historyOf(dora, ana))[0]).toMatchObject({ action: 'pass_resumed' })
    expect(await mailsAbout(studio, ana, 'can be used again')).toHaveLength(1)
    expect(await resume(dora, id)).toBeRefused(passRefusals.not_paused)
  })

  test.each([
    ['a pass that does not exist', 2_000_000, '2026-12-08', '2026-12-09', passRefusals.pass_not_found],
    ['days before the pass', undefined, '2026-12-06', '2026-12-09', passRefusals.pause_before_pass],
    ['days after it', undefined, '2027-12-08', '2027-12-09', passRefusals.pause_after_expiry],
  ])('is refused for %s', async (_, other, from, to, refusal) => {
    const { ana, dora } = await openStudio()
    const id = other ?? (await passOf(ana)).id
    expect(await pause(dora, id, from, to)).toBeRefused(refusal)
    expect(await preview(dora, id, from, to)).toBeRefused(refusal)
  })

  test('is refused for an expired and a voided pass, and without a reason or with mixed-up days', async () => {
    const { studio, ana, dora } = await openStudio()
    const { id } = await passOf(ana)
    expect((await pause(dora, id, '2026-12-08', '2026-12-09', { reason: ' ' })).status).toBe(400)
    expect((await pause(dora, id, '2026-12-09', '2026-12-08')).body.errors[0].message).toMatch(/last day/)
    studio.travelTo('2027-12-08 10:00')
    await studio.logIn(dora, ana)
    expect(await pause(dora, id, '2027-12-01', '2027-12-02')).toBeRefused(passRefusals.pass_expired)
    const voided = await studio.grantCredits(ana, 2)
    expect((await pause(dora, voided, '2027-12-08', '2027-12-20')).status).toBe(201)
    await dora.call(deletePass, { params: { id: voided } })
    expect((await ana.read(listPasses)).map(({ isEnded }) => isEnded)).toEqual([false, true])
    expect(await pause(dora, voided, '2027-12-08', '2027-12-09')).toBeRefused(passRefusals.pass_ended)
    expect(await extend(dora, voided, '2029-01-01')).toBeRefused(passRefusals.pass_ended)
    expect(await dora.call(resumePass, { params: { id: voided } })).toBeRefused(passRefusals.pass_ended)
  })

  test('is enforced by the database: a paused pass pays for no class', async () => {
    const { studio, ana, dora } = await openStudio()
    const { id } = await passOf(ana)
    await pause(dora, id, '2026-12-08', '2026-12-08')
    const classId = await studio.createClass('Tuesday 09:00')
    const insert = `insert into bookings (user_id, payer_id, class_id, pass_id, origin, status, payment_status, total_amount_pence, booked_at)
      values ($1, $1, $2, $3, 'member', 'confirmed', 'paid', 5000, now())`
    await expect(studio.server.database.pool.query(insert, [ana.id, classId, id])).rejects.toThrow(/is paused/)
    const endless = `update passes set paused = '{[2026-12-08,)}' where id = ${id}`
    await expect(studio.server.database.pool.query(endless)).rejects.toThrow(/a_pause_has_a_first_and_a_last_day/)
  })

  test('and concurrent bookings leave no booking on a paused day', async () => {
    const { studio, ana, dora } = await openStudio()
    const { id } = await passOf(ana)
    const classes = await Promise.all(
      ['09:00', '11:00', '13:00', '15:00'].map((time) => studio.createClass(`Tuesday ${time}`)),
    )
    const [paused] = await Promise.all([
      pause(dora, id, '2026-12-08', '2026-12-08'),
      ...classes.map((classId) => ana.book(classId)),
    ])
    expect(paused.status).toBe(201)
    expect(await studio.creditsOf(ana)).toBe(10)
    const { rows } = await studio.server.database.pool.query(`select from bookings where status = 'confirmed'`)
    expect(rows).toHaveLength(0)
  })
})

describe('an extension', () => {
  test('moves the expiry to the end of a later day, with ledger, audit and email', async () => {
    const { studio, ana, dora } = await openStudio()
    const { id } = await passOf(ana)
    expect((await extend(dora, id, '2027-12-08')).body).toMatchObject({ expiresAt: '2027-12-08T23:59:59Z' })
    expect((await extend(dora, id, '2028-07-01T10:00:00Z')).body).toMatchObject({ expiresAt: '2028-07-01T22:59:59Z' })
    expect((await ana.read(listCredits))[0]).toMatchObject({
      kind: 'extension',
      credits: 0,
      reason: 'For your patience',
    })
    expect((await historyOf(dora, ana))[0]).toMatchObject({
      action: 'pass_extended',
      changes: { expiry: { before: '2027-12-08', after: '2028-07-01' } },
    })
    expect(await mailsAbout(studio, ana, 'is valid until')).toHaveLength(2)
    for (const day of ['2028-07-01', '2028-06-30']) {
      expect(await extend(dora, id, day)).toBeRefused(passRefusals.expiry_not_later)
    }
    expect((await extend(dora, id, 'soon')).status).toBe(400)
  })

  test('brings back the credits that an expired pass has lost, written off or not', async () => {
    const { studio, dora } = await openStudio()
    const carl = await studio.member('Carl', { health: true })
    const passes = [await studio.grantCredits(carl, 3, 1), await studio.grantCredits(carl, 2, 1)]
    studio.travelTo('2027-01-09 10:00')
    await studio.logIn(dora, carl)
    expect(await extend(dora, passes[0] ?? 0, '2027-01-08')).toBeRefused(passRefusals.expiry_not_later)
    await extend(dora, passes[1] ?? 0, '2027-02-01')
    await studio.server.workers['expire-passes']({}, 'by hand')
    expect(await studio.creditsOf(carl)).toBe(2)
    await extend(dora, passes[0] ?? 0, '2027-02-01')
    expect(await studio.creditsOf(carl)).toBe(5)
    // A second extension brings back nothing more.
    await extend(dora, passes[0] ?? 0, '2027-02-02')
    expect(await studio.creditsOf(carl)).toBe(5)
  })
})
