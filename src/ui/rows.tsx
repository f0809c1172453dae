import type { ReactNode } from 'react'

/**
 * A calm table whose rows become cards on a phone. The first column is the row's name; `actions` stand at the end of a
 * row, below it on a phone. With `compact` a phone has no names of columns: the row's name, the columns that are not `wide`
 * under it, and beside them the actions and below these what is `beside`.
 */
export function Rows<Row>({
  label,
  columns,
  rows,
  keyOf,
  actions,
  compact = false,
  rowClass,
}: {
  label: string
  columns: readonly {
    head: string
    cell: (row: Row) => ReactNode
    numeric?: boolean
    wide?: boolean
    beside?: boolean
  }[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  actions?: (row: Row) => ReactNode
  compact?: boolean
  /** Further classes of a row, by its place in the list. */
  rowClass?: (index: number) => string
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
        {rows.map((row, index) => (
          <tr
            key={keyOf(row)}
            className={`border-b border-line hover:bg-linen/60 ${compact ? 'max-md:relative max-md:block max-md:min-h-[6.5rem] max-md:py-2 max-md:pr-28' : 'max-md:block max-md:py-3'} ${rowClass?.(index) ?? ''}`}
          >
            {columns.map(({ head, cell, numeric, wide, beside }, i) => (
              <td
                key={head}
                className={`px-3 py-3.5 break-words ${compact ? `max-md:p-0 ${wide ? 'max-md:hidden' : beside ? 'max-md:absolute max-md:right-0 max-md:bottom-2' : 'max-md:block'}` : 'max-md:flex max-md:justify-between max-md:gap-4 max-md:px-0 max-md:py-1'} ${numeric ? 'text-right whitespace-nowrap tabular-nums' : ''} ${i === 0 ? `font-medium ${compact ? 'max-md:text-base/[1.4]' : 'max-md:text-[1.0625rem]'}` : ''}`}
              >
                {i > 0 && <span className={compact ? 'sr-only md:hidden' : 'text-ink-mute md:hidden'}>{head} </span>}
                <span className="min-w-0 [overflow-wrap:anywhere]">{cell(row)}</span>
              </td>
            ))}
            {actions && (
              <td
                className={`px-3 py-2 max-md:block max-md:px-0 md:text-right ${compact ? 'max-md:absolute max-md:top-2 max-md:right-0 max-md:py-0' : 'max-md:pt-2'}`}
              >
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
