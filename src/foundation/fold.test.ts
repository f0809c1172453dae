import { expect, test } from 'vitest'
import { fold } from './fold.ts'

test.each([
  ['Siân Pryce', 'sian pryce'],
  ['Zoe\u0308 Brand', 'zoe brand'],
  ['Zoë Brand', 'zoe brand'],
  ['Nora O’Neill', 'nora oneill'],
  ['Nora O´Neill', 'nora oneill'],
  ["NORA O'NEILL", 'nora oneill'],
  ['Guðmundur Þórsson', 'gudmundur thorsson'],
  ['Łucja Ødegård-Æbelø', 'lucja odegard aebelo'],
  ['Straße', 'strasse'],
  ['Anne\u2011Marie \u00a0 Lee ', 'anne marie lee'],
  ['\u200bAnn\u202e', 'ann'],
  ['Ａｎｎ', 'ann'],
  ['ΣΟΦΟΣ', 'σοφοσ'],
  ['Σοφός', 'σοφοσ'],
  ['Ёлка', 'елка'],
  ['أَحْمَد', 'احمد'],
  ['अमित', 'अमित'],
  ['王小明', '王小明'],
  ['8\u00a0Class  Pass', '8 class pass'],
  ['\u200bAnn\u00a0Weiß ', 'ann weiss'],
  ['Smith‑Jones', 'smith jones'],
  ['\u200b', ''],
])('%j is compared as %j', (written, folded) => {
  expect(fold(written)).toBe(folded)
  expect(fold(folded)).toBe(folded)
})
