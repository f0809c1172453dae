import { isNone } from './words.ts'

export type ReadName = { firstName: string; lastName: string; notes: string[] }

const TITLE = /^(?:mrs?|ms|miss|mx|dr|prof(?:essor)?|sir|dame|rev(?:erend)?)\.?$/i
/** Not `MA` and `BA`, which are family names too. */
const SUFFIX =
  /^(?:[Pp][Hh]\.?[Dd]|M\.?D|[Jj]n?[Rr]|JR|SR|Sr|II|III|IV|Esq|OBE|MBE|CBE|B\.?Sc|M\.?Sc|MBA|RGN|RN|DPhil|FRCS|MCSP)\.?$/

/**
 * Reads a name from a column of each part, or from one with the full name: `Ann Smith`, `Smith, Mrs Ann`, `Ann Smith,
 * PhD`.
 */
export function nameOf(cells: { firstName: string; lastName: string; name: string }): ReadName {
  const notes: string[] = []
  const [first, last, full] = [cells.firstName, cells.lastName, cells.name].map((cell) => (isNone(cell) ? '' : cell))
  const read =
    first || last ? { firstName: bare(first, notes), lastName: bare(last, notes) } : splitName(full ?? '', notes)
  // A client with one name.
  const { firstName, lastName } = read.firstName ? read : { firstName: read.lastName, lastName: '' }
  if (firstName && !lastName) notes.push('There is no last name.')
  return { firstName, lastName, notes }
}

function splitName(name: string, notes: string[]): { firstName: string; lastName: string } {
  const [before = '', ...parts] = name.split(',').map((part) => part.trim())
  const isTitle = (part: string) => part.split(' ').every((word) => TITLE.test(word) || SUFFIX.test(word))
  const after = parts.filter((part) => part !== '' && !isTitle(part))
  noteTitles(
    parts.filter((part) => part !== '' && isTitle(part)),
    notes,
  )
  if (after.length > 0) return { firstName: bare(after.join(' '), notes), lastName: bare(before, notes) }
  const [firstName = '', ...rest] = bare(before, notes).split(' ')
  return { firstName, lastName: rest.join(' ') }
}

/** A name without titles before it and after it, which are noted. */
function bare(name = '', notes: string[]): string {
  const words = name.split(/[ ,]+/).filter(Boolean)
  let [from, to] = [0, words.length]
  while (to - from > 1 && TITLE.test(words[from] ?? '')) from++
  while (to - from > 1 && SUFFIX.test(words[to - 1] ?? '')) to--
  noteTitles([...words.slice(0, from), ...words.slice(to)], notes)
  return words.slice(from, to).join(' ')
}

function noteTitles(titles: readonly string[], notes: string[]): void {
  if (titles.length > 0) notes.push(`“${titles.join(' ')}” is left out of the name.`)
}
