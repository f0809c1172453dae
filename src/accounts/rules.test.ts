import { expect, test } from 'vitest'
import { RegisterForm } from './contract.ts'
import { PASSWORD_MINIMUM, phoneHref } from './rules.ts'

test.each([
  ['12345', false],
  ['123456', true],
])('the password %s is long enough: %s', (password, isTaken) => {
  const form = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Cast', password, confirmPassword: password }
  expect(RegisterForm.safeParse(form).success).toBe(isTaken)
  expect(password.length >= PASSWORD_MINIMUM).toBe(isTaken)
})

test.each([
  ['01632 960147', 'tel:01632960147'],
  ['+44 (0)1632 960-147', 'tel:+441632960147'],
  ['(01632) 960.147', 'tel:01632960147'],
])('a tap on %s dials %s', (phone, href) => {
  expect(phoneHref(phone)).toBe(href)
})
