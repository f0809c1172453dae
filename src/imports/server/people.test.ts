import { expect, test } from 'vitest'
import { editProfile } from '#accounts/contract-profile.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { takeBackImport } from '../contract.ts'
import { dryRunImport, everything, file, memberOf, runImport } from './imports-under-test.ts'

const NELL = 'Nell,Ashby,ashby@old.example,07700 900100,5,31/01/2027,'
const OSCAR = 'Oscar,Ashby,ashby@old.example,07700 900101,5,31/01/2027,'
const PETRA = 'Petra,Cole,,07700 900102,4,31/01/2027,'

test('people who share an address, or have none, become members by phone with their credits, once', async () => {
  const { studio, dora } = await openStudio()
  const csv = file(NELL, OSCAR, PETRA)
  const { rows, counts } = await dryRunImport(dora, csv)
  expect(counts).toMatchObject({ members: 3, credits: 14, wrong: 0, toCheck: 2 })
  expect(rows.map(({ name, email, phone, does, notes }) => [name, email, phone, does, notes])).toEqual([
    ['Nell Ashby', 'ashby@old.example', '07700 900100', 'add_with_pass', []],
    [
      'Oscar Ashby',
      null,
      '07700 900101',
      'add_with_pass',
      ['Nell Ashby in line 2 has this address, so Oscar becomes a member by phone number only.'],
    ],
    ['Petra Cole', null, '07700 900102', 'add_with_pass', ['There is no email address, so they cannot sign in.']],
  ])
  const { body } = await runImport(dora, csv, { invite: true })
  expect(body.counts).toMatchObject({ members: 3, invitations: 1 })
  expect((await memberOf(dora, 'Oscar')).user).toMatchObject({ email: null, username: null, totalCredits: 5 })
  const invited = (await studio.mailbox()).map(({ to }) => to).filter((to) => to.endsWith('old.example'))
  expect(invited).toEqual(['ashby@old.example'])

  const after = await everything(studio)
  // Also when the numbers are written otherwise, and without the row that had the address first.
  const again = file(OSCAR.replace('07700 900101', '+44 7700-900101'), PETRA.replace('Petra,Cole', 'petra,COLE'))
  expect((await runImport(dora, again)).body.counts).toMatchObject({ members: 0, passes: 0, nothing: 2 })
  expect(await everything(studio)).toBe(after)

  const more = file(OSCAR.replace(',5,', ',2,'))
  expect((await dryRunImport(dora, more)).rows).toMatchObject([{ name: 'Oscar Ashby', email: null, does: 'pass' }])
})

test('an import with members by phone can be taken back', async () => {
  const { studio, dora } = await openStudio()
  const before = await everything(studio)
  const { importId } = (await runImport(dora, file(PETRA))).body
  expect((await dora.call(takeBackImport, { params: { id: importId } })).body).toMatchObject({ membersRemoved: 1 })
  expect(await memberOf(dora, 'Petra')).toBeUndefined()
  // The pass and its ledger stay, voided, as for other members.
  expect(await studio.count('select count(*) from users')).toBeLessThanOrEqual(before)
})

test('names that differ in spelling only, or by a part, are one person', async () => {
  const { dora } = await openStudio()
  const csv = file(
    'Zoë,O’Neill,zoe@old.example,,5,31/12/2026,',
    "Zoe\u0308,O'Neill\u00a0,zoe@old.example,,3,31/01/2027,",
    'Zoe,J O’Neill,zoe@old.example,,2,31/01/2027,',
    'Max,Other,zoe@old.example,,2,31/01/2027,',
  )
  const { rows } = await dryRunImport(dora, csv)
  expect(rows.map(({ does, notes }) => [does, notes])).toEqual([
    ['add_with_pass', []],
    ['pass', []],
    ['pass', ['Line 2 has this address as Zoë O’Neill: they are one member.']],
    ['wrong', ['Zoë O’Neill in line 2 has this address. Give each person an address or a phone number of their own.']],
  ])
})

test('finds a package, and a row that was imported before, however the name is written', async () => {
  const { studio, dora } = await openStudio()
  const pack = await studio.createPackage({ name: 'Été – 8 Classes' })
  const row = (name: string) => file(`Nell,Ashby,nell@old.example,,5,31/01/2027,${name}`)
  expect((await dryRunImport(dora, row('Ete\u0301 - 8  classes'))).rows).toMatchObject([{ package: pack.name }])
  await runImport(dora, row('Été – 8 Classes'))
  expect((await dryRunImport(dora, row('Ete\u0301 - 8  classes'))).rows).toMatchObject([{ does: 'nothing' }])
})

test('members of an import without a last name can change their other details and keep their one name', async () => {
  const { studio, boris, dora } = await openStudio()
  await studio.server.database.pool.query("update users set last_name = '' where id = $1", [boris.id])
  const saved = await boris.call(editProfile, { body: { firstName: 'Boris', phone: '01632 960130' } })
  expect(saved.body).toMatchObject({ firstName: 'Boris', lastName: '', phone: '01632 960130' })
  const empty = { firstName: 'Boris', lastName: ' ', phone: '' }
  expect(await boris.request('PUT', '/api/user/profile', empty)).toMatchObject({ status: 400 })
  const edit = { firstName: 'Bo' }
  expect(await dora.request('PUT', `/api/admin/users/${boris.id}`, edit)).toMatchObject({
    body: { firstName: 'Bo', lastName: '' },
  })
})
