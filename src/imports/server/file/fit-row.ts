import type { Field } from '../../rules.ts'
import { fits } from './decide-columns.ts'

/**
 * Fits a row that has more cells than headings: somewhere a cell was split by a separator that it contains. Joins
 * those cells where most of the row then fits its columns, preferably in a column that is not imported.
 *
 * @returns `joined`: the column of the joined cell; undefined if the row does not fit anywhere
 */
export function fitRow(
  cells: readonly string[],
  taken: readonly (Field | null)[],
): { cells: string[]; joined: number } | undefined {
  const more = cells.length - taken.length
  const tried = taken.map((_, joined) => {
    const whole = cells
      .slice(joined, joined + more + 1)
      .filter(Boolean)
      .join(', ')
    return { joined, cells: [...cells.slice(0, joined), whole, ...cells.slice(joined + more + 1)] }
  })
  const scored = tried.map((row) => ({ ...row, score: scoreOf(row.cells, taken), isUsed: taken[row.joined] !== null }))
  const [best] = scored.toSorted(
    (a, b) => b.score - a.score || Number(a.isUsed) - Number(b.isUsed) || b.joined - a.joined,
  )
  const contact = best?.cells.some(
    (cell, i) => (taken[i] === 'email' || taken[i] === 'phone') && fitsAlone(taken[i], cell),
  )
  return best && contact ? { cells: best.cells, joined: best.joined } : undefined
}

/** A joined cell may hold an address too, so an address must be alone in its cell. */
const fitsAlone = (field: Field, cell: string) => fits(field, cell) && !(field === 'email' && /[\s,;]/.test(cell))

function scoreOf(cells: readonly string[], taken: readonly (Field | null)[]): number {
  const scores = taken.map((field, i): number => {
    const cell = cells[i] ?? ''
    if (!field || cell === '') return 0
    return fitsAlone(field, cell) ? 1 : -1
  })
  return scores.reduce((sum, score) => sum + score, 0)
}
