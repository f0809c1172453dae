/** For this folder's tests: import files and their results. */
import { getMemberPage, listUsers } from '#insights/contract.ts'
import type { Person } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'
import { type ImportResult, importMembers } from '../contract.ts'

export const HEAD = 'First name,Last name,Email,Phone,Credits,Expiry,Package'
export const file = (...rows: string[]) => [HEAD, ...rows].join('\r\n')
export const IDA = 'Ida,Holm,ida@old.example,01632 960130,8,31/01/2027,8 Class Pass'
export const JON = 'Jon,Berg,jon@old.example,,3,2026-12-20,Old Ten'
export const KIM = 'Kim,Dahl,kim@old.example,,,,'

export const dryRunImport = async (admin: Person, csv: string, more: object = {}): Promise<ImportResult> =>
  (await admin.call(importMembers, { body: { csv, dryRun: true, ...more } })).body
export const runImport = (admin: Person, csv: string, more: object = {}) =>
  admin.call(importMembers, { body: { csv, dryRun: false, ...more } })
export const memberOf = async (admin: Person, search: string) => {
  const [user] = (await admin.call(listUsers, { query: { search } })).body
  return user && (await admin.call(getMemberPage, { params: { id: user.id } })).body
}
export const everything = (studio: StudioUnderTest) =>
  studio.count(
    'select (select count(*) from users) + (select count(*) from passes) + (select count(*) from credit_ledger) + (select count(*) from import_rows)',
  )
