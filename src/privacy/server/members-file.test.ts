import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { addMember } from '#accounts/contract-invitations.ts'
import { editProfile } from '#accounts/contract-profile.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { importMembers } from '#imports/contract.ts'
import { listAudit } from '#insights/contract.ts'
import { listSecurityRecord } from '#insights/contract-security.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { exportMembers } from '../contract.ts'

const download = async (admin: Person): Promise<string> => String((await admin.call(exportMembers)).body)
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { bom: true, columns: true })

/** Members without the ids of one studio. */
async function membersIn(studio: StudioUnderTest) {
  const { rows } = await studio.server.database.pool.query(`
    select first_name, last_name, email, phone,
      (select json_agg(json_build_array(credits_remaining, (expires_at at time zone 'Europe/London')::date) order by expires_at)
        from passes where user_id = users.id and credits_remaining > 0) as credits,
      (select (agreed_at at time zone 'Europe/London')::date::text || ' ' || note
        from marketing_consents where user_id = users.id) as consent
    from users where not is_admin order by email`)
  return rows
}

const ROWS = `First name,Last name,Email,Phone,Credits,Expiry,Consent,Consent date,Consent source
Siân,O’Neill,sian@people.example,+44 7700 900111,8,31/01/2027,yes,01/11/2026,Sign-up form
"Smith, Jr.",Ærø,jr@people.example,,3,2027-06-30,,,
Kim,"Dahl ""Kiki""",kim@people.example,020 7946 0958 ext 12,,,yes,2026-10-25,=HYPERLINK
Lou,Free,lou@people.example,-07700 900113,,,,,
Ola,Phone,,01632 960123,2,2027-06-30,,,
Cher,,cher@people.example,,,,,,`

test('the import reads the members, credits and consents of a downloaded file into an empty studio', async () => {
  const first = await openEmptyStudio()
  const dora = await first.admin('Dora')
  const done = await dora.call(importMembers, { body: { csv: ROWS, dryRun: false } })
  expect(done.body.counts).toMatchObject({ members: 6, wrong: 0, credits: 13, consents: 2 })
  const csv = await download(dora)

  const second = await openEmptyStudio()
  const eva = await second.admin('Eva')
  const again = await eva.call(importMembers, { body: { csv, dryRun: false } })
  expect(again.body.counts).toMatchObject({ members: 6, wrong: 0, credits: 13, consents: 2 })
  const members = await membersIn(second)
  expect(members).toHaveLength(6)
  expect(members).toEqual(await membersIn(first))
})

test('has one line a member, with credits by their end, bookings, the health form and consents, and no staff', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.grantCredits(ana, 5, 6)
  await ana.book(await studio.createClass('Tuesday 18:00'))
  await studio.teacher('Tess')
  await dora.call(addMember, { body: { firstName: 'Ola', lastName: 'Phone', phone: '01632 960123' } })
  await boris.call(editProfile, { body: { firstName: 'Boris', lastName: 'Cast', phone: '+44 7700 900111' } })
  const rows = rowsOf(await download(dora))
  expect(rows.map((row) => row['First name']).sort()).toEqual(['Ana', 'Boris', 'Ola'])
  const lineOf = (name: string) => rows.find((row) => row['First name'] === name)
  expect(lineOf('Ana')).toMatchObject({
    Email: 'ana@people.example',
    Joined: '2026-12-07',
    'Health form': 'yes',
    'Health form signed': '2026-12-07',
    Bookings: '1',
    Credits: '14',
    Expiry: '2027-12-07',
    'Credits by their end': '4 until 2027-06-07; 10 until 2027-12-07',
    Consent: 'no',
  })
  expect(lineOf('Boris')).toMatchObject({
    // A spreadsheet would take a + for a formula.
    Phone: "'+44 7700 900111",
    'Health form': 'no',
    'Health form signed': '',
    Credits: '0',
    Expiry: '',
    'Credits by their end': '',
  })
  expect(lineOf('Ola')).toMatchObject({ Email: '', Phone: '01632 960123' })
})

test('leaves out used and expired credits, and a consent that was taken back', async () => {
  const { studio, boris, dora } = await openStudio()
  const { pool } = studio.server.database
  const lineOf = async (name: string) => rowsOf(await download(dora)).find((row) => row['First name'] === name)
  await pool.query(
    "insert into marketing_consents values ($1, '2026-12-01T00:00Z', 'dashboard', null, '2026-12-02Z')",
    [boris.id],
  )
  expect(await lineOf('Boris')).toMatchObject({
    Consent: 'yes',
    'Consent date': '2026-12-01',
    'Consent source': 'Dashboard',
  })
  await pool.query("insert into marketing_objections values ($1, '2026-12-02T00:00Z')", [boris.id])
  expect(await lineOf('Boris')).toMatchObject({ Consent: 'no', 'Consent date': '', 'Consent source': '' })
  studio.travelTo('2028-12-07 09:00')
  await studio.logIn(dora)
  expect(await lineOf('Ana')).toMatchObject({ Credits: '0', Expiry: '' })
})

test('is for an admin, and on record', async () => {
  const { studio, ana, dora } = await openStudio()
  expect(await ana.call(exportMembers)).toBeRefused(commonRefusals.forbidden)
  expect(await studio.visitor().call(exportMembers)).toBeRefused(commonRefusals.unauthorized)
  expect((await dora.call(exportMembers)).headers.get('content-disposition')).toBe('attachment; filename="members.csv"')
  expect(await dora.read(listAudit, { query: { subject: 'studio:members' } })).toMatchObject([
    { action: 'exported', admin: { id: dora.id }, subject: 'studio:members' },
  ])
  expect(await dora.read(listSecurityRecord, { query: { kind: 'exported' } })).toMatchObject([
    { kind: 'exported', actor: { id: dora.id }, subject: null },
  ])
})
