import { expect, test } from 'vitest'
import type { z } from 'zod'
import { editUser, register } from '#accounts/contract.ts'
import { editProfile } from '#accounts/contract-profile.ts'
import { NO_LINKS, toPersonName, withoutLinks } from '#foundation/person-names.ts'
import { dryRunImport, file, runImport } from '#imports/server/imports-under-test.ts'
import { openStudio } from '#testing/studio-under-test.ts'

test('refuses a web address as the name of a person who complains or is given a voucher, and emails nobody', async () => {
  const { studio, ana, dora } = await openStudio()
  const email = 'victim@people.example'
  const name = 'Your parcel waits at https://pay.evil.example/now'
  const complaint = { email, complaint: 'Where is it?' }
  const refused = (path: string) => ({ status: 400, body: { errors: [{ path, message: NO_LINKS }] } })
  const typed = await studio.visitor('Mallory').request('POST', '/api/data-complaints', { ...complaint, name })
  expect(typed).toMatchObject(refused('name'))
  const phoned = { ...complaint, name, otherContact: '', channel: 'phone', receivedOn: '2026-12-07' }
  expect(await dora.request('POST', '/api/admin/data-complaints', phoned)).toMatchObject(refused('name'))
  const packageId = await studio.count('select min(id) from packages')
  const gift = { recipientName: name, recipientEmail: email }
  const sale = { packageId, method: 'cash', gift }
  expect(await dora.request('POST', `/api/admin/users/${ana.id}/vouchers`, sale)).toMatchObject(
    refused('gift.recipientName'),
  )
  expect(await studio.mailTo({ email })).toEqual([])
})

test('no name with a link gets into the database, whatever way it takes', () => {
  expect(toPersonName('D’Arcy-Jones')).toBe('D’Arcy-Jones')
  expect(() => toPersonName('www.evil.example')).toThrow(NO_LINKS)
  expect(() => toPersonName('Ana\nPay here')).toThrow(NO_LINKS)
})

test('leaves links out of what a buyer writes to the person who gets the voucher', () => {
  const typed = 'Happy birthday!\nMore at https://pay.evil.example/now, see you at 9.30\nLove, Ana'
  expect(withoutLinks(typed)).toBe('Happy birthday!\nMore at (address left out) see you at 9.30\nLove, Ana')
})

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

/** Checked in other ways: they are no text to read, or have a form of their own. */
const NO_TEXT = ['email', 'username', 'password', 'phone', 'role', 'isAdmin', 'ifUpdatedAt']

test('no field about a member takes a web address, unless it is listed here', () => {
  for (const { shape } of [register.body, editProfile.body, editUser.body]) {
    for (const [field, schema] of Object.entries<z.ZodType>(shape)) {
      if (NO_TEXT.includes(field)) continue
      const decide = `${field}: may a member write links into it? Use personName, or list the field here.`
      expect(schema.safeParse('https://evil.example').success, decide).toBe(false)
      expect(schema.safeParse('Sam').success, field).toBe(true)
    }
  }
})
