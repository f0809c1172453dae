import type { ReactNode } from 'react'

/**
 * A calm table whose rows become cards on a phone. The first column is the row's name; `actions` stand at the end of a
 * row, below it on a phone.
 */
export function Rows<Row>({
  label,
  columns,
  rows,
  keyOf,
  actions,
}: {
  label: string
  columns: readonly { head: string; cell: (row: Row) => ReactNode; numeric?: boolean }[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  actions?: (row: Row) => ReactNode
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
          {actions && (
            <th scope="col" className="px-3 py-3">
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line hover:bg-linen/60 max-md:block max-md:py-3">
            {columns.map(({ head, cell, numeric }, i) => (
              <td
                key={head}
                className={`px-3 py-3.5 break-words max-md:flex max-md:justify-between max-md:gap-4 max-md:px-0 max-md:py-1 ${numeric ? 'text-right whitespace-nowrap tabular-nums' : ''} ${i === 0 ? 'font-medium max-md:text-[1.0625rem]' : ''}`}
              >
                {i > 0 && <span className="text-ink-mute md:hidden">{head}</span>}
                <span className="min-w-0 [overflow-wrap:anywhere]">{cell(row)}</span>
              </td>
            ))}
            {actions && (
              <td className="px-3 py-2 max-md:block max-md:px-0 max-md:pt-2 md:text-right">
                <span className="inline-flex flex-wrap items-center gap-1 md:flex-nowrap md:justify-end [&_.btn]:whitespace-nowrap">
                  {actions(row)}
                </span>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
