// npm run lab -- fonts: makes subsets of the fonts with the letters that pages and receipts use.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FONTS_FOLDER, makePaperFont, makeSmallFonts, PAPER_FONT } from './small-fonts.ts'

for (const { file, font, wholeBytes } of await makeSmallFonts()) {
  await writeFile(join(FONTS_FOLDER, file), font)
  console.log(`${file}: ${font.length} bytes of ${wholeBytes}`)
}
await writeFile(PAPER_FONT, await makePaperFont())
