/** Characters that show nothing: zero-width spaces, byte order marks, marks of direction. */
const INVISIBLE = /\p{Cf}/gu

/**
 * A text for comparing names: without case, accents, invisible characters and doubled blanks, with one kind of
 * apostrophe and hyphen.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(INVISIBLE, '')
    .replace(/[‘’‛′ʼʻ`´]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .toUpperCase()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}
