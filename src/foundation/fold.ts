import { INVISIBLE } from './clean-text.ts'

/** Accents and points of Latin, Greek, Cyrillic, Hebrew and Arabic; in other scripts marks are vowels. */
const MARK_RANGES =
  '\\u0300-\\u036F\\u0483-\\u0489\\u0591-\\u05BD\\u05BF-\\u05C7\\u0610-\\u061A\\u0640\\u064B-\\u065F\\u0670\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE00-\\uFE0F\\uFE20-\\uFE2F'
const MARKS = new RegExp(`[${MARK_RANGES}]`, 'g')
const APOSTROPHES = /['`´ʹʻʼʾʿˈ‘’‛′＇]/g
/** Letters that Unicode does not take apart. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
}

/**
 * A text as it is compared: without case, accents, apostrophes and invisible characters, and with one blank for blanks
 * and hyphens. The database's function `folded` does the same for searches.
 */
export function fold(text: string): string {
  const plain = text.replace(INVISIBLE, '').replace(APOSTROPHES, '').normalize('NFKD').replace(MARKS, '').toLowerCase()
  return plain
    .replace(/[^\p{ASCII}]/gu, (letter) => LETTERS[letter] ?? letter)
    .replace(/[\s\p{Pd}\u2212]+/gu, ' ')
    .trim()
}
