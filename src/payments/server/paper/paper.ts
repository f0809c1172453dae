import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import anyAscii from 'any-ascii'
import type PDFDocument from 'pdfkit'
import type { StudioFacts, Vat } from '#facts/contract.ts'
import { addressLine, legalLines } from '#facts/rules.ts'

type Doc = InstanceType<typeof PDFDocument>

/** A4 in points. */
const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
const FOOT = 841.89 - MARGIN
const INK = '#2b2722'
const SOFT = '#6d665c'
const LINE = '#d9d2c6'
/** How much is drawn between turns of the event loop. */
const ROWS_PER_TURN = 50

const { resolve } = createRequire(import.meta.url)
const fontFile = (file: string) => resolve(`@expo-google-fonts/figtree/${file}`)
export const FONTS = {
  plain: fontFile('400Regular/Figtree_400Regular.ttf'),
  bold: fontFile('600SemiBold/Figtree_600SemiBold.ttf'),
  /** A subset of Inter (OFL 1.1), made by `npm run lab -- fonts`, for letters that Figtree lacks. */
  wide: join(import.meta.dirname, 'wide.ttf'),
}

/** `share` is of the width. */
type Column = { head: string; share: number; numeric?: boolean }

/** A PDF with the studio's letterhead, written from top to bottom and streamed while it is written. */
export class Paper {
  readonly content: Readable
  readonly #doc: Doc
  #y = MARGIN

  private constructor(doc: Doc) {
    this.#doc = doc
    this.content = doc.pipe(new PassThrough())
  }

  /** Starts one with the studio's name and address. The library is loaded on first use. */
  static async open(title: string, studio: StudioFacts, vat: Vat | null): Promise<Paper> {
    const { default: Document } = await import('pdfkit')
    const doc = new Document({
      size: 'A4',
      margin: MARGIN,
      lang: 'en-GB',
      displayTitle: true,
      info: { Title: `${title}, ${studio.name}`, Author: studio.name },
      font: FONTS.plain,
    })
    for (const [name, file] of Object.entries(FONTS)) doc.registerFont(name, file)
    const paper = new Paper(doc)
    paper.#put(studio.name, { font: 'bold', size: 17 })
    paper.#put(`${addressLine(studio.address)} · ${studio.phone} · ${studio.email}`, { size: 9.5, color: SOFT })
    for (const line of legalLines(studio)) paper.#put(line, { size: 9.5, color: SOFT })
    paper.#put(vat ? `VAT number ${vat.number}` : 'Not registered for VAT', { size: 9.5, color: SOFT })
    paper.gap(28)
    paper.#put(title, { font: 'bold', size: 22 })
    paper.gap(8)
    return paper
  }

  gap(points: number): void {
    this.#y += points
  }

  line(text: string, style: { soft?: boolean; bold?: boolean } = {}): void {
    this.#put(text, { font: style.bold ? 'bold' : 'plain', color: style.soft ? SOFT : INK })
  }

  /** Label and value, one pair per line. */
  facts(facts: readonly (readonly [term: string, fact: string])[]): void {
    const columns = [
      { head: '', share: 0.3 },
      { head: '', share: 0.7 },
    ]
    for (const fact of facts) this.#row(columns, fact, { color: INK })
    this.gap(10)
  }

  /** Rows below a header that every page repeats. Yields to other requests from time to time. */
  async table(columns: readonly Column[], rows: Iterable<readonly string[]>): Promise<void> {
    const heads = () => {
      this.#row(
        columns,
        columns.map(({ head }) => head),
        { font: 'bold', color: SOFT },
      )
      this.#rule()
    }
    heads()
    let written = 0
    for (const row of rows) {
      if (++written % ROWS_PER_TURN === 0) await nextTurn()
      this.#row(columns, row, { color: INK }, heads)
      this.#rule()
    }
    this.gap(14)
  }

  total(columns: readonly Column[], row: readonly string[]): void {
    this.gap(-8)
    this.#row(columns, row, { font: 'bold', color: INK })
    this.gap(14)
  }

  end(): void {
    this.#doc.end()
  }

  #put(text: string, { font = 'plain', size = 10.5, color = INK }: { font?: string; size?: number; color?: string }) {
    const drawn = this.#pick(text, font)
    this.#doc.fontSize(size).fillColor(color)
    const height = this.#doc.heightOfString(drawn, { width: WIDTH })
    this.#turnFor(height)
    this.#doc.text(drawn, MARGIN, this.#y, { width: WIDTH })
    this.#y += height + 3
  }

  /** Selects a font with the text's letters. @returns the text as that font can draw it */
  #pick(text: string, font: string): string {
    const drawn = toDrawable(text)
    this.#doc.font(drawn.font === 'house' ? font : 'wide')
    return drawn.text
  }

  #row(
    columns: readonly Column[],
    cells: readonly string[],
    { font = 'plain', color }: { font?: string; color: string },
    onNewPage: () => void = () => {},
  ): void {
    const style = () => this.#doc.fontSize(9.5).fillColor(color)
    style()
    const boxes = columns.map(({ share, numeric }, i) => ({
      text: cells[i] ?? '',
      options: { width: share * WIDTH - 8, align: numeric ? ('right' as const) : ('left' as const) },
    }))
    const height = Math.max(
      ...boxes.map(({ text, options }) => this.#doc.heightOfString(this.#pick(text, font), options)),
    )
    if (this.#turnFor(height + 8)) {
      onNewPage()
      style()
    }
    let x = MARGIN
    for (const [i, { text, options }] of boxes.entries()) {
      this.#doc.text(this.#pick(text, font), x, this.#y + 4, options)
      x += (columns[i]?.share ?? 0) * WIDTH
    }
    this.#y += height + 8
  }

  #rule(): void {
    this.#doc
      .moveTo(MARGIN, this.#y)
      .lineTo(MARGIN + WIDTH, this.#y)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke()
  }

  #turnFor(height: number): boolean {
    if (this.#y + height <= FOOT) return false
    this.#doc.addPage()
    this.#y = MARGIN
    return true
  }
}

/** Letters of the house font. */
const HOUSE =
  /^[\n -~\u00a0-\u00ac\u00ae-\u0113\u0116-\u0127\u012a\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u0161\u0164\u0165\u016a-\u017e–—‘’“”…]*$/u

/** Letters of the wide font: the house font's, the rest of Latin as in Vietnamese, Greek and Cyrillic. */
export const WIDE_RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x148],
  [0x14a, 0x17e],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x218, 0x21b],
  [0x386, 0x386],
  [0x388, 0x38a],
  [0x38c, 0x38c],
  [0x38e, 0x3a1],
  [0x3a3, 0x3ce],
  [0x400, 0x479],
  [0x480, 0x49d],
  [0x4a0, 0x4ff],
  [0x1e80, 0x1e85],
  [0x1e9e, 0x1e9e],
  [0x1ea0, 0x1ef9],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2026, 0x2026],
]

const isWide = (char: string) => {
  const point = char.codePointAt(0) ?? 0
  return char === '\n' || WIDE_RANGES.some(([from, to]) => from <= point && point <= to)
}

/**
 * A text in letters that the returned font has. Other scripts, such as Arabic or Chinese, are transliterated to Latin.
 * Emoji are left out with the space before them, and so is what has no spelling.
 */
export function toDrawable(written: string): { text: string; font: 'house' | 'wide' } {
  const composed = written.normalize('NFC')
  if (HOUSE.test(composed)) return { text: composed, font: 'house' }
  const drawn = [...composed].map((char) => (isWide(char) ? char : (inLatin(char) ?? LEFT_OUT))).join('')
  const text = drawn.includes(LEFT_OUT) ? drawn.replace(new RegExp(` *${LEFT_OUT}+`, 'g'), '').trim() : drawn
  return { text, font: HOUSE.test(text) ? 'house' : 'wide' }
}

/** Stands for what is left out; no text has it. */
const LEFT_OUT = '\0'
const ALEF = '\u0627'

/** Empty for joiners and accents, which belong to their neighbour; undefined for what is left out. */
function inLatin(char: string): string | undefined {
  if (char === ALEF) return 'a'
  if (/[\p{Cc}\p{Regional_Indicator}]/u.test(char)) return undefined
  const spelling = anyAscii(char).replace(/[^ -~]/g, ' ')
  // Pictures are spelt as `:cherry_blossom:`, and the sign for an unreadable character as a question mark.
  return /^:.+:$/.test(spelling) || char === '\uFFFD' ? undefined : spelling
}
