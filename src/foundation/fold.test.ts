import { expect, test } from 'vitest'
import { fold } from './fold.ts'

test.each([
  ['Siân  Pryce', 'sian pryce'],
  ['Zoe\u0308', 'zoe'],
  ['O’Neill', "o'neill"],
  ['Smith‑Jones', 'smith-jones'],
  ['\u200bAnn\u00a0Weiß ', 'ann weiss'],
])('folds %j to %j', (text, folded) => {
  expect(fold(text)).toBe(folded)
})
