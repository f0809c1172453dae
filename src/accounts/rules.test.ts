import { expect, test } from 'vitest'
import { RegisterForm } from './contract.ts'
import { RECOVERY_BYTES, readCode, recoveryCodeOf } from './factor-rules.ts'
import { PASSWORD_MINIMUM, phoneHref } from './rules.ts'

test.each([
  ['12345', false],
  ['123456', true],
])('accepts the password %s: %s', (password, isTaken) => {
  const form = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Cast', password, confirmPassword: password }
  expect(RegisterForm.safeParse(form).success).toBe(isTaken)
  expect(password.length >= PASSWORD_MINIMUM).toBe(isTaken)
})

test.each([
  ['01632 960147', 'tel:01632960147'],
  ['+44 (0)1632 960-147', 'tel:+441632960147'],
  ['(01632) 960.147', 'tel:01632960147'],
])('the link of %s dials %s', (phone, href) => {
  expect(phoneHref(phone)).toBe(href)
})

test('a recovery code has 120 bits and is parsed as typed', () => {
  const code = recoveryCodeOf(new Uint8Array(RECOVERY_BYTES).fill(255))
  expect([RECOVERY_BYTES * 8, code]).toEqual([120, 'zzzz-zzzz-zzzz-zzzz-zzzz-zzzz'])
  expect(recoveryCodeOf(Uint8Array.from({ length: RECOVERY_BYTES }, (_, at) => (at === 14 ? 1 : 0)))).toMatch(/-0001$/)
  expect(readCode('Z '.repeat(24))?.kind).toBe('recovery')
  for (const letters of [16, 23, 25]) expect(readCode('z'.repeat(letters))).toBeUndefined()
})
