import type { ReactNode } from 'react'

/** Figures by row; the first cell names the row. It scrolls sideways where the window is narrow. */
export function Table({
  title,
  heads,
  rows,
  bars,
  hasLongNames = false,
}: {
  title: string
  heads: readonly string[]
  rows: readonly (readonly [name: string | number, ...cells: ReactNode[]])[]
  /** One of each row: its bar is as long as this is of the largest. */
  bars?: readonly number[]
  /** On a phone they take more than one line. */
  hasLongNames?: boolean
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
    <section className="overflow-x-auto" tabIndex={0} aria-label={`${title}, as a table`}>
      <table className="w-full text-small tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr className="bg-linen text-fine text-ink-soft">
            {heads.map((head, i) => (
              <th
                key={head}
                scope="col"
                className={`px-3 py-2 font-medium max-sm:px-1.5 ${i ? 'text-right' : 'text-left'}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={name} className="relative border-b border-line">
              <th
                scope="row"
                className={`px-3 py-2 text-left font-normal max-sm:px-1.5 ${bars ? 'pb-5' : ''} ${hasLongNames ? 'sm:whitespace-nowrap' : 'whitespace-nowrap'}`}
              >
                {name}
                {bars && (
                  <span
                    aria-hidden
                    className="absolute bottom-2 left-3 h-1.5 rounded-full bg-sage max-sm:left-1.5"
                    style={{ width: `calc((100% - 1.5rem) * ${(bars[row] ?? 0) / Math.max(1, ...bars)})` }}
                  />
                )}
              </th>
              {cells.map((cell, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                <td key={i} className="px-3 py-2 text-right align-top whitespace-nowrap max-sm:px-1.5">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
