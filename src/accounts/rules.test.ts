import { expect, test } from 'vitest'
import { RegisterForm } from './contract.ts'
import { PASSWORD_MINIMUM } from './rules.ts'

test.each([
  ['12345', false],
  ['123456', true],
])('the password %s is long enough: %s', (password, isTaken) => {
  const form = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Cast', password, confirmPassword: password }
  expect(RegisterForm.safeParse(form).success).toBe(isTaken)
  expect(password.length >= PASSWORD_MINIMUM).toBe(isTaken)
})
