import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FONTS_FOLDER, makePaperFont, makeSmallFonts, PAPER_FONT } from './small-fonts.ts'

test('the small fonts hold the letters that the style sheet promises of them: `npm run fonts` after a change', async () => {
  for (const { file, font } of await makeSmallFonts()) {
    expect(font.equals(await readFile(join(FONTS_FOLDER, file))), file).toBe(true)
    // With its headers in the first round of packets of a new connection.
    expect(font.length).toBeLessThan(13_500)
  }
})

test('the font of receipts and statements is the one that `npm run fonts` makes, and small', async () => {
  const font = await makePaperFont()
  expect(font.equals(await readFile(PAPER_FONT))).toBe(true)
  expect(font.length).toBeLessThan(150_000)
})
