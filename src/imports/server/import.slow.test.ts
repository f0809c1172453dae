import { describe, expect, test } from 'vitest'
import { accountRefusals, register } from '#accounts/contract.ts'
import { countUninvited, sendInvitations } from '#accounts/contract-invitations.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { getAnalytics, listAudit } from '#insights/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { importRefusals } from '../contract.ts'
import { dryRunImport, everything, file, HEAD, IDA, JON, KIM, memberOf, runImport } from './imports-under-test.ts'

describe('imports members', () => {
  test('a dry run reports what each row would do and changes nothing', async () => {
    const { studio, ana, dora } = await openStudio()
    await studio.createPackage()
    const before = await everything(studio)
    const csv = file(IDA, JON, KIM, `Anna,Cast,${ana.email.toUpperCase()},,2,2027-01-01,`, `Ana,Cast,${ana.email},,,,`)
    const response = await dryRunImport(dora, csv)
    expect(response).toMatchObject({
      dryRun: true,
      problems: [],
      columns: expect.arrayContaining([
        { heading: 'Expiry', samples: ['31/01/2027', '2026-12-20', '2027-01-01'], takenFor: 'expiry' },
      ]),
      counts: { members: 3, passes: 3, credits: 13, nothing: 1, wrong: 0, toCheck: 2, invitations: 0 },
    })
    expect(response.rows).toEqual([
      {
        line: 2,
        name: 'Ida Holm',
        email: 'ida@old.example',
        phone: '01632 960130',
        does: 'add_with_pass',
        credits: 8,
        package: '8 Class Pass',
        expiresOn: '2027-01-31',
        books: null,
        consentSince: null,
        notes: [],
      },
      expect.objectContaining({
        does: 'add_with_pass',
        package: 'Brought over',
        expiresOn: '2026-12-20',
        notes: ['There is no package “Old Ten”, so the credits go to “Brought over”.'],
      }),
      expect.objectContaining({ name: 'Kim Dahl', does: 'add', credits: 0, package: null, expiresOn: null }),
      expect.objectContaining({
        does: 'pass',
        credits: 2,
        notes: ['They are already a member as Ana Cast, and keep that name.'],
      }),
      expect.objectContaining({
        line: 6,
        does: 'nothing',
        notes: ['They are already a member, and the row has no credits.'],
      }),
    ])
    expect(await everything(studio)).toBe(before)
  })

  test('with their credits until the end of the day, without revenue or emails', async () => {
    const { studio, ana, dora } = await openStudio()
    const sold = await studio.createPackage()
    const revenue = async () => (await dora.call(getAnalytics)).body.totalRevenue
    const { status, body } = await runImport(
      dora,
      file(IDA, JON, KIM, `Anna,Cast,${ana.email},01632 960131,2,2027-01-01,`),
    )
    expect([status, body]).toMatchObject([200, { dryRun: false, rows: [], counts: { members: 3, credits: 13 } }])
    const ida = await memberOf(dora, 'ida@old')
    expect(ida.user).toMatchObject({ firstName: 'Ida', phone: '01632 960130', totalCredits: 8, canLogIn: false })
    expect(ida.passes).toMatchObject([{ packageId: sold.id, creditsRemaining: 8, expiresAt: '2027-01-31T23:59:59Z' }])
    expect(ida.ledger).toMatchObject([
      { kind: 'gift', credits: 8, reason: 'Imported from the previous booking system' },
    ])
    expect((await memberOf(dora, 'jon@old')).passes).toMatchObject([{ package: { name: 'Brought over' } }])
    const ours = await memberOf(dora, ana.email)
    expect(ours.user).toMatchObject({ firstName: 'Ana', phone: null, totalCredits: 12 })
    expect([await revenue(), (await studio.mailbox()).filter(({ to }) => to.endsWith('old.example'))]).toEqual([
      '0.00',
      [],
    ])
    const { body: lines } = await dora.call(listAudit, { query: { subject: `user:${ida.user.id}` } })
    expect(lines).toMatchObject([
      { action: 'imported', changes: { credits: { after: 8 }, email: { after: 'ida@old.example' } } },
    ])

    expect((await dora.call(countUninvited)).body).toEqual({ waiting: 3 })
    const sends = await Promise.all([dora.call(sendInvitations), dora.call(sendInvitations)])
    expect(sends.map(({ body: { sent } }) => sent).sort()).toEqual([0, 3])
    const mails = (await studio.mailbox()).filter(({ to }) => to.endsWith('old.example'))
    expect(mails.map(({ to }) => to).sort()).toEqual(['ida@old.example', 'jon@old.example', 'kim@old.example'])
  })

  test('and can invite them; a member who registers first is emailed the link too', async () => {
    const { studio, dora } = await openStudio()
    await runImport(dora, file(JON))
    expect((await runImport(dora, file(IDA, KIM), { invite: true })).body.counts).toMatchObject({ invitations: 2 })
    const body = { email: 'jon@old.example', firstName: 'Jon', lastName: 'Berg', password: 'secret' }
    expect(await studio.visitor().call(register, { body })).toBeRefused(accountRefusals.already_invited)
    const mails = (await studio.mailbox()).filter(({ to }) => to.endsWith('old.example'))
    expect(mails.map(({ to }) => to).sort()).toEqual(['ida@old.example', 'jon@old.example', 'kim@old.example'])
  })
})

describe('errors', () => {
  const wrongRows: [row: string, note: RegExp][] = [
    ['=1+1,Holm,a@old.example,,,,', /formula/],
    [',-,b@old.example,,,,', /name is missing/],
    ['Ann,Holm,nobody,,,,', /not an email address/],
    ['Ann,Holm,,,,,', /email address is missing/],
    ['Ann,"Holm"x,g@old.example,,,,', /quotation mark/],
    ['Ann,Mary,Holm,h@old.example,01632 960130,1,31/01/2027,A pass', /more cells/],
  ]

  test('are listed by row; either no row is imported, or only the valid ones', async () => {
    const { studio, dora } = await openStudio()
    const before = await everything(studio)
    const csv = file(IDA, ...wrongRows.map(([row]) => row), KIM)
    const { rows, counts } = await dryRunImport(dora, csv)
    expect(counts).toMatchObject({ members: 2, wrong: wrongRows.length })
    for (const [i, [row, note]] of wrongRows.entries()) {
      expect([row, rows[i + 1]]).toMatchObject([
        row,
        { line: i + 3, does: 'wrong', notes: [expect.stringMatching(note)] },
      ])
    }
    const refused = await runImport(dora, csv)
    expect(refused).toBeRefused(importRefusals.import_rows_invalid)
    expect(refused.body.errors).toHaveLength(wrongRows.length)
    expect(await everything(studio)).toBe(before)
    expect((await runImport(dora, csv, { leaveOutWrong: true })).body.counts).toMatchObject({ members: 2, wrong: 6 })
  })

  test('leaves out what is wrong of an optional cell, with a note, and adds the member', async () => {
    const { dora } = await openStudio()
    const csv = file(
      IDA,
      'Ann,Holm,d@old.example,call me,,,',
      'Ann,Holm,e@old.example,,Unlimited,,',
      'Ann,Holm,f@old.example,,8,12/31/2026,',
      'Ann,Holm,nobody,01632 960131,,,',
      'Ann,Holm,h@old.example,,,,,,extra',
    )
    const { rows, counts } = await dryRunImport(dora, csv)
    expect(counts).toMatchObject({ members: 6, wrong: 0, toCheck: 6 })
    expect(rows.slice(1).map(({ does, notes }) => [does, notes[0]])).toEqual([
      ['add', '“call me” is not a phone number, so it is left out.'],
      ['add', expect.stringMatching(/^“Unlimited” is not a whole number of credits/)],
      ['add_with_pass', '“12/31/2026” is not a date such as 31/12/2026, so they are valid for 12 months.'],
      ['add', '“nobody” is not an email address, so it is left out.'],
      ['add', 'This line has more cells than headings. Please check it.'],
    ])
    expect((await runImport(dora, csv)).body.counts).toMatchObject({ members: 6, credits: 16 })
  })

  test('leaves out expired credits', async () => {
    const { dora } = await openStudio()
    await runImport(
      dora,
      file('Old,Timer,old@old.example,,5,06/12/2026,', 'Just,Intime,just@old.example,,5,07/12/2026,'),
    )
    expect((await memberOf(dora, 'old@old')).user.totalCredits).toBe(0)
    expect((await memberOf(dora, 'just@old')).user.totalCredits).toBe(5)
  })

  test.each([
    ['Please choose a file', ''],
    ['This file is empty.', ' \n '],
    ['There are no rows below the headings.', HEAD],
    [
      'This line has a quotation mark in the wrong place.',
      `${HEAD}\nIda,Holm,ida@old.example\nJon,"Berg,jon@old.example`,
    ],
    ['Which column holds the email address?', 'Foo,Bar\n1,2'],
    ['Please remove characters that cannot be stored.', `\ufffeI\0d\0a\0`],
    [
      'Please split the file: at most 5,000 rows can be imported at once.',
      file(...Array.from({ length: 5001 }, (_, i) => `A,B,n${i}@old.example,,,,`)),
    ],
  ])('refuses a file: %s', async (problem, csv) => {
    const { studio, dora } = await openStudio()
    const before = await everything(studio)
    const refused = await runImport(dora, csv)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining(problem)])
    expect(await everything(studio)).toBe(before)
  })

  test('limits the file to 5 MB; other routes still to 100 kB', async () => {
    const { dora } = await openStudio()
    const big = 'x'.repeat(5 * 1024 * 1024)
    expect((await runImport(dora, big)).status).toBe(413)
    expect((await dryRunImport(dora, big.slice(200_000))).problems).not.toEqual([])
  })

  test('accepts a choice of columns, and semicolons and tabs as separators', async () => {
    const { dora } = await openStudio()
    const csv = '\ufeffWer;Anschrift;Rest\r\nMüller, Änne;aenne@old.example;4'
    expect(await dryRunImport(dora, csv)).toMatchObject({
      columns: [{ heading: 'Wer', takenFor: null }, { heading: 'Anschrift', takenFor: 'email' }, { heading: 'Rest' }],
      rows: [],
      problems: ['Which columns hold the names?'],
    })
    const columns = { Wer: 'name', Rest: 'credits' }
    expect(await dryRunImport(dora, csv, { columns })).toMatchObject({
      problems: [],
      rows: [{ name: 'Änne Müller', credits: 4 }],
    })
  })

  test('admins only', async () => {
    const { studio, boris } = await openStudio()
    expect(await runImport(boris, file(IDA))).toBeRefused(commonRefusals.forbidden)
    expect((await runImport(studio.visitor(), file(IDA))).status).toBe(401)
    expect(await boris.call(sendInvitations)).toBeRefused(commonRefusals.forbidden)
  })
})

test('imports and invites a thousand rows in one request', async () => {
  const { studio, dora } = await openStudio()
  const rows = Array.from(
    { length: 1000 },
    (_, i) => `First${i},Last${i},many${i}@old.example,01632 960${i},${i % 9},31/01/2027,`,
  )
  const { status, body } = await runImport(dora, file(...rows), { invite: true })
  expect([status, body.counts.members, body.counts.invitations]).toEqual([200, 1000, 1000])
  expect(
    await studio.count("select count(*) from pgboss.job where name = 'mail' and data ->> 'mail' = 'invitation'"),
  ).toBe(1000)
})
