import type { ReactNode } from 'react'

/** A calm table whose rows become cards on a phone. The first column is the row's name. */
export function Rows<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string
  columns: readonly { head: string; cell: (row: Row) => ReactNode; numeric?: boolean }[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}) {
  return (
    <table className="w-full border-collapse text-[0.9375rem]/[1.4] max-md:block">
      <caption className="sr-only">{label}</caption>
      <thead className="max-md:sr-only">
        <tr className="bg-linen text-left text-[0.8125rem] text-ink-soft">
          {columns.map(({ head, numeric }) => (
            <th key={head} scope="col" className={`px-3 py-3 font-medium ${numeric ? 'text-right' : ''}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line hover:bg-linen/60 max-md:block max-md:py-3">
            {columns.map(({ head, cell, numeric }, i) => (
              <td
                key={head}
                className={`px-3 py-3.5 break-words max-md:flex max-md:justify-between max-md:gap-4 max-md:px-0 max-md:py-1 ${numeric ? 'text-right tabular-nums' : ''} ${i === 0 ? 'font-medium max-md:text-[1.0625rem]' : ''}`}
              >
                {i > 0 && <span className="text-ink-mute md:hidden">{head}</span>}
                <span className="min-w-0 [overflow-wrap:anywhere]">{cell(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
