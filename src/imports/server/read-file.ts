import { parse } from 'csv-parse/sync'
import { FIELDS, type Field, MOST_ROWS, missingColumns, recognise } from '../rules.ts'

/** A row's cells by field, and where it stands. */
export type FileRow = { line: number; cells: Record<Field, string>; wrong?: string }
export type ReadFile = {
  headings: string[]
  columns: Partial<Record<Field, string | null>>
  problems: string[]
  rows: FileRow[]
}

/** What parts the cells: whichever of the usual ones the headings hold most. */
function delimiterOf(csv: string): string {
  const [first = ''] = csv.trimStart().split(/\r\n|\n|\r/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/**
 * Reads a CSV file with headings. What is wrong with all of it stands in `problems`, what is wrong with a row beside the row.
 *
 * @param wished which heading holds what, where somebody has said so
 */
export function readFile(csv: string, wished: Partial<Record<Field, string | null>> = {}): ReadFile {
  const empty: ReadFile = { headings: [], columns: {}, problems: [], rows: [] }
  const parsed = parsedFile(csv)
  if ('problem' in parsed) return { ...empty, problems: [parsed.problem] }
  const [head, ...body] = parsed.records
  const headings = head?.record.map((cell) => cell.trim()) ?? []
  const usable = headings.filter(Boolean)
  if (usable.length === 0) return { ...empty, problems: ['This file is empty.'] }
  const known = Object.entries(wished).filter(([, heading]) => heading === null || usable.includes(heading ?? ''))
  const columns = { ...recognise(usable), ...Object.fromEntries(known) }
  const problems = missingColumns(columns)
  if (body.length === 0) problems.push('There is nothing below the headings.')
  if (body.length > MOST_ROWS)
    problems.push(`At most ${MOST_ROWS.toLocaleString('en-GB')} rows at once: please split the file.`)
  const rows = problems.length > 0 ? [] : body.map((record) => rowOf(record, headings, columns))
  return { headings: usable, columns, problems, rows }
}

const BROKEN = 'This line is broken: a quotation mark stands where none can.'
type ParsedRecord = { record: string[]; line: number; wrong?: string }

function parsedFile(csv: string): { records: ParsedRecord[] } | { problem: string } {
  const records: ParsedRecord[] = []
  try {
    parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      // One more than there may be: so that too many are noticed and not read.
      to: MOST_ROWS + 2,
      // A cell that is not quoted as it should be keeps its quotation marks, and its row says so.
      relax_quotes: true,
      on_record: (record: string[], { lines }) => {
        const isBroken = record.some((cell) => cell.startsWith('"'))
        records.push({ record, line: lines, ...(isBroken && { wrong: BROKEN }) })
        return null
      },
    })
  } catch {
    const line = records.at(-1)?.line ?? 0
    return {
      problem: `A quotation mark below line ${line} is opened and never closed, so the rows cannot be told apart.`,
    }
  }
  return { records }
}

function rowOf(
  { record, line, wrong }: ParsedRecord,
  headings: readonly string[],
  columns: Partial<Record<Field, string | null>>,
): FileRow {
  const cellOf = (field: Field) => {
    const heading = columns[field]
    const cell = heading ? (record[headings.indexOf(heading)] ?? '') : ''
    // Our own files, and careful ones of others, write ' before what a spreadsheet would take for a formula.
    return cell.trim().replace(/^'(?=[=+\-@])/, '')
  }
  const cells = Object.fromEntries(FIELDS.map((field) => [field, cellOf(field)])) as Record<Field, string>
  const isTooLong = record.slice(headings.length).some((cell) => cell.trim() !== '')
  const fault =
    wrong ?? (isTooLong ? 'This line has more cells than there are headings: perhaps a comma in a name.' : undefined)
  return { line, cells, ...(fault && { wrong: fault }) }
}
