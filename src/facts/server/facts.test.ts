import { describe, expect, test } from 'vitest'
import { requestPasswordReset } from '#accounts/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { saveQuestionnaire } from '#health/contract.ts'
import { initialFacts } from '#studio.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { createClass } from '#timetable/contract.ts'
import * as contract from '../contract.ts'
import { PublicFactsCache } from './facts.ts'

const story = shareStudio()
const edit = (admin: Person, body: object) => admin.call(contract.editStudio, { body })
const read = (admin: Person) => admin.read(contract.readOwnStudio)
const shown = async () => (await story.studio.visitor().call(contract.readStudio)).body

test('returns the default facts until the first edit, the owner’s email address and review link to admins only', async () => {
  const { studio, dora } = await openStudio()
  const { version, changedAt, vat, ...facts } = await read(dora)
  expect([version, changedAt, vat, facts]).toEqual([0, null, null, initialFacts])
  const { ownerEmail: _, vatPeriods: __, reviewUrl: ___, texts: ____, timetables, ...open } = initialFacts
  expect((await studio.visitor().call(contract.readStudio)).body).toEqual({
    ...open,
    vat: null,
    timetable: timetables[0],
    nextTimetable: null,
    isConfirmed: true,
  })
})

test('keeps versions of the weekly timetable and shows visitors the current and the next one', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  const [first] = (await read(dora)).timetables
  const friday = { day: 'Friday', startTime: '08:15' }
  const saved = await edit(dora, {
    timetables: [
      { from: '2027-01-04', slots: [friday, { day: 'Monday', startTime: '18:00', maxParticipants: 1 }, friday] },
      first,
    ],
  })
  expect(saved.status).toBe(200)
  const { timetable, nextTimetable } = (await studio.visitor().call(contract.readStudio)).body
  expect(timetable).toEqual(first)
  expect(nextTimetable).toEqual({
    from: '2027-01-04',
    slots: [
      { day: 'Monday', startTime: '18:00', endTime: '18:45', maxParticipants: 1 },
      { ...friday, endTime: '09:00', maxParticipants: 2 },
      { ...friday, endTime: '09:00', maxParticipants: 2 },
    ],
  })
  expect((await edit(dora, { timetables: [first, first] })).body).toMatchObject({
    errors: [{ path: 'timetables.1.from', message: 'Another timetable starts on this day' }],
  })
})

test('changes only the fields sent, immediately, and records who changed them', async () => {
  const { studio, dora } = story
  const before = await read(dora)
  const hours = { ...before.hours, Friday: { opens: '07:00', closes: '12:00' } }
  const { status, body } = await edit(dora, { phone: ' 01632 960148 ', hours })
  expect([status, body]).toEqual([
    200,
    { ...before, phone: '01632 960148', hours, version: before.version + 1, changedAt: studio.clock.now().toString() },
  ])
  expect(await shown()).toMatchObject({ phone: '01632 960148', hours: { Friday: { opens: '07:00' } } })
  const { rows } = await studio.server.database.pool.query(
    `select admin_id, action, subject_id, changes from audit_log where subject_kind = 'studio' order by id desc limit 1`,
  )
  expect(rows).toEqual([
    {
      admin_id: dora.id,
      action: 'edited',
      subject_id: 'facts',
      changes: {
        phone: { before: before.phone, after: '01632 960148' },
        Friday: { before: '10:00 - 20:00', after: '07:00 - 12:00' },
      },
    },
  ])
  const again = await edit(dora, { phone: '01632 960148' })
  expect(again.body.version).toBe(body.version)
})

test('refuses the second of two edits of the same version; without a version both are kept', async () => {
  const { dora } = story
  const { version: ifVersion } = await read(dora)
  const [first, second] = await Promise.all([
    edit(dora, { phone: '01632 960001', ifVersion }),
    edit(dora, { email: 'new@aldergate.example', ifVersion }),
  ])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  expect(first.status === 409 ? first : second).toBeRefused(commonRefusals.edit_conflict)

  const { version } = await read(dora)
  const both = await Promise.all([
    edit(dora, { phone: '01632 960002' }),
    edit(dora, { email: 'other@aldergate.example' }),
    edit(dora, { notice: { text: 'Closed', until: null } }),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await read(dora)).toMatchObject({
    version: version + 3,
    phone: '01632 960002',
    email: 'other@aldergate.example',
    notice: { text: 'Closed', until: null },
  })
  await edit(dora, { notice: null })
})

test('returns the version before a version', async () => {
  const { dora } = await openStudio()
  await edit(dora, { phone: '01632 960001' })
  await edit(dora, { phone: '01632 960002' })
  const before = (id: number) => dora.call(contract.readStudioBefore, { params: { id } })
  expect((await before(1)).body).toMatchObject({ phone: initialFacts.phone, version: 0, changedAt: null })
  expect((await before(2)).body).toMatchObject({ phone: '01632 960001', version: 1 })
  expect(await before(3)).toBeRefused(contract.factsRefusals.version_not_found)
})

test('applies a VAT registration from its first day, or from today if sent alone', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  const [low, high] = [2, 20].map((rate) => ({ number: 'GB 123 4567 89', rate }))
  expect((await edit(dora, { vat: low })).body).toMatchObject({
    vat: low,
    vatPeriods: [{ from: '2026-12-07', vat: low }],
  })
  expect((await edit(dora, { vat: low })).body).toMatchObject({ version: 1 })
  expect((await edit(dora, { vat: high })).body.vatPeriods).toEqual([{ from: '2026-12-07', vat: high }])
  const vatPeriods = [
    { from: '2027-01-01', vat: null },
    { from: '2026-12-01', vat: high },
  ]
  expect((await edit(dora, { vatPeriods })).body).toMatchObject({ vat: high, vatPeriods: vatPeriods.toReversed() })
  const [line] = (await dora.request('GET', '/api/admin/audit?subject=studio:facts')).body
  expect(line.changes).toEqual({
    vat: {
      before: 'GB 123 4567 89, 20% from 2026-12-07',
      after: 'GB 123 4567 89, 20% from 2026-12-01; not registered from 2027-01-01',
    },
  })
  studio.travelTo('2027-01-01 00:00')
  expect(await read(dora)).toMatchObject({ vat: null })
})

test('clears the coordinates when the address changes without new ones', async () => {
  const { dora } = story
  const { latitude: _, longitude: __, ...words } = (await read(dora)).address
  expect((await edit(dora, { address: words })).body.address).toEqual(initialFacts.address)
  const moved = { ...words, street: '1 New Row' }
  expect((await edit(dora, { address: moved })).body.address).toEqual({ ...moved, latitude: null, longitude: null })
  const placed = { ...moved, latitude: 53.99, longitude: -1.54 }
  expect((await edit(dora, { address: placed })).body.address).toEqual(placed)
})

test.each([
  [
    'address.postcode',
    { address: { ...initialFacts.address, postcode: 'LS1' } },
    'Please enter the whole postcode, such as HG1 2ZZ',
  ],
  ['phone', { phone: 'ring us' }, 'Please enter a phone number: digits, with spaces between them'],
  [
    'social.url',
    { social: { name: 'X', url: 'http://x.example' } },
    'Please enter an address that begins with https://',
  ],
  ['reviewUrl', { reviewUrl: 'http://reviews.example' }, 'Please enter an address that begins with https://'],
  [
    'legal.serviceAddress',
    { legal: { form: 'sole_trader', name: 'Jo Hart' } },
    'Please enter the address for legal letters',
  ],
  ['email', { email: 'hello' }, 'Please enter a valid email address'],
  ['ownerEmail', { ownerEmail: '' }, 'Please enter a valid email address'],
  ['prices.price', { prices: { price: '45,50', passPrice: 40 } }, expect.stringContaining('price in pounds')],
  [
    'hours.Monday.closes',
    { hours: weekOf({ opens: '10:00', closes: '09:00' }) },
    'The closing time must be after the opening time',
  ],
  [
    'vatPeriods.1.from',
    { vatPeriods: ['2026-12-01', '2026-12-01'].map((from) => ({ from, vat: null })) },
    'There is another change on this day',
  ],
  ['notice.text', { notice: { text: ' ', until: null } }, 'Please enter the notice'],
  [
    'policies.cancelling',
    { policies: { cancelling: 'Until {mintues} minutes before', refunds: 'No' } },
    'There is no number called mintues. You can use {minutes}, {hours}, {days}, {percent}, {months}',
  ],
])('an invalid %s is refused with a message at its field, and nothing changes', async (path, body, message) => {
  const { dora } = story
  const { version } = await read(dora)
  const response = await edit(dora, { address: { ...initialFacts.address, street: '2 Other Row' }, ...body })
  expect(response).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
  expect(await read(dora)).toMatchObject({ version })
})

function weekOf(open: { opens: string; closes: string }) {
  return Object.fromEntries(Object.keys(initialFacts.hours).map((day) => [day, day === 'Monday' ? open : null]))
}

describe('reading the facts', () => {
  test('gives a class without prices the current ones', async () => {
    const { dora } = story
    await edit(dora, { prices: { price: '£1,070', passPrice: 52.5 } })
    const form = { title: 'Duo', date: '2026-12-09', startTime: '09:30', endTime: '10:15', maxParticipants: 2 }
    const { body } = await dora.call(createClass, { body: form })
    expect(body).toMatchObject({ price: '1070.00', passPrice: '52.50' })
  })

  test('emails contain the reply address, phone number, address and owner', async () => {
    const { studio, ana, boris, dora } = await openStudio()
    await edit(dora, {
      phone: '01632 960149',
      email: 'desk@aldergate.example',
      ownerEmail: 'boss@aldergate.example',
      address: { street: '1 New Row', town: 'Ripon', county: 'North Yorkshire', postcode: 'HG4 1AA' },
    })
    await ana.book(await studio.createClass('Friday 10:00'))
    const booked = (await studio.mailTo(ana)).find(({ subject }) => subject.includes('is booked'))
    const file = booked?.attachments[0]?.content ?? ''
    for (const words of ['01632 960149', 'desk@aldergate.example', '1 New Row, Ripon HG4 1AA']) {
      expect(booked?.text).toContain(words)
      if (!words.startsWith('0')) expect(file.replaceAll('\r\n ', '').replaceAll('\\', '')).toContain(words)
    }
    expect(file).not.toContain('GEO:')
    await boris.call(saveQuestionnaire, { body: { allergies: 'Nuts' } })
    expect(await studio.mailTo({ email: 'boss@aldergate.example' })).toHaveLength(1)
    await studio.visitor().call(requestPasswordReset, { body: { email: ana.email } })
    expect((await studio.mailTo(ana)).at(-1)?.text).not.toContain(initialFacts.phone)
  })

  test('another name, teacher and legal identity reach emails, calendars and new classes', async () => {
    const { studio, ana, dora } = await openStudio()
    const { instructor } = await read(dora)
    const legal = {
      form: 'company' as const,
      name: 'Wharfedale Reformer Ltd',
      companyNumber: '01234567',
      registeredIn: 'England and Wales',
      registeredOffice: '2 Office Row, Leeds LS1 1AA',
    }
    await edit(dora, { name: 'Wharfedale Reformer', instructor: { ...instructor, name: 'Jo Hart' }, legal })
    await ana.book(await studio.createClass('Friday 10:00'))
    const booked = (await studio.mailTo(ana)).find(({ subject }) => subject.includes('is booked'))
    expect(booked?.text).toContain('Reformer with Jo Hart')
    expect(booked?.text).toContain('Wharfedale Reformer, 7 Aldergate Mews')
    for (const words of ['registered in England and Wales, company number 01234567', 'Registered office: 2 Office Row'])
      expect(booked?.text).toContain(words)
    const file = booked?.attachments[0]?.content.replaceAll('\r\n ', '') ?? ''
    expect(file).toContain('CN="Wharfedale Reformer"')
    expect(`${booked?.subject} ${booked?.text} ${file}`).not.toMatch(/Aldergate Pilates|Eleanor/)
    const [line] = (await dora.request('GET', '/api/admin/audit?subject=studio:facts')).body
    expect(line.changes).toMatchObject({ name: { after: 'Wharfedale Reformer' }, teacher: { after: 'Jo Hart' } })
  })

  test('a fact that a saved version lacks has its initial value', async () => {
    const { studio, dora } = await openStudio()
    await edit(dora, { phone: '01632 960151' })
    await studio.server.database.pool.query(
      `update studio_facts set facts = (facts - 'name' - 'social' - 'reviewUrl' - 'legal' - 'voucherTerms') #- '{instructor,name}'`,
    )
    expect(await read(dora)).toMatchObject({
      name: initialFacts.name,
      reviewUrl: null,
      legal: null,
      voucherTerms: initialFacts.voucherTerms,
      instructor: initialFacts.instructor,
    })
  })

  test('every process picks up an edit at its next poll and keeps its facts while the database is down', async () => {
    const { studio, dora } = await openStudio()
    const { server } = await studio.startSecondProcess()
    const [here, there] = [studio.server, server].map(
      ({ background }) => new PublicFactsCache(background.db, studio.clock, 'demo'),
    )
    for (const facts of [here, there]) await facts?.renew()
    const next = { from: '2027-01-04', slots: [] }
    await edit(dora, {
      phone: '01632 960150',
      notice: { text: 'Closed on Friday', until: '2026-12-11' },
      timetables: [...initialFacts.timetables, next],
    })
    expect(there?.current.phone).toBe(initialFacts.phone)
    for (const facts of [here, there]) {
      await facts?.renew()
      expect(facts?.current).toMatchObject({
        phone: '01632 960150',
        notice: { text: 'Closed on Friday' },
        nextTimetable: next,
      })
      expect(facts?.current).not.toHaveProperty('ownerEmail')
    }
    studio.travelTo('2026-12-12 00:00')
    expect(here?.current.notice).toBeNull()
  })
})
