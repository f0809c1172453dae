import { withoutInvisible } from '#foundation/clean-text.ts'

/** A byte order mark, also one that was decoded as Windows-1252. */
const MARKS = /^(?:\ufeff|ï»¿)+/
/** The first line of files that are made for Excel. */
const SEPARATOR_LINE = /^"?sep=(.)"?[ ,;\t]*(?=\n|$)/i

/**
 * Brings a file to lines that end with `\n`, without byte order marks. Lines keep their numbers: a `sep=` line becomes
 * an empty one.
 */
export function cleanText(csv: string): { text: string; separator: string | undefined } {
  const text = csv.replace(MARKS, '').replace(/\r+\n|\r/g, '\n')
  return { text: text.replace(SEPARATOR_LINE, ''), separator: SEPARATOR_LINE.exec(text)?.[1] }
}

const BLANKS = /[\s\p{Z}\p{Cc}]+/gu

/** Nothing to clean, as in most cells. */
const PLAIN = /^[!-~]*(?: [!-~]+)*$/

/**
 * A cell as people see it: without invisible characters, with single blanks, and without what Excel writes around
 * text.
 */
export function cleanCell(cell: string): string {
  const seen = PLAIN.test(cell) ? cell : withoutInvisible(cell).replace(BLANKS, ' ').trim().normalize('NFC')
  const text = /^="(.*)"$/.exec(seen)?.[1] ?? seen
  // Exports put ' before text that a spreadsheet would treat as a formula.
  return text.replace(/^'(?=[=+\-@])/, '')
}

/** A cell that holds a number, a date, an address or a word: with plain digits, hyphens and apostrophes. */
export function plainCell(cell: string): string {
  const text = PLAIN.test(cell)
    ? cell
    : cell
        .replace(/[‘’‛′ʼʻ`´]/g, "'")
        .normalize('NFKC')
        .replace(/[‐‑‒–—―−﹘﹣－]/g, '-')
  return text.replace(/^'+|'+$/g, '').trim()
}
