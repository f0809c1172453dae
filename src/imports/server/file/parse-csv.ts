import { type Options, parse } from 'csv-parse/sync'

/** `line` is where the record starts. `isGuess`: its quotation marks are wrong, so that its cells are a guess. */
export type ParsedRecord = { cells: string[]; line: number; isGuess: boolean }

/** A cell with more lines than this has an unclosed quotation mark. */
const MAX_LINES_OF_A_RECORD = 30

/**
 * Parses cleaned text strictly, or line by line if a quotation mark is in the wrong place. Empty records are left out.
 */
export function parseCsv(text: string, delimiter: string, most: number): ParsedRecord[] {
  try {
    return strictly(text, { delimiter, to: most })
  } catch {
    return guessing(text.split('\n'), delimiter, most)
  }
}

function strictly(text: string, options: Options, firstLine = 1): ParsedRecord[] {
  const records: ParsedRecord[] = []
  parse(text, {
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    // Blanks around a quoted cell; a tab may be the delimiter.
    trim: options.delimiter !== '\t',
    ...options,
    on_record: (cells: string[], { lines }) => {
      const breaks = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
      records.push({ cells, line: firstLine + lines - 1 - breaks, isGuess: false })
      return null
    },
  })
  return records
}

function guessing(lines: readonly string[], delimiter: string, most: number): ParsedRecord[] {
  const records: ParsedRecord[] = []
  for (let at = 0; at < lines.length && records.length < most; ) {
    const whole = wholeRecord(lines, at, delimiter)
    records.push(...(whole?.records ?? guessLine(lines[at] ?? '', delimiter, at + 1)))
    at += whole?.lines ?? 1
  }
  return records
}

/** The record that starts at a line, if it can be parsed strictly, and how many lines it has. */
function wholeRecord(lines: readonly string[], at: number, delimiter: string) {
  for (let count = 1; count <= MAX_LINES_OF_A_RECORD && at + count <= lines.length; count++) {
    try {
      return { records: strictly(lines.slice(at, at + count).join('\n'), { delimiter }, at + 1), lines: count }
    } catch (error) {
      const isOpen = error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED'
      if (!isOpen) return undefined
    }
  }
  return undefined
}

/** The cells of one line whose quotation marks are wrong. They stay in the cells. */
function guessLine(text: string, delimiter: string, line: number): ParsedRecord[] {
  const guess = (options: Options) =>
    strictly(text, { delimiter, ...options }, line).map((record) => ({ ...record, isGuess: true }))
  try {
    return guess({ relax_quotes: true })
  } catch {
    return guess({ quote: false })
  }
}
