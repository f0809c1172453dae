import { FIELDS, MAX_ROWS } from '../../rules.ts'
import { cleanCell } from './clean-text.ts'
import { rankOf } from './headings.ts'
import { type ParsedRecord, parseCsv } from './parse-csv.ts'

/** The headings, each different, the records below them, and the lines that were left out. */
export type Table = { headings: string[]; body: ParsedRecord[]; notes: string[] }

const SEPARATORS = [',', ';', '\t', '|']
/** Titles above the headings are among the first records. */
const LOOKED_AT = 30
const LOOKED_AT_CHARACTERS = 100_000

/** Finds the separator and the row of headings: the one in which most columns are known. */
export function findTable(text: string, given?: string): Table {
  const start = text
    .slice(0, LOOKED_AT_CHARACTERS)
    .split('\n', 2 * LOOKED_AT)
    .join('\n')
  const tried = (given ? [given] : SEPARATORS).map((separator) => ({
    separator,
    ...headingsIn(parseCsv(start, separator, LOOKED_AT)),
  }))
  const best = tried.reduce((found, next) => (next.score > found.score ? next : found))
  // One more than allowed, to notice too many without reading them all.
  const records = parseCsv(text, best.separator, MAX_ROWS + LOOKED_AT + 1)
  const from = records.findIndex(({ line }) => line === best.line)
  const first = records[from]?.cells ?? []
  const headings = named(best.hasHeadings ? first : first.map(() => ''))
  const above = records.slice(0, Math.max(from, 0))
  const below = records.slice(best.hasHeadings ? from + 1 : from)
  const isRepeated = ({ cells }: ParsedRecord) => best.hasHeadings && cells.join('\n') === first.join('\n')
  return {
    headings,
    body: below.filter((record) => !isRepeated(record)),
    notes: [
      ...notesAbove(above),
      ...below.filter(isRepeated).map(({ line }) => `Line ${line} repeats the headings, so it is left out.`),
    ],
  }
}

const KNOWN = 1000

function headingsIn(records: readonly ParsedRecord[]): { line: number; hasHeadings: boolean; score: number } {
  const widths = records.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length)
  const widest = Math.max(0, ...widths)
  const known = records.map(
    ({ cells }) => FIELDS.filter((field) => cells.some((cell) => rankOf(cell, field) !== undefined)).length,
  )
  const most = Math.max(0, ...known)
  // A cell of a row of people may look like a heading.
  const isClear = most >= 2 || known[0] === most
  const at = isClear && most > 0 ? known.indexOf(most) : widths.findIndex((width) => width * 2 > widest)
  const record = records[at]
  const hasHeadings = !record?.cells.some((cell) => /^\S+@\S+\.\S+$/.test(cell.trim()))
  const isEven = records.filter(({ cells }) => cells.length === record?.cells.length).length
  return { line: record?.line ?? 1, hasHeadings, score: widest < 2 ? most : most * KNOWN + widest * isEven }
}

/** Names columns without a heading, and counts those with the same one. */
function named(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell, i) => {
    const heading = cleanCell(cell).slice(0, 255) || `Column ${i + 1}`
    const count = (seen.get(heading) ?? 0) + 1
    seen.set(heading, count)
    return count === 1 ? heading : `${heading} (${count})`
  })
}

function notesAbove(above: readonly ParsedRecord[]): string[] {
  if (above.length === 0) return []
  const words = above.map(({ cells }) => cells.map(cleanCell).filter(Boolean).join(' '))
  const shown = words.slice(0, 3).map((text) => `“${text.slice(0, 60)}”`)
  return [`Above the headings, ${shown.join(', ')}${words.length > 3 ? ' and more' : ''} is left out.`]
}
