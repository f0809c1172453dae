import { expect, test } from 'vitest'
import { hashPassword, passwordFits } from './passwords.ts'

test('a password fits its own hash, every time another, and nothing else', async () => {
  const [hash, again] = await Promise.all([hashPassword('secret'), hashPassword('secret')])
  expect(hash).not.toBe(again)
  expect(await passwordFits(hash, 'secret')).toBe(true)
  expect(await passwordFits(again, 'secret')).toBe(true)
  for (const almost of ['Secret', 'secret ', 'secre', '']) expect(await passwordFits(hash, almost)).toBe(false)
})

test('where there is no hash nothing fits, not even what the decoy was made of', async () => {
  for (const nobody of [null, undefined]) expect(await passwordFits(nobody, 'nobody has this password')).toBe(false)
})
