import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { WIDE_RANGES } from '#payments/server/paper/paper.ts'

export const FONTS_FOLDER = join(import.meta.dirname, '../../src/ui/fonts')

/** The weights that the style sheets use. */
const wght = { min: 400, max: 700, default: 400 }
const FONTS = {
  'instrument-serif': { from: '@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2' },
  'instrument-serif-italic': { from: '@fontsource/instrument-serif/files/instrument-serif-latin-400-italic.woff2' },
  figtree: { from: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2', variationAxes: { wght } },
}

/**
 * Subsets of the published fonts (OFL 1.1) with the letters of the `unicode-range` in `ui/fonts.css`. Other letters
 * load the whole Latin font.
 */
export async function makeSmallFonts(): Promise<{ file: string; font: Buffer; wholeBytes: number }[]> {
  const css = await readFile(join(FONTS_FOLDER, '../fonts.css'), 'utf8')
  const { resolve } = createRequire(import.meta.url)
  return Promise.all(
    Object.entries(FONTS).map(async ([name, { from, ...options }]) => {
      const whole = await readFile(resolve(from))
      const font = await subsetFont(whole, charactersOf(css, name), { targetFormat: 'woff2', ...options })
      return { file: `${name}.woff2`, font, wholeBytes: whole.length }
    }),
  )
}

/** The font of receipts and statements. */
export const PAPER_FONT = join(import.meta.dirname, '../../src/payments/server/paper/wide.ttf')

/** A subset of Inter (OFL 1.1) with the letters that Figtree lacks. */
export async function makePaperFont(): Promise<Buffer> {
  const whole = await readFile(
    createRequire(import.meta.url).resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  )
  const letters = WIDE_RANGES.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)),
  )
  return await subsetFont(whole, letters.join(''), { targetFormat: 'truetype', noLayoutClosure: true })
}

/** The characters of a font's `unicode-range`. */
function charactersOf(css: string, name: string): string {
  const rule = css.split('}').find((each) => each.includes(`fonts/${name}.woff2`))
  const ranges = /unicode-range:([^;]*);/.exec(rule ?? '')?.[1]
  if (!ranges) throw new Error(`ui/fonts.css has no unicode-range for ${name}`)
  return ranges
    .split(',')
    .flatMap((range) => {
      const [from = '', to = from] = range.trim().replace('U+', '').split('-')
      const first = Number.parseInt(from, 16)
      return Array.from({ length: Number.parseInt(to, 16) - first + 1 }, (_, i) => String.fromCodePoint(first + i))
    })
    .join('')
}
