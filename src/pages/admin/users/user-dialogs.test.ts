import { expect, test } from 'vitest'
import type { EditUserForm } from '#accounts/contract.ts'
import { editOf } from './user-dialogs.tsx'

const former: EditUserForm = {
  username: 'ana@people.example',
  email: 'ana@people.example',
  firstName: 'Ana',
  lastName: 'Brook',
  phone: '01632 960111',
  role: 'member',
  teachesAs: '',
}
const { phone: _, role: __, teachesAs: ___, ...names } = former

test.each<[string, Partial<EditUserForm>, object]>([
  ['nothing', {}, { ...names, isAdmin: false }],
  ['a first name', { firstName: 'Anna' }, { ...names, firstName: 'Anna', isAdmin: false }],
  ['a phone number that was removed', { phone: '' }, { ...names, isAdmin: false, phone: '' }],
  ['a role', { role: 'admin' }, { ...names, isAdmin: true, role: 'admin' }],
  [
    'a teacher',
    { role: 'teacher', teachesAs: 'Ana B' },
    { ...names, isAdmin: false, role: 'teacher', teachesAs: 'Ana B' },
  ],
])('sends the specified fields, and ours if they changed: %s', (_, typed, sent) => {
  expect(editOf({ ...former, ...typed }, former)).toEqual(sent)
})

test('leaves out specified fields that are empty', () => {
  const byPhone = { ...former, username: '', email: '', lastName: '' }
  expect(editOf(byPhone, byPhone)).toEqual({ firstName: 'Ana', isAdmin: false })
})

test('sends an admin’s rights as they are', () => {
  const admin = { ...former, role: 'admin' as const }
  expect(editOf(admin, admin)).toEqual({ ...names, isAdmin: true })
})
