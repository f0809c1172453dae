import { expect, test } from 'vitest'
import { blockMember, bookClass } from '#booking/contract.ts'
import { objectByAddress } from '#mailings/server/mailings.ts'
import { exportOwnData } from '#privacy/contract.ts'
import { getConsents } from '#privacy/contract-own.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { importRefusals, listImports, takeBackImport } from '../contract.ts'
import { dryRunImport, everything, memberOf, runImport } from './imports-under-test.ts'

const HEAD = 'First name,Last name,Email,Credits,Expiry,Booking date,Booking time'
const file = (...rows: string[]) => [HEAD, ...rows].join('\n')
const IDA = 'Ida,Holm,Ida@Old.example,2,31/01/2027,08/12/2026,12:00'
const IDA_AGAIN = 'Ida,Holm,ida@old.example,,,09/12/2026,9.30 am'

test('books future classes with the imported credits, without health information and without emails', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  const tuesday = await studio.createClass({ at: 'Tuesday 12:00' })
  await studio.createClass({ at: 'Wednesday 09:30' })
  const before = await everything(studio)
  const preview = await dryRunImport(dora, file(IDA_AGAIN, IDA))
  expect(preview.counts).toMatchObject({ members: 1, credits: 2, bookings: 2, wrong: 0 })
  expect(preview.rows).toMatchObject([
    { does: 'add', email: 'ida@old.example', books: { date: '2026-12-09', startTime: '09:30' } },
    { does: 'pass', books: { date: '2026-12-08', startTime: '12:00' } },
  ])
  expect(await everything(studio)).toBe(before)

  expect((await runImport(dora, file(IDA_AGAIN, IDA))).status).toBe(200)
  const ida = await memberOf(dora, 'ida@old')
  expect(ida.user).toMatchObject({ totalCredits: 0 })
  expect(ida.bookings).toHaveLength(2)
  expect(ida.ledger).toMatchObject([
    { kind: 'booking', credits: -1, reason: 'Imported from the previous booking system' },
    { kind: 'booking', credits: -1 },
    { kind: 'gift', credits: 2 },
  ])
  expect(await studio.count(`select booked_count from classes where id = ${tuesday}`)).toBe(1)
  expect((await studio.mailbox()).filter(({ to }) => to.endsWith('old.example'))).toEqual([])

  const [batch] = (await dora.call(listImports)).body
  expect(batch).toMatchObject({ bookings: 2, mayTakeBack: false })
  const params = { id: batch?.id ?? 0 }
  expect(await dora.call(takeBackImport, { params })).toBeRefused(importRefusals.import_has_bookings)
  expect((await runImport(dora, file(IDA_AGAIN, IDA))).body.counts).toMatchObject({ bookings: 0, nothing: 2 })
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
})

test('imports members and credits of rows whose class cannot be booked, and says why', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
  const one = await studio.createClass({ at: 'Tuesday 12:00', places: 1 })
  const full = await studio.createClass({ at: 'Tuesday 13:00', places: 1 })
  await studio.createClass({ at: 'Tuesday 14:00', isActive: false })
  const booked = await studio.createClass({ at: 'Tuesday 15:00' })
  await studio.createClass({ at: 'Monday 08:00' })
  await studio.createClass({ at: 'Tuesday 16:00' })
  await ana.call(bookClass, { body: { classId: full } })
  await ana.call(bookClass, { body: { classId: booked } })
  const rows: [row: string, note: RegExp | undefined][] = [
    ['Ida,Holm,ida@old.example,1,31/01/2027,08/12/2026,12:00', undefined],
    ['Jon,Berg,jon@old.example,1,31/01/2027,08/12/2026,12:00', /class is full/],
    ['Kim,Dahl,kim@old.example,1,31/01/2027,08/12/2026,13:00', /class is full/],
    ['Lea,Falk,lea@old.example,1,31/01/2027,08/12/2026,14:00', /class on 08\/12\/2026 at 14:00 is inactive/],
    ['Mia,Gram,mia@old.example,1,31/01/2027,10/12/2026,14:00', /no class on 10\/12\/2026 at 14:00/],
    ['Nia,Hall,nia@old.example,1,31/01/2027,07/12/2026,08:00', /in the past/],
    [`Ana,Cast,${ana.email},1,31/01/2027,08/12/2026,15:00`, /already booked this class/],
    ['Oda,Iver,oda@old.example,,,08/12/2026,16:00', /No credit is left/],
    ['Pia,Jahn,pia@old.example,1,07/12/2026,08/12/2026,16:00', /No credit is left/],
    ['Ros,Kahn,ros@old.example,1,31/01/2027,08/12/2026,noon', /“noon” is not a time/],
    ['Sia,Lund,sia@old.example,1,31/01/2027,08/12/2026,', /needs the date and the time/],
  ]
  const csv = file(...rows.map(([row]) => row))
  const preview = await dryRunImport(dora, csv)
  for (const [i, [row, note]] of rows.entries()) {
    const books = note ? null : expect.anything()
    const notes = note ? expect.arrayContaining([expect.stringMatching(note)]) : []
    expect([row, preview.rows[i]]).toMatchObject([row, { books, notes }])
  }
  const { counts } = (await runImport(dora, csv)).body
  expect(counts).toMatchObject({ members: 10, credits: 10, bookings: 1, wrong: 0, toCheck: 10 })
  expect(await studio.count(`select booked_count from classes where id = ${one}`)).toBe(1)
})

test('books later what could not be booked at first, without importing the credits again', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  const csv = file(
    'Ida,Holm,ida@old.example,2,31/01/2027,08/12/2026,12:00',
    'Ida,Holm,ida@old.example,,,09/12/2026,12:00',
    'Ida,Holm,ida@old.example,,,10/12/2026,12:00',
  )
  const { counts } = (await runImport(dora, csv)).body
  expect(counts).toMatchObject({ members: 1, credits: 2, bookings: 0, wrong: 0 })
  await studio.createClass({ at: 'Tuesday 12:00' })
  await studio.createClass({ at: 'Wednesday 12:00' })
  const { rows } = await dryRunImport(dora, csv)
  expect(rows.map(({ does, credits, notes }) => [does, credits, notes[0]])).toEqual([
    ['book', 0, 'The credits of this row have already been imported.'],
    ['book', 0, undefined],
    ['nothing', 0, 'There is no class on 10/12/2026 at 12:00.'],
  ])
  await runImport(dora, csv)
  expect((await memberOf(dora, 'ida@old'))?.user).toMatchObject({ totalCredits: 0 })
  expect((await runImport(dora, csv)).body.counts).toMatchObject({ bookings: 0, nothing: 3 })
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
})

test('a booking that cannot be made leaves its place and its credit to the next row', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  await studio.createClass({ at: 'Tuesday 12:00', places: 1 })
  const csv = file(
    'Jon,Berg,jon@old.example,,,08/12/2026,12:00',
    'Ida,Holm,ida@old.example,1,31/01/2027,08/12/2026,12:00',
  )
  expect((await dryRunImport(dora, csv)).rows).toMatchObject([
    { does: 'add', books: null, notes: [expect.stringMatching(/No credit is left/)] },
    { does: 'add_with_pass', books: { startTime: '12:00' } },
  ])
})

test('does not book what was cancelled in the old system', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  await studio.createClass({ at: 'Tuesday 12:00' })
  const csv =
    'Name,Email,Credits,Class date,Class time,Status\nIda Holm,ida@old.example,2,08/12/2026,12:00,Late cancelled'
  expect((await dryRunImport(dora, csv)).rows).toMatchObject([
    { does: 'add_with_pass', books: null, notes: expect.arrayContaining([expect.stringMatching(/“Late cancelled”/)]) },
  ])
})

test('does not book a blocked member, who keeps the credits', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
  await studio.createClass({ at: 'Tuesday 12:00' })
  await dora.call(blockMember, { params: { id: ana.id }, body: { reason: 'Owes money' } })
  const csv = file(`Ana,Cast,${ana.email},2,31/01/2027,08/12/2026,12:00`)
  expect((await dryRunImport(dora, csv)).rows).toMatchObject([
    { does: 'pass', books: null, notes: ['They are blocked, so the class is not booked.'] },
  ])
  expect((await runImport(dora, csv)).body.counts).toMatchObject({ credits: 2, bookings: 0 })
})

test('the reconciliation sheet compares the credits in the file, as imported and now', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  await studio.createClass({ at: 'Tuesday 12:00' })
  const { importId } = (await runImport(dora, file(IDA, 'Jon,Berg,jon@old.example,3,01/12/2026,,'))).body
  const sheet = await dora.request('GET', `/api/admin/imports/${importId}/reconciliation.csv`)
  expect(String(sheet.body).trim().split(/\r?\n/).slice(1)).toEqual([
    'Jon,Berg,jon@old.example,3,0,3,0,0',
    'Ida,Holm,ida@old.example,2,2,0,1,1',
    'Total,,,5,2,3,1,1',
  ])
})

test('imports consent to news with its date and source; without either it does not count', async () => {
  const { studio, boris, dora } = await openStudio({ now: 'Monday 09:00' })
  const csv = [
    'Name,Email,Opt in,Consent date,Consent source',
    'Ida Holm,ida@old.example,yes,01/03/2025,Momence sign-up form',
    'Jon Berg,jon@old.example,yes,,Momence sign-up form',
    'Kim Dahl,kim@old.example,yes,01/03/2025,',
    'Lea Falk,lea@old.example,yes,01/03/2027,A form',
    'Mia Gram,mia@old.example,no,01/03/2025,A form',
    `Boris Cast,${boris.email},Yes,02/03/2025,Paper form`,
  ].join('\n')
  const { rows, counts } = await dryRunImport(dora, csv)
  expect(counts).toMatchObject({ consents: 2, wrong: 0 })
  const note = ['Consent to news is not imported: it needs a date, not in the future, and a source.']
  expect(rows.map(({ does, consentSince, notes }) => [does, consentSince, notes])).toEqual([
    ['add', '2025-03-01', []],
    ['add', null, note],
    ['add', null, note],
    ['add', null, note],
    ['add', null, []],
    ['consent', '2025-03-02', []],
  ])
  await runImport(dora, csv)
  const offer = { audience: 'members', kind: 'marketing', subject: 'Spring', text: 'New classes' }
  const sent = await dora.request('POST', '/api/admin/messages', offer)
  expect(sent.body).toMatchObject({ recipients: 2 })
  expect((await boris.read(exportOwnData)).marketingConsent).toEqual({
    agreedAt: '2025-03-02T00:00:00Z',
    source: 'import',
    recordedAt: '2026-12-07T09:00:00Z',
    note: 'Paper form',
  })
  expect((await boris.read(getConsents)).marketing).toMatchObject({ text: 'Paper form' })

  await studio.server.database.transaction((tx) => objectByAddress(tx, boris.email, studio.clock.now()))
  expect((await boris.read(getConsents)).marketing).toBeNull()
  // The same row again: an old consent does not override an objection.
  await runImport(dora, csv)
  expect((await dora.request('POST', '/api/admin/messages', offer)).body).toMatchObject({ recipients: 1 })
})
