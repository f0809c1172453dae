import { expect, test } from 'vitest'
import { deletePass } from '#passes/contract.ts'
import { deleteUser } from '#privacy/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { dryRunImport, everything, file, IDA, JON, KIM, memberOf, runImport } from './imports-under-test.ts'

test('imports each row only once, even after names were corrected, passes voided or members erased', async () => {
  const { studio, dora } = await openStudio()
  await runImport(dora, file(IDA, JON, KIM))
  const after = await everything(studio)
  const again = await runImport(dora, file(KIM, IDA.replace('Holm', 'Holme'), JON), { invite: true })
  expect(again.body.counts).toMatchObject({ members: 0, passes: 0, nothing: 3, invitations: 0 })
  const ida = await memberOf(dora, 'ida@old')
  await dora.call(deletePass, { params: { id: ida.passes[0].id } })
  await dora.call(deleteUser, { params: { id: (await memberOf(dora, 'jon@old')).user.id } })
  const { rows } = await dryRunImport(dora, file(IDA, JON, KIM))
  expect(rows.map(({ does, notes }) => [does, notes])).toEqual(
    Array.from({ length: 3 }, () => ['nothing', ['This row has already been imported.']]),
  )
  await runImport(dora, file(IDA, JON, KIM))
  expect(await memberOf(dora, 'jon@old')).toBeUndefined()
  expect((await memberOf(dora, 'ida@old')).user.totalCredits).toBe(0)
  expect(after).toBeGreaterThan(0)
  // A different number is a different row, which is added; the dry run warns about it.
  const more = await dryRunImport(dora, file(IDA.replace(',8,', ',6,')))
  expect(more.rows[0]?.notes).toEqual([
    'There is no package “8 Class Pass”, so the credits go to “Brought over”.',
    'They already have imported credits. These are added.',
  ])
})

test('concurrent imports and a double click import once', async () => {
  const { studio, ana, dora } = await openStudio()
  const eve = await studio.admin('Eve')
  // The member already exists, so only the row shows that it was imported.
  const hers = file(`Ana,Cast,${ana.email},,2,2027-01-01,`)
  await Promise.all([runImport(dora, hers), runImport(eve, hers)])
  expect(await studio.creditsOf(ana)).toBe(12)
  const both = await Promise.all([runImport(dora, file(IDA, JON)), runImport(eve, file(JON, IDA))])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both.map(({ body }) => body.counts.members).sort()).toEqual([0, 2])
  const key = { 'idempotency-key': 'one file' }
  const body = { csv: file(KIM), dryRun: false, invite: true }
  const clicks = await Promise.all([1, 2].map(() => dora.request('POST', '/api/admin/import', body, key)))
  expect(clicks.map((click) => click.body.counts.members)).toEqual([1, 1])
  expect(await studio.count("select count(*) from users where email like '%old.example'")).toBe(3)
  expect(
    await studio.count(
      'select sum(credits) from credit_ledger l join passes p on p.id = l.pass_id join users u on u.id = p.user_id where email like $1',
      ['%old.example'],
    ),
  ).toBe(11)
  expect((await studio.mailTo({ email: 'kim@old.example' })).length).toBe(1)
})

test('several passes for one address make one member; a repeated line counts once', async () => {
  const { dora } = await openStudio()
  const csv = file(JON, JON, JON.replace(',3,2026-12-20', ',4,'), KIM, KIM)
  const { rows } = await dryRunImport(dora, csv)
  expect(rows.map(({ does, notes }) => [does, notes[0]])).toEqual([
    ['add_with_pass', expect.stringContaining('Old Ten')],
    ['nothing', 'The same as line 2.'],
    ['pass', 'No expiry date, so they are valid for 12 months.'],
    ['add', undefined],
    ['nothing', 'The same as line 5.'],
  ])
  await runImport(dora, csv)
  const { passes } = await memberOf(dora, 'jon@old')
  expect(passes).toMatchObject([{ creditsRemaining: 3 }, { creditsRemaining: 4, expiresAt: '2027-12-07T23:59:59Z' }])
})
