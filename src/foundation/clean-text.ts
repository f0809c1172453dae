// What people paste and phones insert without showing it.

const HIDDEN = '\\p{Default_Ignorable_Code_Point}\\u2800\\uFFF9-\\uFFFB'
export const INVISIBLE = new RegExp(`[${HIDDEN}]`, 'gu')
/** Matches a text that shows something. */
export const VISIBLE = new RegExp(`[^\\s${HIDDEN}]`, 'u')

/** Where such a character is needed: in flags and variants of pictures, between joined letters or pictures. */
const NEEDED = [
  '\\u{1F3F4}[\\u{E0020}-\\u{E007F}]+',
  '[\\p{Emoji}\\p{Ideographic}][\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
  '(?<=[\\p{L}\\p{M}\\p{So}\\p{Sk}])(?<!\\p{Script=Latin})[\\u200C\\u200D](?=[\\p{L}\\p{So}])(?!\\p{Script=Latin})',
].join('|')
const NEEDED_OR_INVISIBLE = new RegExp(`(${NEEDED})|[${HIDDEN}]`, 'gu')

/** A text without characters that show nothing: zero-width blanks, direction marks, fillers. Line breaks stay. */
export const withoutInvisible = (text: string) => text.replace(NEEDED_OR_INVISIBLE, '$1')

/** A text of one line in the usual Unicode form, with ordinary blanks and no invisible characters; not trimmed. */
export const cleanLine = (text: string) =>
  withoutInvisible(text)
    .replace(/\p{Zs}/gu, ' ')
    .normalize('NFC')

/**
 * An email address or a login as it was meant: letters that look alike are one (NFKC), and a full stop behind it, which
 * ends a sentence, is not part of it.
 */
export const cleanLogin = (text: string) =>
  text
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .trim()
    .replace(/[.\s]+$/, '')

/** A phone number in ordinary digits, hyphens and blanks, without what spreadsheets and address books put around it. */
export const cleanPhone = (text: string) =>
  cleanLine(text.normalize('NFKC'))
    .trim()
    // A spreadsheet's ways to keep the first zero.
    .replace(/^=?"(.*)"$/, '$1')
    .replace(/^['’]/, '')
    .replace(/^(?:tel|phone|mobile|mob)(?:\b[.:]*|[.:]+)\s*(?=[+\d(])/i, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim()

/** The end of a number that is dialled later: `ext 12`, `x12`, `#12`. */
export const EXTENSION = /\s*(?:extension|extn?\.?|x|#)\s*\d{1,6}$/i
