import { describe, expect, test } from 'vitest'
import { addNote, editUser } from '#accounts/contract.ts'
import { importRefusals, listImports, takeBackImport } from '#imports/contract.ts'
import {
  dryRunImport,
  everything,
  file,
  IDA,
  JON,
  KIM,
  memberOf,
  runImport,
} from '#imports/server/imports-under-test.ts'
import { listAudit } from '#insights/contract.ts'
import { recordMarketingConsent } from '#mailings/server/mailings.ts'
import { giftCredits } from '#passes/contract.ts'
import { sellVoucher } from '#payments/contract-desk.ts'
import { openComplaint } from '#privacy/contract.ts'
import { recordMemberComplaint } from '#privacy/contract-complaints.ts'
import { getConsents } from '#privacy/contract-own.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'

const takeBack = (admin: Person, id: number) => admin.call(takeBackImport, { params: { id } })

test('takes an import back on its day with its credits and new members; the corrected file can be imported', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
  const before = await studio.creditsOf(ana)
  const csv = file(IDA.replace(',8,', ',80,'), KIM, `Ana,Cast,${ana.email},,2,2027-01-01,`)
  const { importId } = (await runImport(dora, csv)).body
  expect((await dora.call(listImports)).body).toMatchObject([
    { id: importId, members: 2, passes: 2, credits: 82, takenBackAt: null, mayTakeBack: true },
  ])
  const response = await takeBack(dora, importId)
  expect([response.status, response.body]).toEqual([200, { membersRemoved: 2, membersKept: 0, credits: 82 }])
  expect(await studio.creditsOf(ana)).toBe(before)
  expect(await memberOf(dora, 'ida@old')).toBeUndefined()
  const page = await memberOf(dora, ana.email)
  expect(page.ledger[0]).toMatchObject({ kind: 'correction', credits: -2, reason: 'The import was taken back' })
  const { body: lines } = await dora.call(listAudit, { query: { subject: `user:${ana.id}` } })
  expect(lines[0]).toMatchObject({ action: 'import_taken_back', changes: { credits: { before: 2, after: 0 } } })
  expect((await dora.call(listImports)).body).toMatchObject([{ mayTakeBack: false, takenBackAt: expect.any(String) }])
  expect(await takeBack(dora, importId)).toBeRefused(importRefusals.already_taken_back)

  const { rows } = await dryRunImport(dora, csv)
  expect(rows.map(({ does }) => does)).toEqual(['add_with_pass', 'add', 'pass'])
  await runImport(dora, file(IDA, KIM))
  expect((await memberOf(dora, 'ida@old')).user).toMatchObject({ totalCredits: 8 })
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
})

test('keeps new members who were invited or hold another pass, without the credits', async () => {
  const { studio, dora } = await openStudio()
  const { importId } = (await runImport(dora, file(IDA), { invite: true })).body
  expect((await takeBack(dora, importId)).body).toEqual({ membersRemoved: 0, membersKept: 1, credits: 8 })
  expect((await memberOf(dora, 'ida@old')).user).toMatchObject({ totalCredits: 0 })
  expect((await dryRunImport(dora, file(IDA))).rows).toMatchObject([{ does: 'pass' }])

  const second = (await runImport(dora, file(JON, KIM))).body
  const jon = (await memberOf(dora, 'jon@old')).user
  const gift = { packageId: (await studio.createPackage()).id, creditsToGift: 1 }
  expect((await dora.call(giftCredits, { params: { userId: jon.id }, body: gift })).status).toBe(201)
  expect((await takeBack(dora, second.importId)).body).toEqual({ membersRemoved: 1, membersKept: 1, credits: 3 })
  expect((await memberOf(dora, 'jon@old')).user).toMatchObject({ totalCredits: 1 })
})

test('refuses after a credit was used, on another day, and for an unknown import', async () => {
  const { studio, ana, dora } = await openStudio({ now: '2026-12-07 23:50' })
  const hers = file(`Ana,Cast,${ana.email},,2,2026-12-10,`, JON)
  const { importId } = (await runImport(dora, hers)).body
  const after = await everything(studio)
  expect(await takeBack(ana, importId)).toMatchObject({ status: 403 })
  expect(await takeBack(dora, importId + 1)).toBeRefused(importRefusals.import_not_found)
  // The imported pass expires first, so it pays.
  expect((await ana.book(await studio.createClass('Tuesday 10:00'))).status).toBe(201)
  expect(await takeBack(dora, importId)).toBeRefused(importRefusals.import_used)
  const other = (await runImport(dora, file(KIM))).body
  studio.travelTo('2026-12-08 00:00')
  expect(await takeBack(dora, other.importId)).toBeRefused(importRefusals.take_back_too_late)
  expect((await dora.call(listImports)).body).toMatchObject([{ mayTakeBack: false }, { mayTakeBack: false }])
  expect(await memberOf(dora, 'jon@old')).toBeDefined()
  expect(await everything(studio)).toBe(after + 3)
})

test('two concurrent requests take it back once', async () => {
  const { studio, ana, dora } = await openStudio()
  const eve = await studio.admin('Eve')
  const before = await studio.creditsOf(ana)
  const { importId } = (await runImport(dora, file(`Ana,Cast,${ana.email},,2,2027-01-01,`, JON))).body
  const responses = await Promise.all([takeBack(dora, importId), takeBack(eve, importId)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await studio.creditsOf(ana)).toBe(before)
})

describe('what was written about a new member since keeps them', () => {
  const ID = "select id from users where email = 'kim@old.example'"
  test.each<[string, (story: Awaited<ReturnType<typeof openStudio>>, id: string) => Promise<unknown>]>([
    [
      'a complaint about data',
      ({ dora }, id) => {
        const body = { channel: 'phone', receivedOn: '2026-12-07', complaint: 'Why do you have my address?' } as const
        return dora.call(recordMemberComplaint, { params: { id }, body })
      },
    ],
    ['a complaint', ({ dora }, id) => dora.call(openComplaint, { params: { id }, body: { reason: 'Cold studio' } })],
    ['a note', ({ dora }, id) => dora.call(addNote, { params: { id }, body: { text: 'Rang' } })],
    ['an edit', ({ dora }, id) => dora.call(editUser, { params: { id }, body: { phone: '01632 960111' } })],
    [
      'a voucher sold to them',
      async ({ studio, dora }, id) => {
        const { id: packageId } = await studio.createPackage({ price: '45.00' })
        const body = { packageId, method: 'cash', gift: { recipientName: 'Grace' } } as const
        return await dora.call(sellVoucher, { params: { id }, body })
      },
    ],
    [
      'a place held for them',
      async ({ studio, ana }) =>
        ana.book(await studio.createClass('Thursday 18:00'), {
          companion: { firstName: 'Kim', lastName: 'Dahl', email: 'KIM@old.example' },
        }),
    ],
  ])('%s', async (_, write) => {
    const story = await openStudio({ now: 'Monday 09:00' })
    const { studio, dora } = story
    const { importId } = (await runImport(dora, file('Kim,Dahl,kim@old.example,,,,', JON))).body
    const { rows } = await studio.server.database.pool.query<{ id: string }>(ID)
    expect((await write(story, rows[0]?.id ?? '')) as object).toHaveProperty('status', expect.toBeOneOf([200, 201]))
    expect((await takeBack(dora, importId)).body).toMatchObject({ membersRemoved: 1, membersKept: 1 })
    expect(await studio.count("select count(*) from users where email = 'kim@old.example'")).toBe(1)
    expect(await studio.count('select count(*) from erasures')).toBe(1)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })
})

test('takes back the consent to news that it recorded, and no other; one that it replaced counts again', async () => {
  const { studio, boris, dora } = await openStudio({ now: 'Monday 09:00' })
  const [eve, fay] = [await studio.member('Eve'), await studio.member('Fay')]
  const { transaction } = studio.server.database
  const agreed = { agreedAt: Temporal.Instant.from('2026-10-01T10:00Z'), source: 'dashboard' as const }
  const own = { ...agreed, agreedAt: Temporal.Instant.from('2026-12-01T10:00Z') }
  await transaction((tx) => recordMarketingConsent(tx, { userId: fay.id, ...agreed }, studio.clock.now()))
  await transaction((tx) => recordMarketingConsent(tx, { userId: eve.id, ...own }, studio.clock.now()))
  const csv = [
    'First name,Last name,Email,Consent,Consent date,Consent source',
    ...[fay, boris, eve].map(({ name, email }) => `${name},Cast,${email},yes,2026-11-01,Wrong column`),
  ].join('\r\n')
  const consents = async () =>
    await Promise.all([fay, boris, eve].map(async (person) => (await person.read(getConsents)).marketing?.agreedAt))
  const { importId } = (await runImport(dora, csv)).body
  expect(await consents()).toEqual(['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z', '2026-12-01T10:00:00Z'])
  expect((await takeBack(dora, importId)).status).toBe(200)
  expect(await consents()).toEqual(['2026-10-01T10:00:00Z', undefined, '2026-12-01T10:00:00Z'])
})
