import { expect, test } from 'vitest'
import { addNote, editUser, getCurrentUser, register } from '#accounts/contract.ts'
import { addMember } from '#accounts/contract-invitations.ts'
import { editProfile } from '#accounts/contract-profile.ts'
import { saveEmergencyContact } from '#health/contract.ts'
import { createPackage } from '#packages/contract.ts'
import { shareStudio } from '#testing/studio-under-test.ts'

const story = shareStudio()
let people = 0
const invisible = ['\u200b', '\u3164', '\u202e\u2066', ' \u2060\ufeff\u00a0', '\u2800']

test('a name that shows nothing is missing, in every form', async () => {
  const { studio, ana, boris, dora } = story
  for (const nothing of invisible) {
    const missing = { status: 400, body: { message: 'First name is required' } }
    const person = { email: 'nobody@people.example', password: 'a-secret', firstName: nothing, lastName: 'Cast' }
    expect(await studio.visitor().call(register, { body: person })).toMatchObject(missing)
    expect(await dora.call(addMember, { body: { ...person, phone: '' } })).toMatchObject(missing)
    expect(await dora.call(editUser, { params: { id: boris.id }, body: { firstName: nothing } })).toMatchObject(missing)
    expect(await ana.call(editProfile, { body: { firstName: nothing, lastName: 'Cast' } })).toMatchObject(missing)
    expect(await dora.call(createPackage, { body: { name: nothing } })).toMatchObject({
      body: { errors: expect.arrayContaining([{ path: 'name', message: 'Name is required' }]) },
    })
    expect(await dora.call(addNote, { params: { id: ana.id }, body: { text: nothing } })).toMatchObject({
      body: { message: 'Please write a note' },
    })
  }
})

test('invisible characters are removed from what is stored', async () => {
  const { studio, ana, boris, dora } = story
  const names = { firstName: '\u200bA\u00adna\u202e', lastName: 'Zoe\u0308\u00a0Cast\u200b', phone: null }
  expect((await ana.call(editProfile, { body: names })).body).toMatchObject({ firstName: 'Ana', lastName: 'Zoë Cast' })
  const email = '\u200bboris@new.example\u202c'
  await dora.call(editUser, { params: { id: boris.id }, body: { email, firstName: 'Bo\u2060ris' } })
  expect((await boris.call(getCurrentUser)).body).toMatchObject({ firstName: 'Boris', email: 'boris@new.example' })
  const text = 'One\u202e line\r\nand 👩‍👧 another\u200b'
  expect((await dora.call(addNote, { params: { id: ana.id }, body: { text } })).body.text).toBe(
    'One line\r\nand 👩‍👧 another',
  )
  expect(await studio.count("select count(*) from users where first_name ~ U&'[\\200B-\\202E\\2060]'")).toBe(0)
})

test.each([
  ['\u202a+44 7700 900111\u202c', '+44 7700 900111'],
  ['07700\u2011900112', '07700-900112'],
  ['07700\u2013900112', '07700-900112'],
  ['020 7946 0958 ext 12', '020 7946 0958 ext 12'],
  ['020 7946 0958 x12', '020 7946 0958 x12'],
  ['Tel. 07700 900112', '07700 900112'],
])('the phone number %j is stored as %j wherever it is typed', async (typed, stored) => {
  const { studio, ana, boris, dora } = story
  const [who, email] = [studio.visitor(), `person-${++people}@people.example`]
  const person = { firstName: 'Vera', lastName: 'Cast', phone: typed }
  const phones = [
    (await who.call(register, { body: { ...person, email, password: 'a-secret' } })).body.user?.phone,
    (await ana.call(editProfile, { body: person })).body.phone,
    (await dora.call(addMember, { body: { ...person, email: `added.${email}` } })).body.phone,
    (await dora.call(editUser, { params: { id: boris.id }, body: { phone: typed } })).body.phone,
  ]
  expect(phones).toEqual([stored, stored, stored, stored])
})

test.each(['call me', '07700 900111; 07700 900112', '07700 900111 (mum)', 'ext 12', '12'])(
  '%j is not a phone number',
  async (phone) => {
    const { boris, dora } = story
    expect(await dora.call(editUser, { params: { id: boris.id }, body: { phone } })).toMatchObject({
      body: { message: 'Please enter a valid phone number' },
    })
  },
)

test('the phone number of an emergency contact is cleaned too', async () => {
  const contact = { contactName: 'Sam', relationship: 'Partner', phoneNumber: '\u202a01632\u2011960199\u202c' }
  const { ana } = story
  await ana.call(saveEmergencyContact, { body: contact })
  expect((await ana.request('GET', '/api/health/emergency-contact')).body).toMatchObject({ phone: '01632-960199' })
})
