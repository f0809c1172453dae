import anyAscii from 'any-ascii'

/** Letters of the house font: most of Latin. */
const HOUSE =
  /^[\n -~\u00a0-\u00ac\u00ae-\u0113\u0116-\u0127\u012a\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u0161\u0164\u0165\u016a-\u017e–—‘’“”…]*$/u

/** Letters of the wide font, as ranges: the house font's, the rest of Latin as in Vietnamese, Greek and Cyrillic. */
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
 * A text as it can be drawn without empty boxes, and whether it needs the wide font. What neither font has, such as Arabic,
 * Chinese or emoji, is written in Latin letters; a question mark stands for what has no such spelling.
 */
export function drawable(text: string): { text: string; font: 'house' | 'wide' } {
  const composed = text.normalize('NFC')
  if (HOUSE.test(composed)) return { text: composed, font: 'house' }
  const drawn = [...composed].map((char) => (isWide(char) ? char : inLatin(char))).join('')
  return { text: drawn, font: HOUSE.test(drawn) ? 'house' : 'wide' }
}

function inLatin(char: string): string {
  const spelling = anyAscii(char).replace(/[^ -~]/g, ' ')
  // Joiners, variation selectors and accents are part of their neighbour.
  return spelling || (/[\p{Cf}\p{M}]/u.test(char) ? '' : '?')
}
