import { expect, test } from 'vitest'
import { hashPassword, passwordFits } from './passwords.ts'

test('a password matches its own hash only, and hashes differ every time', async () => {
  const [hash, again] = await Promise.all([hashPassword('secret'), hashPassword('secret')])
  expect(hash).not.toBe(again)
  expect(await passwordFits(hash, 'secret')).toBe(true)
  expect(await passwordFits(again, 'secret')).toBe(true)
  for (const almost of ['Secret', 'secret ', 'secre', '']) expect(await passwordFits(hash, almost)).toBe(false)
})

test('without a hash no password matches, not even the decoy’s', async () => {
  for (const nobody of [null, undefined]) expect(await passwordFits(nobody, 'nobody has this password')).toBe(false)
})
