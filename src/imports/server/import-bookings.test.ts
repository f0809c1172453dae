import { expect, test } from 'vitest'
import { bookClass } from '#booking/contract.ts'
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

test('reports for each row why a class cannot be booked', async () => {
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
    const notes = note ? [expect.stringMatching(note)] : []
    expect([row, preview.rows[i]]).toMatchObject([row, { does: note ? 'wrong' : 'add_with_pass', notes }])
  }
  const before = await everything(studio)
  expect(await runImport(dora, csv)).toBeRefused(importRefusals.import_rows_invalid)
  expect(await everything(studio)).toBe(before)
  const { counts } = (await runImport(dora, csv, { leaveOutWrong: true })).body
  expect(counts).toMatchObject({ members: 1, credits: 1, bookings: 1, wrong: 10 })
  expect(await studio.count(`select booked_count from classes where id = ${one}`)).toBe(1)
})

test('leaves out a wrong booking of a new member, whom the next row adds, and what its credits would have paid', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  await studio.createClass({ at: 'Tuesday 12:00' })
  await studio.createClass({ at: 'Wednesday 12:00' })
  const csv = file(
    'Ida,Holm,ida@old.example,,,11/12/2026,12:00',
    'Ida,Holm,ida@old.example,,,08/12/2026,12:00',
    'Ida,Holm,ida@old.example,2,07/12/2026,,',
    // Without the first of his rows, whose class does not exist, Jon has no credit for the second.
    'Jon,Berg,jon@old.example,1,31/01/2027,11/12/2026,12:00',
    'Jon,Berg,jon@old.example,,,09/12/2026,12:00',
    'Jon,Berg,jon@old.example,,,,',
  )
  const does = ['wrong', 'wrong', 'add_with_pass', 'wrong', 'wrong', 'add']
  expect((await dryRunImport(dora, csv)).rows.map((row) => row.does)).toEqual(does)
  const { status, body } = await runImport(dora, csv, { leaveOutWrong: true })
  expect([status, body.counts]).toMatchObject([200, { members: 2, credits: 2, bookings: 0, wrong: 4 }])
  expect((await memberOf(dora, 'ida@old'))?.user).toMatchObject({ totalCredits: 2 })
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
    note: 'Paper form',
  })
  expect((await boris.read(getConsents)).marketing).toMatchObject({ text: 'Paper form' })

  await studio.server.database.transaction((tx) => objectByAddress(tx, boris.email, studio.clock.now()))
  expect((await boris.read(getConsents)).marketing).toBeNull()
  // The same row again: an old consent does not override an objection.
  await runImport(dora, csv)
  expect((await dora.request('POST', '/api/admin/messages', offer)).body).toMatchObject({ recipients: 1 })
})
