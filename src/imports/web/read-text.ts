export type Encoding = 'UTF-8' | 'UTF-8 with errors' | 'UTF-16' | 'Windows-1252' | 'Mac Roman'

/** Enough bytes to see whether every other one is empty. */
const LOOKED_AT = 1000

/**
 * Decodes a text file: UTF-16 by its mark or its empty bytes, UTF-8 if it is valid or nearly, otherwise as older
 * versions of Excel save it on Windows or a Mac. The last three are guesses, so the screen shows them.
 */
export function textOf(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const decode = (label: string) => new TextDecoder(label).decode(bytes)
  const utf16 = utf16Of(bytes)
  if (utf16) return { text: decode(utf16), encoding: 'UTF-16' }
  const text = decode('utf-8')
  if (isUtf8(bytes)) return { text, encoding: 'UTF-8' }
  // Single bytes of another encoding in a file whose other accents are right.
  const right = countOf(text, /[\u0080-\ufffc]/g)
  if (right > 0 && right >= countOf(text, /\ufffd/g)) return { text, encoding: 'UTF-8 with errors' }
  const windows = decode('windows-1252')
  const mac = decode('macintosh')
  return plausibility(mac) > plausibility(windows)
    ? { text: mac, encoding: 'Mac Roman' }
    : { text: windows, encoding: 'Windows-1252' }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  const empty = (odd: number) => bytes.subarray(0, LOOKED_AT).filter((byte, i) => byte === 0 && i % 2 === odd).length
  const half = Math.min(bytes.length, LOOKED_AT) / 4
  if ((first === 0xff && second === 0xfe) || empty(1) > half) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || empty(0) > half) return 'utf-16be'
  return undefined
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/**
 * How many letters of western names stand where they may: small ones after a letter, large ones before one; and
 * apostrophes.
 */
const plausibility = (text: string) =>
  countOf(text, /(?<=\p{L})[ß-öø-ÿ](?!\p{Lu})/gu) +
  countOf(text, /(?<!\p{L})[À-ÖØ-Þ](?=\p{L}|$)/gu) +
  countOf(text, /(?<=\p{L})[’](?=\p{L})/gu)
