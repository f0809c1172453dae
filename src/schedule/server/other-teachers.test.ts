import { describe, expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { listAttention } from '#attention/contract.ts'
import { cancelBooking, listUpcomingBookings } from '#booking/contract.ts'
import { isOutdated, stillTrue } from '#booking/server/booking.ts'
import { editStudio, factsRefusals } from '#facts/contract.ts'
import { picturesInUse } from '#facts/server/facts.ts'
import { listAudit } from '#insights/contract.ts'
import type { MailJob } from '#messages/mail.ts'
import type { Alert } from '#messages/rules-alerts.ts'
import { noticeOf } from '#messages/rules-alerts.ts'
import { pictures } from '#pictures/tables.ts'
import { subscribe } from '#push/contract.ts'
import { initialFacts } from '#studio.ts'
import type { Person } from '#testing/person.ts'
import { readCalendar } from '#testing/read-calendar.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { createClass, listClasses, timetableRefusals } from '#timetable/contract.ts'
import { planTerm } from '#timetable/contract-term.ts'
import { editClass } from '../contract.ts'
import { copyWeek, giveClassesInBulk } from '../contract-bulk.ts'
import { previewEmails } from '../contract-emails.ts'

const LEAD = initialFacts.instructor.name
const give = (admin: Person, classIds: number[], instructorName = 'Jo Hart') =>
  admin.call(giveClassesInBulk, { body: { classIds, instructorName } })
const edit = (admin: Person, id: number, body: object) => admin.call(editClass, { params: { id }, body })
const cancel = (member: Person, id: number) => member.call(cancelBooking, { params: { id } })
const teacherMails = async (studio: StudioUnderTest, person: Person) =>
  (await studio.mailTo(person)).filter(({ subject }) => / teaches /.test(subject))
const teachersOf = async (admin: Person) => (await admin.read(listClasses)).map(({ instructorName }) => instructorName)

/** Ana has booked Tuesday 09:30 and Friday 18:00, Boris only Friday. */
async function openBookedWeek() {
  const story = await openStudio({ now: 'Monday 09:00' })
  const { studio, ana, boris } = story
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 2)
  const tuesday = await studio.createClass({ at: 'Tuesday 09:30', title: 'Gentle' })
  const friday = await studio.createClass({ at: 'Friday 18:00', title: 'Reformer' })
  const onTuesday: number = (await ana.book(tuesday)).body.id
  const onFriday: number = (await ana.book(friday)).body.id
  await boris.book(friday)
  await studio.mailbox()
  return { ...story, tuesday, friday, onTuesday, onFriday }
}

describe('classes given to another teacher', () => {
  test('email each member once, with whom instead of whom, and with newer calendar entries', async () => {
    const { studio, ana, boris, dora, tuesday, friday } = await openBookedWeek()
    expect((await give(dora, [tuesday, friday])).body).toEqual({ classes: 2, peopleNotified: 2 })
    const [mail, ...more] = await teacherMails(studio, ana)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Jo Hart teaches 2 of your classes')
    expect(mail?.text).toContain('Gentle with Jo Hart')
    expect(mail?.text).toContain(LEAD)
    expect(mail?.text).toContain('until the class starts, the credit comes back')
    const files = mail?.attachments.flatMap(({ content }) => readCalendar(content).events) ?? []
    expect(files.map(({ sequence }) => sequence)).toEqual([1, 1])
    expect((await teacherMails(studio, boris)).map(({ subject }) => subject)).toEqual([
      'Jo Hart teaches your class on Friday 11 December at 18:00',
    ])
    expect((await give(dora, [tuesday, friday])).body).toEqual({ classes: 0, peopleNotified: 0 })
    const [line] = await dora.read(listAudit, { query: { subject: `class:${friday}` } })
    expect(line?.changes).toEqual({
      instructorName: { before: LEAD, after: 'Jo Hart' },
      peopleNotified: { after: 2 },
    })
  })

  test('keep who was to teach on record', async () => {
    const { studio, dora, tuesday } = await openBookedWeek()
    const planned = async () =>
      (await studio.server.database.pool.query('select planned_instructor_name as name from classes order by id')).rows
    await give(dora, [tuesday])
    await give(dora, [tuesday], 'Cat Lowe')
    expect(await planned()).toEqual([{ name: LEAD }, { name: null }])
    await give(dora, [tuesday], LEAD)
    expect(await planned()).toEqual([{ name: null }, { name: null }])
  })

  test('return the credit until the start, and once given back the 120 minutes hold again', async () => {
    const { studio, ana, boris, dora, friday, onFriday } = await openBookedWeek()
    const credits = await studio.creditsOf(ana)
    await give(dora, [friday])
    expect((await ana.read(listUpcomingBookings)).find(({ id }) => id === onFriday)).toMatchObject({
      bookedWith: LEAD,
      class: { instructorName: 'Jo Hart' },
    })
    studio.travelTo('Friday 17:59')
    expect((await cancel(ana, onFriday)).status).toBe(200)
    expect(await studio.creditsOf(ana)).toBe(credits + 1)
    expect((await studio.mailTo(ana)).at(-1)?.text).toContain('We had given this class to another teacher')
    await give(dora, [friday], LEAD)
    const [his] = await boris.read(listUpcomingBookings)
    expect(his).toMatchObject({ bookedWith: null })
    const before = await studio.creditsOf(boris)
    expect((await cancel(boris, his?.id ?? 0)).status).toBe(200)
    expect(await studio.creditsOf(boris)).toBe(before)
  })

  test('of a member who booked with the other teacher count as changed when they are given back', async () => {
    const { studio, dora } = await openBookedWeek()
    const carl = await studio.member('Carl', { health: true, credits: 1 })
    const thursday = await studio.createClass('Thursday 10:00')
    await give(dora, [thursday])
    await carl.book(thursday)
    await studio.mailbox()
    await give(dora, [thursday], LEAD)
    expect(await carl.read(listUpcomingBookings)).toMatchObject([{ bookedWith: 'Jo Hart' }])
    const [mail] = await teacherMails(studio, carl)
    expect(mail?.text).toMatch(/Instead of\s+Jo Hart/)
    expect(mail?.text).toContain('until the class starts, the credit comes back')
  })

  test('that have started, and those of a deleted or unknown class, are not given', async () => {
    const { studio, dora, tuesday, friday } = await openBookedWeek()
    studio.travelTo('Tuesday 09:30')
    expect((await give(dora, [tuesday, friday])).body).toEqual({ classes: 1, peopleNotified: 2 })
    expect(await teachersOf(dora)).toEqual([LEAD, 'Jo Hart'])
    expect(await give(dora, [friday, 999])).toBeRefused(timetableRefusals.class_not_found)
  })
})

test('a week is handed over and back: members are emailed both times, and calendar sequences only go up', async () => {
  const { studio, ana, dora, tuesday, friday } = await openBookedWeek()
  const sequences = async () => {
    const { rows } = await studio.server.database.pool.query('select calendar_sequence as n from bookings order by id')
    return rows.map(({ n }) => n)
  }
  expect(await sequences()).toEqual([0, 0, 0])
  await give(dora, [tuesday, friday])
  await studio.mailbox()
  expect(await sequences()).toEqual([1, 1, 1])
  expect((await give(dora, [tuesday, friday], LEAD)).body).toEqual({ classes: 2, peopleNotified: 2 })
  expect(await sequences()).toEqual([2, 2, 2])
  const mails = await teacherMails(studio, ana)
  expect(mails.map(({ subject }) => subject).sort()).toEqual(
    [`Jo Hart teaches 2 of your classes`, `${LEAD} teaches 2 of your classes`].sort(),
  )
  const back = mails.find(({ subject }) => subject.startsWith(LEAD))
  expect(back?.text).toContain(`with ${LEAD} again`)
  expect(back?.text).toContain('more than 120 minutes before the class')
  expect(back?.text).not.toContain('until the class starts')
})

test('a booking that is announced in the morning is announced with the new teacher, and not before', async () => {
  const { studio, boris, dora, friday } = await openBookedWeek()
  await studio.server.database.pool.query('update bookings set announced_at = null where user_id = $1', [boris.id])
  expect((await give(dora, [friday])).body).toEqual({ classes: 1, peopleNotified: 1 })
  expect(await teacherMails(studio, boris)).toEqual([])
})

describe('an email that waits', () => {
  test('leaves out a class that someone else has been given since, and is not sent if none is left', async () => {
    const { studio, ana, dora, tuesday, friday } = await openBookedWeek()
    await give(dora, [tuesday, friday])
    await give(dora, [friday], 'Cat Lowe')
    const texts = (await teacherMails(studio, ana)).map(({ subject }) => subject).sort()
    expect(texts).toEqual([
      'Cat Lowe teaches your class on Friday 11 December at 18:00',
      'Jo Hart teaches your class on Tuesday 8 December at 09:30',
    ])
  })

  test('is replaced by a later one about the same class', async () => {
    const { studio, boris, dora, friday } = await openBookedWeek()
    await give(dora, [friday])
    await give(dora, [friday], 'Cat Lowe')
    const mails = await teacherMails(studio, boris)
    expect(mails.map(({ subject }) => subject)).toEqual(['Cat Lowe teaches your class on Friday 11 December at 18:00'])
    // Boris has never heard of Jo.
    expect(mails[0]?.text).not.toContain('Jo Hart')
  })

  test('says so if it confirms a booking with the former teacher', async () => {
    const { studio, boris, dora } = await openBookedWeek()
    const thursday = await studio.createClass('Thursday 10:00')
    await boris.book(thursday)
    await give(dora, [thursday])
    const confirmation = (await studio.mailTo(boris)).find(({ subject }) =>
      /Thursday 10 December.* is booked/.test(subject),
    )
    expect(confirmation?.text).toContain('Something has changed since we wrote this email')
  })
})

describe('a notification', () => {
  const queued = async (studio: StudioUnderTest) => {
    const { rows } = await studio.server.database.pool.query<{ data: { alert: Alert } }>(
      `select data from pgboss.job where name = 'push' order by created_on`,
    )
    return rows.map(({ data }) => data.alert)
  }

  test('comes within 48 hours only, names nobody, is outdated once given back, and there is no text', async () => {
    const { studio, ana, dora, tuesday, friday } = await openBookedWeek()
    const endpoint = 'https://phone.push.example/ana'
    const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') }
    await ana.call(subscribe, { body: { endpoint, keys } })
    await studio.server.database.pool.query("update users set phone = '07700 900123'")
    await give(dora, [tuesday, friday])
    const [alert, ...others] = await queued(studio)
    expect(others).toEqual([])
    if (!alert) throw new Error('no notification')
    expect(noticeOf(alert, 'Aldergate Pilates')).toEqual({
      title: 'Another teacher',
      body: 'Your class on Tuesday at 09:30 has another teacher.',
      path: '/dashboard',
    })
    expect(await isOutdated(studio.db, alert)).toBe(false)
    expect(await studio.count('select count(*) from texts')).toBe(0)
    await give(dora, [tuesday], LEAD)
    expect(await isOutdated(studio.db, alert)).toBe(true)
  })
})

test('a member without an email address is called, as long as it is true', async () => {
  const { studio, ana, dora, friday } = await openBookedWeek()
  const { pool } = studio.server.database
  await pool.query(
    "update users set email = null, username = null, password_hash = null, phone = '01632 960120' where id = $1",
    [ana.id],
  )
  const calls = async () => (await dora.read(listAttention)).filter(({ kind }) => kind === 'call_member')
  await give(dora, [friday])
  expect((await calls()).map(({ title }) => title)).toHaveLength(1)
  await give(dora, [friday], 'Cat Lowe')
  expect(await calls()).toHaveLength(1)
  // They know of no other teacher than their own.
  await give(dora, [friday], LEAD)
  expect(await calls()).toEqual([])
})

describe('an edit', () => {
  test('gives this class, this and the later ones, or all of them', async () => {
    const { dora } = await openStudio({ now: 'Monday 09:00' })
    const repeats = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-29' }
    const form = { title: 'Series', date: '2026-12-08', startTime: '18:00', endTime: '18:45' }
    await dora.call(createClass, { body: { ...form, ...repeats, instructorName: 'Jo Hart' } })
    const [, second] = await dora.read(listClasses)
    expect(await teachersOf(dora)).toEqual(['Jo Hart', 'Jo Hart', 'Jo Hart', 'Jo Hart'])
    const id = second?.id ?? 0
    await edit(dora, id, { instructorName: 'Cat Lowe' })
    expect(await teachersOf(dora)).toEqual(['Jo Hart', 'Cat Lowe', 'Jo Hart', 'Jo Hart'])
    await edit(dora, id, { instructorName: LEAD, applyToRecurring: 'later' })
    expect(await teachersOf(dora)).toEqual(['Jo Hart', LEAD, LEAD, LEAD])
    await edit(dora, id, { instructorName: 'Cat Lowe', applyToRecurring: true })
    expect(await teachersOf(dora)).toEqual(['Cat Lowe', 'Cat Lowe', 'Cat Lowe', 'Cat Lowe'])
  })

  test('that also moves a class says both in one email', async () => {
    const { studio, boris, dora, friday } = await openBookedWeek()
    const body = { instructorName: 'Jo Hart', startTime: '19:00', endTime: '19:45' }
    expect((await edit(dora, friday, body)).status).toBe(200)
    expect(await teacherMails(studio, boris)).toEqual([])
    const [moved] = (await studio.mailTo(boris)).filter(({ subject }) => /has moved/.test(subject))
    expect(moved?.text).toContain(`Jo Hart teaches it instead of ${LEAD}.`)
  })

  test('of a class that is over corrects the record and emails nobody', async () => {
    const { studio, ana, dora, tuesday } = await openBookedWeek()
    studio.travelTo('Wednesday 10:00')
    expect((await edit(dora, tuesday, { instructorName: 'Jo Hart' })).body).toMatchObject({ instructorName: 'Jo Hart' })
    expect(await teacherMails(studio, ana)).toEqual([])
  })
})

test('the preview shows whom giving classes would email, and changes nothing', async () => {
  const { dora, friday } = await openBookedWeek()
  const body = { change: 'give', give: { classIds: [friday], instructorName: 'Jo Hart' } }
  const { body: preview } = await dora.call(previewEmails, { body })
  expect(preview).toMatchObject({
    people: 2,
    emails: [{ count: 2, subject: expect.stringContaining('Jo Hart teaches') }],
  })
  expect(await teachersOf(dora)).toEqual([LEAD, LEAD])
})

test('copies of a week go to who was to teach', async () => {
  const { dora, tuesday, friday } = await openBookedWeek()
  await give(dora, [tuesday, friday])
  await dora.call(copyWeek, { body: { from: '2026-12-07', to: '2026-12-14' } })
  expect(await teachersOf(dora)).toEqual(['Jo Hart', 'Jo Hart', LEAD, LEAD])
})

test('a term takes the teacher of its slot, and a choice beats it', async () => {
  const { dora } = await openStudio({ now: 'Monday 09:00' })
  const slots = [
    { day: 'Monday', startTime: '09:30', instructorName: 'Jo Hart' },
    { day: 'Tuesday', startTime: '09:30', instructorName: 'Jo Hart' },
    { day: 'Wednesday', startTime: '09:30' },
  ]
  expect((await dora.call(editStudio, { body: { timetables: [{ from: '2026-12-01', slots }] } })).status).toBe(200)
  const choice = { day: 'Tuesday', startTime: '09:30', instructorName: 'Cat Lowe' }
  const body = { from: '2026-12-14', to: '2026-12-20', slots: [choice] }
  expect((await dora.call(planTerm, { body })).body.slots).toMatchObject([
    { instructorName: 'Jo Hart' },
    { instructorName: 'Cat Lowe' },
    { instructorName: LEAD },
  ])
  expect(await teachersOf(dora)).toEqual(['Jo Hart', 'Cat Lowe', LEAD])
})

describe('the list of teachers', () => {
  const teacher = (name: string) => ({ name, role: 'Teacher', text: '', portrait: null })

  test('refuses two of one name, whatever its case and accents, and the lead instructor’s', async () => {
    const { dora } = await openStudio()
    for (const teachers of [[teacher('Zoë Hart'), teacher('zoe hart')], [teacher(LEAD)]]) {
      expect(await dora.call(editStudio, { body: { teachers } })).toBeRefused(factsRefusals.teachers_share_a_name)
    }
    expect((await dora.call(editStudio, { body: { teachers: [teacher('Jo Hart')] } })).body.teachers).toEqual([
      teacher('Jo Hart'),
    ])
    const [line] = await dora.read(listAudit, { query: { subject: 'studio:facts' } })
    expect(line?.changes.teachers).toEqual({ before: null, after: 'Jo Hart, Teacher' })
  })

  test('shows an uploaded portrait, which is then in use', async () => {
    const { studio, dora } = await openStudio()
    const [id, other] = ['a'.repeat(32), 'b'.repeat(32)]
    const sizes = { width: 320, height: 400, widths: [320] }
    await studio.db.insert(pictures).values([
      { id, place: 'portrait', sizes, uploadedAt: studio.clock.now() },
      { id: other, place: 'hero', sizes, uploadedAt: studio.clock.now() },
    ])
    const save = (portrait: string) =>
      dora.call(editStudio, { body: { teachers: [{ ...teacher('Jo Hart'), portrait: { id: portrait } }] } })
    expect((await save(other)).status).toBe(404)
    expect((await save(id)).body.teachers).toEqual([{ ...teacher('Jo Hart'), portrait: { id, ...sizes } }])
    expect(await picturesInUse(studio.db, studio.clock.now())).toEqual([id])
  })

  test('refuses a portrait that is not there', async () => {
    const { dora } = await openStudio()
    const teachers = [{ ...teacher('Jo Hart'), portrait: { id: 'f'.repeat(32) } }]
    expect((await dora.call(editStudio, { body: { teachers } })).status).toBe(404)
  })
})

test('only a teacher has a name that they teach as, and loses it with the role', async () => {
  const { studio, boris, dora } = await openStudio()
  const change = async (body: object) => (await dora.call(editUser, { params: { id: boris.id }, body })).status
  const names = async () =>
    (await studio.server.database.pool.query('select teaches_as as name from users where id = $1', [boris.id])).rows
  expect(await change({ teachesAs: 'Jo Hart' })).toBe(200)
  expect(await names()).toEqual([{ name: null }])
  expect(await change({ role: 'teacher', teachesAs: 'Jo Hart' })).toBe(200)
  expect(await names()).toEqual([{ name: 'Jo Hart' }])
  expect(await change({ teachesAs: '' })).toBe(200)
  expect(await names()).toEqual([{ name: null }])
  await change({ teachesAs: 'Jo Hart' })
  expect(await change({ role: 'admin' })).toBe(200)
  expect(await names()).toEqual([{ name: null }])
  await expect(
    studio.server.database.pool.query(
      "insert into users (id, first_name, last_name, phone, teaches_as, created_at) values ('x', 'X', 'X', '1', 'Jo', now())",
    ),
  ).rejects.toThrow('only_a_teacher_teaches_as_someone')
})

test('the database refuses a class that was given to the teacher who was to teach it', async () => {
  const { studio, tuesday } = await openBookedWeek()
  await expect(
    studio.server.database.pool.query('update classes set planned_instructor_name = instructor_name where id = $1', [
      tuesday,
    ]),
  ).rejects.toThrow('a_class_was_given_to_another_teacher')
})

test('a mail about several classes keeps those that are still true', async () => {
  const { studio, ana, dora, tuesday, friday } = await openBookedWeek()
  await give(dora, [tuesday, friday])
  const { rows } = await studio.server.database.pool.query<{ data: MailJob<'teacher-changed'> }>(
    "select data from pgboss.job where name = 'mail' and data ->> 'mail' = 'teacher-changed'",
  )
  const job = rows.map(({ data }) => data).find(({ data }) => data.to.email === ana.email)
  if (!job) throw new Error('no email')
  await cancel(ana, job.data.taught[0]?.bookingId ?? 0)
  expect(await stillTrue(studio.db, job)).toMatchObject({ data: { taught: [job.data.taught[1]] } })
})
