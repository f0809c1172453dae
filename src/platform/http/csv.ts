import type { Options } from 'csv-stringify'

/**
 * How files for spreadsheets are written: UTF-8 that Excel recognises, lines as RFC 4180 ends them, and a cell that begins
 * with = + - @, a tab or a carriage return made plain text, so that a member's name never becomes a formula.
 */
export const CSV = { bom: true, record_delimiter: 'windows', escape_formulas: true } as const satisfies Options
