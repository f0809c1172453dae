import { describe, expect, test } from 'vitest'
import { joinWaitingList } from '#booking/contract-waiting.ts'
import type { Person } from '#testing/person.ts'
import { countStatements } from '#testing/statements.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { createClass, listClasses, listClosures, timetableRefusals } from '#timetable/contract.ts'
import { deleteClass, editClass } from '../contract.ts'
import * as contract from '../contract-closures.ts'

const closeDaysAs = (admin: Person, body: object) =>
  admin.call(contract.closeDays, { body: { reason: 'The boiler has given up.', ...body } })
const openDaysAs = (admin: Person, id: number) => admin.call(contract.openDays, { params: { id } })
const preview = async (admin: Person, from: string, to: string) =>
  await admin.read(contract.previewClosure, { query: { from, to } })
const joinAs = (person: Person, id: number) => person.call(joinWaitingList, { params: { id } })
const listClassesAs = async (person: Person) => (await person.read(listClasses)).map(({ id }) => id)

/** Wednesday and Thursday with classes; Ana has booked both, Boris waits for both and has one on Friday. */
async function twoDays() {
  const story = await openStudio()
  const { studio, ana, boris, dora } = story
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 5)
  const carl = await studio.member('Carl', { health: true, credits: 5 })
  const wednesday = await studio.createClass({ at: 'Wednesday 10:00', places: 1 })
  const thursday = await studio.createClass({ at: 'Thursday 10:00', places: 1 })
  const friday = await studio.createClass('Friday 10:00')
  for (const id of [wednesday, thursday]) {
    await ana.book(id)
    await joinAs(boris, id)
  }
  await boris.book(friday)
  await joinAs(carl, thursday)
  await studio.mailbox()
  return { ...story, carl, days: { from: '2026-12-09', to: '2026-12-10' }, wednesday, thursday, friday, dora }
}

test('previews closing class by class without changing anything', async () => {
  const { studio, ana, dora, wednesday, thursday } = await twoDays()
  const { classes, closures } = await preview(dora, '2026-12-09', '2026-12-10')
  expect(closures).toEqual([])
  expect(classes).toMatchObject([
    {
      id: wednesday,
      date: '2026-12-09',
      startTime: '10:00',
      booked: [{ id: ana.id }],
      waiting: [{ firstName: 'Boris' }],
    },
    { id: thursday, booked: [{ firstName: 'Ana' }], waiting: [{ firstName: 'Boris' }, { firstName: 'Carl' }] },
  ])
  expect(await studio.creditsOf(ana)).toBe(8)
})

test('closing cancels bookings, returns credits and emails everyone once with the reason', async () => {
  const { studio, ana, boris, carl, dora, days, friday } = await twoDays()
  const { status, body } = await closeDaysAs(dora, days)
  expect([status, body]).toMatchObject([201, { ...days, classes: 2, bookingsCancelled: 2, peopleNotified: 3 }])
  expect(await studio.creditsOf(ana)).toBe(10)
  expect(await listClassesAs(studio.visitor())).toEqual([friday])

  const mails = (await studio.mailbox()).filter(({ text }) => text.includes('The boiler has given up.'))
  const to = (person: Person) => mails.filter((mail) => mail.to === person.email)
  expect(mails).toHaveLength(3)
  expect(to(ana)[0]?.subject).toBe(
    'We are sorry: your 2 classes from Wednesday 9 December to Thursday 10 December are cancelled',
  )
  expect(to(ana)[0]?.attachments.map(({ content }) => /METHOD:CANCEL/.test(content))).toEqual([true, true])
  expect(to(boris)[0]?.subject).toContain('2 classes you were waiting for')
  expect(to(carl)[0]?.subject).toBe('Reformer on Thursday 10 December at 10:00 is cancelled')
  const { rows } = await studio.server.database.pool.query('select reason from credit_ledger order by id desc limit 1')
  expect(rows).toEqual([{ reason: 'The studio is closed: The boiler has given up.' }])
  expect(await studio.visitor().read(listClosures)).toMatchObject([{ ...days, reason: 'The boiler has given up.' }])
})

test('can skip members who had nothing booked, and leaves excepted classes on', async () => {
  const { studio, ana, boris, dora, days, thursday, friday } = await twoDays()
  const { body } = await closeDaysAs(dora, { ...days, notify: false, exceptClassIds: [thursday] })
  expect(body).toMatchObject({ classes: 1, bookingsCancelled: 1, peopleNotified: 1 })
  expect(await listClassesAs(studio.visitor())).toEqual([thursday, friday])
  expect(await studio.creditsOf(ana)).toBe(9)
  const cancellations = (await studio.mailbox()).filter(({ subject }) => subject.includes('cancelled'))
  expect(cancellations.map((mail) => mail.to)).toEqual([ana.email])
  expect(cancellations.some((mail) => mail.to === boris.email)).toBe(false)
})

test('returns the credit of a late cancellation in the same email', async () => {
  const { studio, ana, dora, days } = await twoDays()
  const soon = await studio.createClass('Wednesday 12:00')
  const booked: number = (await ana.book(soon)).body.id
  studio.travelTo('Wednesday 10:30')
  await ana.cancel(booked)
  const { classes } = await preview(dora, days.from, days.to)
  expect(classes).toMatchObject([{ id: soon, cancelledLate: [{ id: ana.id, firstName: 'Ana' }] }, {}])
  expect((await closeDaysAs(dora, days)).body).toMatchObject({ bookingsCancelled: 1, peopleNotified: 3 })
  // Only the class on Wednesday morning has started, and stays paid.
  expect(await studio.creditsOf(ana)).toBe(9)
  const mails = (await studio.mailTo(ana)).filter(({ text }) => text.includes('The boiler has given up.'))
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain('These classes had also been cancelled too late')
})

test('leaves a started class alone', async () => {
  const { studio, dora, days, thursday } = await twoDays()
  studio.travelTo('Wednesday 10:00')
  expect((await preview(dora, days.from, days.to)).classes.map(({ id }) => id)).toEqual([thursday])
  expect((await closeDaysAs(dora, days)).body).toMatchObject({ classes: 1 })
})

test('closes once per key, and concurrent closures cancel a class once', async () => {
  const { studio, dora, days, ana } = await twoDays()
  const body = { ...days, reason: 'Illness' }
  const key = { 'idempotency-key': 'sick-morning' }
  const twice = await Promise.all([1, 2].map(() => dora.request('POST', contract.closeDays.path, body, key)))
  expect(twice.map(({ status, body: { id } }) => [status, id])).toEqual([
    [201, twice[0]?.body.id],
    [201, twice[0]?.body.id],
  ])
  const both = await Promise.all([closeDaysAs(dora, days), closeDaysAs(dora, days)])
  expect(both.map(({ body: { bookingsCancelled } }) => bookingsCancelled)).toEqual([0, 0])
  expect(await studio.creditsOf(ana)).toBe(10)
  expect((await studio.mailTo(ana)).filter(({ subject }) => subject.includes('cancelled'))).toHaveLength(1)
})

describe('opening days again', () => {
  test('brings classes back without bookings, and is not found a second time', async () => {
    const { studio, ana, dora, days, wednesday, thursday } = await twoDays()
    const { body } = await closeDaysAs(dora, days)
    expect(await openDaysAs(dora, body.id)).toMatchObject({
      status: 200,
      body: { message: 'The days are open again. 2 classes are back, without bookings.', classes: 2 },
    })
    expect(await openDaysAs(dora, body.id)).toBeRefused(contract.closureRefusals.closure_not_found)
    expect((await studio.visitor().read(listClasses)).filter(({ id }) => id !== 3)).toMatchObject([
      { id: wednesday, bookedCount: 0 },
      { id: thursday, bookedCount: 0 },
    ])
    expect(await studio.creditsOf(ana)).toBe(10)
    expect(await studio.visitor().read(listClosures)).toEqual([])
  })

  test('leaves off what another closure keeps, and deleted or started classes; leaves reactivated ones on', async () => {
    const { studio, dora, days, wednesday, thursday } = await twoDays()
    const other = await studio.createClass('Thursday 15:00')
    const [whole, thursdays] = [
      await closeDaysAs(dora, days),
      await closeDaysAs(dora, { from: '2026-12-10', to: '2026-12-10', reason: 'A funeral' }),
    ]
    await dora.call(deleteClass, { params: { id: other } })
    expect((await openDaysAs(dora, whole.body.id)).body).toMatchObject({ classes: 1 })
    expect(await listClassesAs(studio.visitor())).not.toContain(thursday)
    await dora.call(editClass, { params: { id: thursday }, body: { isActive: true, onClosedDay: true } })
    expect((await openDaysAs(dora, thursdays.body.id)).body.message).toBe('The days are open again.')
    expect(await listClassesAs(studio.visitor())).toContain(thursday)

    const again = await closeDaysAs(dora, days)
    studio.travelTo('Wednesday 10:00')
    await studio.logIn(dora)
    expect((await openDaysAs(dora, again.body.id)).body).toMatchObject({ classes: 1 })
    expect(await listClassesAs(studio.visitor())).not.toContain(wednesday)
  })
})

describe('creating a class on a closed day', () => {
  const form = { title: 'Duo', startTime: '09:30', endTime: '10:15', maxParticipants: 2 }

  test('needs confirmation; a series leaves such days out, and is refused if none is left', async () => {
    const { studio, dora } = await openStudio()
    await closeDaysAs(dora, { from: '2026-12-24', to: '2026-12-31', reason: 'Christmas' })
    const create = (body: object) => dora.call(createClass, { body: { ...form, ...body } })
    expect(await create({ date: '2026-12-24' })).toBeRefused(timetableRefusals.studio_closed)
    expect((await create({ date: '2026-12-24', onClosedDay: true })).status).toBe(201)
    const weekly = { isRepeating: true, repeatFrequency: 'weekly' }
    const series = await create({ ...weekly, date: '2026-12-17', repeatUntilDate: '2027-01-08' })
    expect([series.status, series.body.date]).toEqual([201, '2026-12-17'])
    const dates = (await studio.visitor().read(listClasses)).map(({ date }) => date)
    expect(dates).toEqual(['2026-12-17', '2026-12-24', '2027-01-07'])
    expect(await create({ ...weekly, date: '2026-12-25', repeatUntilDate: '2026-12-31' })).toBeRefused(
      timetableRefusals.studio_closed,
    )
  })

  test('leaves no class on closed days when a series is created while they are being closed', async () => {
    const { studio, dora } = await openStudio()
    const weekly = { ...form, isRepeating: true, repeatFrequency: 'weekly' }
    for (let week = 0; week < 5; week++) {
      const date = Temporal.PlainDate.from('2027-02-01').add({ weeks: 10 * week })
      const [from, to] = [date.add({ weeks: 1 }).toString(), date.add({ weeks: 2 }).toString()]
      const made = { ...weekly, date: date.toString(), repeatUntilDate: date.add({ weeks: 3 }).toString() }
      const responses = await Promise.all([closeDaysAs(dora, { from, to }), dora.call(createClass, { body: made })])
      expect(responses.map(({ status }) => status)).toEqual([201, 201])
      const open = (await studio.visitor().read(listClasses, { query: { from, to } })).length
      expect(open).toBe(0)
    }
  })
})

test('refuses invalid days next to their field', async () => {
  const { dora } = await openStudio()
  const cases: [object, string, string][] = [
    [{ from: '2026-12-10', to: '2026-12-09' }, 'to', 'The last day cannot be before the first'],
    [{ from: '2026-12-10', to: '2028-12-09' }, 'to', 'Please close at most a year at once'],
    [{ from: '2026-02-30', to: '2026-12-09' }, 'from', 'Please enter the first day'],
    [{ from: '2026-12-10', to: '2026-12-10', reason: ' ' }, 'reason', 'Please enter the reason'],
  ]
  for (const [body, path, message] of cases) {
    expect(await closeDaysAs(dora, body)).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
  }
})

test('closing needs as many statements for forty classes as for two', async () => {
  const { studio, dora } = await openStudio()
  const [eva, frank] = await Promise.all(
    ['Eva', 'Frank'].map((name) => studio.member(name, { health: true, credits: 200 })),
  )
  const season = async (first: string, count: number) => {
    const dates = Array.from({ length: count }, (_, day) =>
      Temporal.PlainDate.from(first).add({ days: day }).toString(),
    )
    const ids = await Promise.all(dates.map((date) => studio.createClass({ at: `${date} 10:00`, places: 1 })))
    await Promise.all(ids.map((id) => (eva as Person).book(id)))
    await Promise.all(ids.map((id) => joinAs(frank as Person, id)))
    return { from: first, to: dates.at(-1) }
  }
  const [two, forty] = [await season('2026-12-10', 2), await season('2027-02-01', 40)]
  const statements = async (days: object) =>
    await countStatements(async () => expect((await closeDaysAs(dora, days)).status).toBe(201))
  expect(await statements(forty)).toBe(await statements(two))
  expect((await studio.mailTo(eva as Person)).filter(({ subject }) => subject.includes('cancelled'))).toHaveLength(2)
})
