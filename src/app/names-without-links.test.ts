import { expect, test } from 'vitest'
import { NO_LINKS } from '#foundation/person-names.ts'
import { dryRunImport, file, runImport } from '#imports/server/imports-under-test.ts'
import { openStudio } from '#testing/studio-under-test.ts'

test('refuses a web address as a name wherever members are added or edited, and emails none', async () => {
  const { studio, boris, dora } = await openStudio()
  const email = 'victim@people.example'
  const people = () => studio.count('select count(*) from users')
  const before = await people()
  for (const [field, name] of [
    ['firstName', 'Win at evil.com/prize'],
    ['lastName', 'https://evil.example'],
    ['lastName', 'Cast\nPay here'],
  ] as const) {
    const person = { email, password: 'a-secret', firstName: 'Vic', lastName: 'Cast', [field]: name }
    const refused = { status: 400, body: { message: NO_LINKS, errors: [{ path: field, message: NO_LINKS }] } }
    expect(await studio.visitor().request('POST', '/api/register', person)).toMatchObject(refused)
    expect(await dora.request('POST', '/api/admin/users', { ...person, phone: '' })).toMatchObject(refused)
    expect(await dora.request('PUT', `/api/admin/users/${boris.id}`, { [field]: name })).toMatchObject(refused)
  }
  const csv = file(`www.evil.example,Cast,${email},,8,31/01/2027,8 Class Pass`)
  const { rows } = await dryRunImport(dora, csv)
  expect(rows).toMatchObject([{ does: 'wrong', notes: ['The name contains a web or email address.'] }])
  await runImport(dora, csv)
  expect(await people()).toBe(before)
  expect(await studio.mailTo({ email })).toEqual([])
})
