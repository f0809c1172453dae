import { parse } from 'csv-parse/sync'
import { FIELDS, type Field, MAX_ROWS, missingColumns, recognise } from '../rules.ts'

export type FileRow = { line: number; cells: Record<Field, string>; wrong?: string }
export type ReadFile = {
  headings: string[]
  columns: Partial<Record<Field, string | null>>
  problems: string[]
  rows: FileRow[]
}

/** The separator that occurs most often in the headings. */
function delimiterOf(csv: string): string {
  const [first = ''] = csv.trimStart().split(/\r\n|\n|\r/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/**
 * Reads a CSV file with headings. `problems` are errors of the whole file; a row has its own in `wrong`.
 *
 * @param chosen the headings that the admin has chosen for fields
 */
export function readFile(csv: string, chosen: Partial<Record<Field, string | null>> = {}): ReadFile {
  const empty: ReadFile = { headings: [], columns: {}, problems: [], rows: [] }
  const parsed = parsedFile(csv)
  if ('problem' in parsed) return { ...empty, problems: [parsed.problem] }
  const [head, ...body] = parsed.records
  const headings = head?.record.map((cell) => cell.trim()) ?? []
  const usable = headings.filter(Boolean)
  if (usable.length === 0) return { ...empty, problems: ['This file is empty.'] }
  const known = Object.entries(chosen).filter(([, heading]) => heading === null || usable.includes(heading ?? ''))
  const columns = { ...recognise(usable), ...Object.fromEntries(known) }
  const problems = missingColumns(columns)
  if (body.length === 0) problems.push('There are no rows below the headings.')
  if (body.length > MAX_ROWS)
    problems.push(`Please split the file: at most ${MAX_ROWS.toLocaleString('en-GB')} rows can be imported at once.`)
  const rows = problems.length > 0 ? [] : body.map((record) => rowOf(record, headings, columns))
  return { headings: usable, columns, problems, rows }
}

const BROKEN = 'This line has a quotation mark in the wrong place.'
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
      // One more than allowed, to notice too many without reading them all.
      to: MAX_ROWS + 2,
      // A badly quoted cell keeps its quotation marks, which marks its row as wrong.
      relax_quotes: true,
      on_record: (record: string[], { lines }) => {
        const isBroken = record.some((cell) => cell.startsWith('"'))
        records.push({ record, line: lines, wrong: isBroken ? BROKEN : undefined })
        return null
      },
    })
  } catch {
    const line = records.at(-1)?.line ?? 0
    return {
      problem: `A quotation mark after line ${line} is never closed, so the rows cannot be separated.`,
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
    // Exports put ' before text that a spreadsheet would treat as a formula.
    return cell.trim().replace(/^'(?=[=+\-@])/, '')
  }
  const cells = Object.fromEntries(FIELDS.map((field) => [field, cellOf(field)])) as Record<Field, string>
  const isTooLong = record.slice(headings.length).some((cell) => cell.trim() !== '')
  const fault = wrong ?? (isTooLong ? 'This line has more cells than headings. Is there a comma in a name?' : undefined)
  return { line, cells, wrong: fault }
}
