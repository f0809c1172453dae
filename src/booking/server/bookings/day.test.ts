import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  adminWithApp,
  advanceClock,
  codeOf,
  registerPasskey,
  SECOND_FACTOR_ENV,
  submitStepUp,
} from '#accounts/server/factors/factors-under-test.ts'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { healthRefusals, listHealthReads, saveQuestionnaire } from '#health/contract.ts'
import { listOwnHealthReads } from '#health/contract-own.ts'
import { rotateHealthKeys } from '#health/server/health.ts'
import { listAudit } from '#insights/contract.ts'
import { createVault } from '#platform/vault/vault.ts'
import { deleteUser, exportOwnData } from '#privacy/contract.ts'
import { withdrawHealthConsent } from '#privacy/contract-own.ts'
import { runRetention } from '#privacy/server/retention-under-test.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type Story } from '#testing/studio-under-test.ts'
import { listSessions } from '../../contract-classes.ts'
import * as contract from '../../contract-day.ts'
import { bookingRefusals } from '../../refusals.ts'

const CANARY = 'canary-0815'
const write = (who: Person, id: number, text: string, more: object = {}) =>
  who.call(contract.writeSessionNote, { params: { id }, body: { text, ...more } })
const firstOn = async (admin: Person, date: string) =>
  defined((await admin.read(listSessions, { query: { from: date, to: date } })).at(0)?.bookings.at(0))
const bookedAt = async ({ studio }: Story, who: Person, at: string): Promise<number> =>
  (await who.book(await studio.createClass(at))).body.id

describe('a session note', () => {
  test('is written, replaced and deleted; the next session shows it as the last time, to the studio only', async () => {
    const story = await openStudio()
    const { studio, ana, dora } = story
    const early = await bookedAt(story, ana, 'Monday 09:30')
    await bookedAt(story, ana, 'Wednesday 09:30')
    expect(await firstOn(dora, '2026-12-07')).toMatchObject({ note: null, lastTime: null, lastNote: null })
    expect(await write(dora, early, '  Two red springs ')).toMatchObject({
      status: 200,
      body: { message: 'Note saved' },
    })
    expect(await write(dora, early, CANARY)).toMatchObject({ status: 200 })
    expect(await firstOn(dora, '2026-12-07')).toMatchObject({
      note: { text: CANARY, author: 'Dora Cast', writtenAt: '2026-12-07T09:00:00Z' },
      lastNote: null,
    })
    studio.travelTo('Wednesday 08:45')
    expect(await firstOn(dora, '2026-12-09')).toMatchObject({
      note: null,
      lastTime: '2026-12-07',
      lastNote: { date: '2026-12-07', text: CANARY },
    })
    expect(await dora.read(contract.listSessionNotes, { params: { id: ana.id } })).toEqual([
      {
        bookingId: early,
        date: '2026-12-07',
        startTime: '09:30',
        text: CANARY,
        author: 'Dora Cast',
        writtenAt: '2026-12-07T09:00:00Z',
      },
    ])
    expect(JSON.stringify((await ana.request('GET', '/api/user/bookings')).body)).not.toContain(CANARY)
    expect(await write(dora, early, ' ')).toMatchObject({ status: 200, body: { message: 'Note deleted' } })
    expect(await write(dora, early, '')).toMatchObject({ status: 200 })
    expect(await firstOn(dora, '2026-12-09')).toMatchObject({ lastTime: '2026-12-07', lastNote: null })
    const audit = await dora.read(listAudit, { query: { subject: `booking:${early}` } })
    expect(audit.map(({ action }) => action).filter((action) => action.startsWith('session'))).toEqual([
      'session_note_deleted',
      'session_note_written',
      'session_note_written',
    ])
    expect(JSON.stringify(audit) + studio.logged.join()).not.toContain(CANARY)
  })

  test('counts only sessions that the member came to as the last time, and keeps an older note', async () => {
    const story = await openStudio()
    const { studio, ana, dora } = story
    const [came, missed] = [await bookedAt(story, ana, 'Monday 09:30'), await bookedAt(story, ana, 'Monday 11:00')]
    await bookedAt(story, ana, 'Tuesday 09:30')
    await ana.cancel(await bookedAt(story, ana, 'Monday 18:00'))
    await write(dora, came, 'Long spine')
    const still = { lastTime: '2026-12-07', lastStartsAt: '2026-12-07T11:00:00Z' }
    expect(await firstOn(dora, '2026-12-08')).toMatchObject(still)
    studio.travelTo('Tuesday 08:00')
    await dora.request('PUT', `/api/admin/bookings/${missed}/attendance`, { status: 'no_show' })
    expect(await firstOn(dora, '2026-12-08')).toMatchObject({
      lastTime: '2026-12-07',
      lastStartsAt: '2026-12-07T09:30:00Z',
      lastNote: { text: 'Long spine' },
    })
    await write(dora, missed, 'Did not come')
    expect(await firstOn(dora, '2026-12-08')).toMatchObject({ lastNote: { text: 'Did not come' } })
  })

  test('is refused without health consent, on a cancelled booking, to members, and if it was edited in the meantime', async () => {
    const story = await openStudio()
    const { studio, ana, boris, dora } = story
    const id = await bookedAt(story, ana, 'Monday 18:00')
    expect(await write(boris, id, 'x')).toBeRefused(commonRefusals.forbidden)
    expect(await write(ana, id, 'x')).toBeRefused(commonRefusals.forbidden)
    expect(await write(dora, 999, 'x')).toBeRefused(bookingRefusals.booking_not_found)
    expect(await write(dora, id, 'x'.repeat(2001))).toMatchObject({ status: 400, body: { errors: [{ path: 'text' }] } })
    await write(dora, id, 'First', { ifWrittenAt: null })
    expect(await write(dora, id, 'Second', { ifWrittenAt: null })).toBeRefused(commonRefusals.edit_conflict)
    advanceClock(studio, 1)
    expect((await write(dora, id, 'Second', { ifWrittenAt: '2026-12-07T09:00:00Z' })).status).toBe(200)
    expect(await write(dora, id, 'Third', { ifWrittenAt: '2026-12-07T09:00:00Z' })).toBeRefused(
      commonRefusals.edit_conflict,
    )
    await ana.call(withdrawHealthConsent)
    expect(await write(dora, id, 'x')).toBeRefused(healthRefusals.health_consent_missing)
    await ana.call(saveQuestionnaire, { body: {} })
    await ana.cancel(id)
    expect(await write(dora, id, 'x')).toBeRefused(bookingRefusals.booking_cancelled)
  })

  test('is corrected and deleted by an admin after the booking was cancelled; a new one is refused', async () => {
    const story = await openStudio()
    const { studio, ana, dora } = story
    const tom = await studio.teacher('Tom')
    const [id, bare] = [await bookedAt(story, ana, 'Monday 18:00'), await bookedAt(story, ana, 'Monday 19:00')]
    await write(dora, id, 'Anna')
    for (const each of [id, bare]) await ana.cancel(each)
    await studio.endUndo()
    const texts = async () =>
      (await dora.read(contract.listSessionNotes, { params: { id: ana.id } })).map(({ text }) => text)
    for (const text of ['Ana', '']) expect(await write(tom, id, text)).toBeRefused(bookingRefusals.booking_cancelled)
    expect(await write(dora, bare, 'New')).toBeRefused(bookingRefusals.booking_cancelled)
    expect((await write(dora, id, 'Ana')).status).toBe(200)
    expect(await texts()).toEqual(['Ana'])
    // The second is a double press.
    for (const text of ['', '']) expect((await write(dora, id, text)).status).toBe(200)
    expect(await texts()).toEqual([])
    expect(await write(dora, id, 'Ana')).toBeRefused(bookingRefusals.booking_cancelled)
  })

  test('is sealed, cannot be moved to another booking, and is encrypted again under a new key', async () => {
    const story = await openStudio()
    const { studio, ana, dora } = story
    const [one, two] = [await bookedAt(story, ana, 'Monday 18:00'), await bookedAt(story, ana, 'Tuesday 18:00')]
    await write(dora, one, CANARY)
    await write(dora, two, 'Another')
    const { pool } = studio.server.database
    const { rows } = await pool.query("select encode(sealed, 'escape') as sealed from session_notes")
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain(CANARY)

    const [old, newest] = [defined(studio.settings.healthDataKeys[0]), randomBytes(32)]
    const vault = createVault([newest, old])
    await rotateHealthKeys(studio.server.database.transaction, vault)
    expect(
      await studio.count('select count(*) from session_notes where substring(sealed from 2 for 8) = $1', [
        vault.newestKeyId,
      ]),
    ).toBe(2)
    expect((await firstOn(dora, '2026-12-07')).note).toMatchObject({ text: null })
    await rotateHealthKeys(studio.server.database.transaction, createVault([old, newest]))
    expect((await firstOn(dora, '2026-12-07')).note).toMatchObject({ text: CANARY })

    await pool.query(
      `update session_notes set sealed = (select sealed from session_notes where booking_id = $1),
        version = nextval('health_versions') where booking_id = $2`,
      [one, two],
    )
    expect((await firstOn(dora, '2026-12-08')).note).toMatchObject({ text: null })
    await expect(pool.query('update session_notes set version = 1')).rejects.toThrow('only grows')
    await expect(
      pool.query(`insert into session_notes values ($1, $2, '', 1, null, now())`, [one, ana.id]),
    ).rejects.toThrow('session_notes_pkey')
  })

  test('is in the member’s download, and erased with consent, account and retention', async () => {
    const story = await openStudio()
    const { studio, ana, dora } = story
    const notes = () => studio.count('select count(*) from session_notes')
    const id = await bookedAt(story, ana, 'Monday 09:30')
    await write(dora, id, CANARY)
    expect((await ana.read(exportOwnData)).health.sessionNotes).toEqual([
      { date: '2026-12-07', startTime: '09:30', text: CANARY, writtenAt: '2026-12-07T09:00:00Z' },
    ])
    await ana.call(withdrawHealthConsent)
    expect(await notes()).toBe(0)

    await studio.completeHealth(ana)
    await write(dora, id, 'Again')
    studio.travelTo('2027-06-06 12:00')
    await studio.server.database.pool.query("update passes set expires_at = '2027-01-01'")
    await runRetention(studio)
    expect(await notes()).toBe(1)
    studio.travelTo('2027-06-08 12:00')
    await runRetention(studio)
    expect(await notes()).toBe(0)

    const carl = await studio.member('Carl', { health: true, credits: 1 })
    await studio.logIn(dora)
    const his = await bookedAt(story, carl, '2027-06-08 18:00')
    await write(dora, his, 'Strong')
    await dora.call(deleteUser, { params: { id: carl.id } })
    expect(await notes()).toBe(0)
  })

  test('of a past day needs a new identity check, to read and to write', async () => {
    const story = await openStudio({ env: SECOND_FACTOR_ENV })
    const { studio, ana, dora } = story
    const { secret } = await adminWithApp(studio, dora)
    const id = await bookedAt(story, ana, 'Monday 09:30')
    await write(dora, id, CANARY)
    studio.travelTo('Tuesday 10:00')
    expect(await firstOn(dora, '2026-12-07')).toMatchObject({ note: null })
    expect(await write(dora, id, 'Later')).toBeRefused(commonRefusals.step_up_required)
    expect(await dora.call(contract.listSessionNotes, { params: { id: ana.id } })).toBeRefused(
      commonRefusals.step_up_required,
    )
    await submitStepUp(dora, { code: codeOf(studio, secret) })
    expect(await firstOn(dora, '2026-12-07')).toMatchObject({ note: { text: CANARY } })
    expect((await write(dora, id, 'Later')).status).toBe(200)
  })
})

describe('a teacher’s day', () => {
  let story: Story & { tom: Person; today: number; tomorrow: number }
  beforeEach(async () => {
    const opened = await openStudio()
    const { studio, ana } = opened
    const tom = await studio.teacher('Tom')
    const carl = await studio.member('Carl', { health: true, credits: 2 })
    await ana.call(saveQuestionnaire, { body: { hasBackProblems: true } })
    const { pool } = studio.server.database
    await pool.query("update users set phone = '01632 960120'")
    await studio.createClass('Wednesday 09:30')
    await studio.createClass({ at: 'Monday 20:00', isActive: false })
    story = {
      ...opened,
      tom,
      today: await bookedAt(opened, ana, 'Monday 18:00'),
      tomorrow: await bookedAt(opened, carl, 'Tuesday 18:00'),
    }
  })
  const attendance = (who: Person, id: number) =>
    who.call(contract.markDayAttendance, { params: { id }, body: { status: 'no_show' } })
  const health = (who: Person, id: number) => who.call(contract.getDayHealth, { params: { id } })

  test('shows no more of tomorrow’s people than names and whether they come', async () => {
    const [, session] = await story.tom.read(contract.listDay)
    const seen = Object.entries(session?.bookings[0] ?? {}).filter(([, value]) => value !== null)
    expect(seen.map(([field]) => field)).toEqual(['id', 'firstName', 'lastName', 'status'])
  })

  test('shows today’s people with flags and notes, tomorrow’s with names only, and no money', async () => {
    const { tom, dora, today, tomorrow } = story
    await write(dora, today, CANARY)
    const { body } = await tom.call(contract.listDay)
    expect(body).toMatchObject([
      {
        class: { date: '2026-12-07', startTime: '18:00' },
        bookings: [
          { id: today, firstName: 'Ana', phone: '01632 960120', notes: ['back_problems'], note: { text: CANARY } },
        ],
      },
      { class: { date: '2026-12-08' }, bookings: [{ id: tomorrow, firstName: 'Carl', phone: null, notes: null }] },
    ])
    expect(JSON.stringify(body)).not.toMatch(/price|amount|payment|email|userId/i)
    expect(await story.boris.call(contract.listDay)).toBeRefused(commonRefusals.forbidden)
    expect((await dora.call(contract.listDay)).status).toBe(200)
  })

  test('lets them mark attendance, write notes and look up the contact of today’s members; each reading is recorded', async () => {
    const { studio, ana, tom, dora, today } = story
    expect(await attendance(tom, today)).toBeRefused(bookingRefusals.class_not_started)
    studio.travelTo('Monday 18:00')
    expect((await attendance(tom, today)).body).toEqual({ id: today, status: 'no_show' })
    await write(tom, today, 'Shoulders')
    const { body } = await health(tom, today)
    expect(body).toMatchObject({
      notes: ['back_problems'],
      emergencyContact: { name: 'Sam' },
      sessionNotes: [{ text: 'Shoulders', author: 'Tom Cast' }],
    })
    await tom.call(contract.listDay)
    await tom.call(contract.listDay)
    const reads = (await dora.read(listHealthReads)).filter(({ admin }) => admin.id === tom.id)
    expect(reads.map(({ member, what }) => [member.id, what])).toEqual([
      [ana.id, 'session_notes'],
      [ana.id, 'session_notes'],
      [ana.id, 'emergency_contact'],
      [ana.id, 'session_notes'],
    ])
    expect((await ana.read(listOwnHealthReads)).map(({ reader, what }) => [reader, what])).toContainEqual([
      'Tom Cast',
      'emergency_contact',
    ])
    const audit = await dora.read(listAudit, { query: { subject: `booking:${today}` } })
    expect(audit.slice(0, 2).map(({ action, admin }) => [action, admin.id])).toEqual([
      ['session_note_written', tom.id],
      ['no_show', tom.id],
    ])
  })

  test('has only their own classes once they are linked to a name, and refuses the members of others', async () => {
    const { studio, tom, dora, today } = story
    const { pool } = studio.server.database
    const own = await bookedAt(story, story.ana, 'Monday 19:00')
    await pool.query("update classes set instructor_name = 'Tom Cast' where start_time = '19:00'")
    const seen = async (who: Person) =>
      (await who.read(contract.listDay)).flatMap(({ bookings }) => bookings.map(({ id }) => id))
    expect(await seen(tom)).toHaveLength(3)
    await pool.query("update users set teaches_as = 'Tom Cast' where id = $1", [tom.id])
    expect(await seen(tom)).toEqual([own])
    expect(await seen(dora)).toHaveLength(3)
    studio.travelTo('Monday 19:00')
    for (const response of [await attendance(tom, today), await write(tom, today, 'x'), await health(tom, today)])
      expect(response).toBeRefused(bookingRefusals.not_your_class)
    for (const response of [await attendance(tom, own), await write(tom, own, 'x'), await health(tom, own)])
      expect(response.status).toBe(200)
  })

  test('ends at midnight in London; members of other days are refused', async () => {
    const { studio, tom, dora, today, tomorrow } = story
    const refused = async (id: number) => {
      for (const response of [await attendance(tom, id), await write(tom, id, 'x'), await health(tom, id)])
        expect(response).toBeRefused(bookingRefusals.not_todays_class)
    }
    await refused(tomorrow)
    studio.travelTo('Monday 23:59')
    for (const response of [await attendance(tom, today), await write(tom, today, 'x'), await health(tom, today)])
      expect(response.status).toBe(200)
    studio.travelTo('Tuesday 00:00')
    await refused(today)
    expect((await health(tom, tomorrow)).status).toBe(200)
    expect((await health(dora, today)).status).toBe(200)
    const shown = (await tom.read(contract.listDay)).flatMap(({ bookings }) => bookings.map(({ id }) => id))
    expect(shown).toEqual([tomorrow])
    expect(await attendance(tom, 999)).toBeRefused(bookingRefusals.booking_not_found)
  })
})

test('a teacher needs a second step, and a new identity check for a contact', async () => {
  const story = await openStudio({ env: SECOND_FACTOR_ENV })
  const { studio, ana } = story
  const tom = await studio.teacher('Tom')
  const id = await bookedAt(story, ana, 'Monday 18:00')
  expect(await tom.call(contract.listDay)).toBeRefused(commonRefusals.second_factor_missing)
  await registerPasskey(tom)
  expect((await tom.call(contract.listDay)).status).toBe(200)
  const contact = () => tom.call(contract.getDayHealth, { params: { id } })
  expect((await contact()).status).toBe(200)
  advanceClock(studio, 30 * 60)
  expect(await contact()).toBeRefused(commonRefusals.step_up_required)
  expect((await tom.call(contract.listDay)).status).toBe(200)
})
