import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'

/** How a cell looks on a compact card. */
function compactCell({ wide, isBottomRight }: { wide?: boolean | 'xl'; isBottomRight?: boolean }): string {
  if (wide) return 'max-lg:p-0 max-lg:hidden'
  return isBottomRight ? 'max-lg:p-0 max-lg:absolute max-lg:right-0 max-lg:bottom-2' : 'max-lg:p-0 max-lg:block'
}

/**
 * A table whose rows become cards on phones and tablets. The first column names the row. With `compact`, a card has no
 * column names and shows only the columns that are not `wide`; a column with `isBottomRight` is at its right, below the
 * actions. `groupOf` puts rows under headings.
 */
export function Rows<Row>({
  label,
  columns,
  rows,
  keyOf,
  actions,
  compact = false,
  rowClass,
  groupOf,
}: {
  label: string
  columns: readonly {
    head: string
    cell: (row: Row) => ReactNode
    numeric?: boolean
    /** Not on a card; 'xl': not on a small laptop either. */
    wide?: boolean | 'xl'
    isBottomRight?: boolean
    /** Holds long text, so it gets a minimum width. */
    words?: boolean
  }[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  actions?: (row: Row) => ReactNode
  compact?: boolean
  rowClass?: (index: number) => string
  /** The heading of a row. Rows of one group must follow each other. */
  groupOf?: (row: Row) => { key: string; heading: ReactNode }
}) {
  const indexed = rows.map((row, index) => ({ row, index }))
  const groups = Map.groupBy(indexed, ({ row }) => groupOf?.(row).key)
  return (
    <table className="w-full border-collapse text-small/snug max-lg:block">
      <caption className="sr-only">{label}</caption>
      <thead className="max-lg:sr-only">
        <tr className="bg-linen text-left text-fine text-ink-soft">
          {columns.map(({ head, numeric, wide }) => (
            <th
              key={head}
              scope="col"
              className={`px-3 py-3 font-medium ${numeric ? 'text-right' : ''} ${wide === 'xl' ? 'max-xl:hidden' : ''}`}
            >
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
      {[...groups].map(([key, those]) => (
        <tbody key={key ?? label} className="max-lg:block">
          {groupOf && those[0] && (
            <tr className={`border-b border-line max-lg:block ${rowClass?.(those[0].index) ?? ''}`}>
              <th
                scope="rowgroup"
                colSpan={columns.length + (actions ? 1 : 0)}
                className="px-3 pt-6 pb-2 text-left font-medium max-lg:block max-lg:px-0 max-lg:pt-5"
              >
                {groupOf(those[0].row).heading}
              </th>
            </tr>
          )}
          {those.map(({ row, index }) => (
            <tr
              key={keyOf(row)}
              className={`border-b border-line hover:bg-linen/60 ${compact ? 'max-lg:relative max-lg:block max-lg:min-h-[6.5rem] max-lg:py-2 max-lg:pr-28' : 'max-lg:block max-lg:py-3'} ${rowClass?.(index) ?? ''}`}
            >
              {columns.map(({ head, cell, numeric, wide, isBottomRight, words }, i) => (
                <td
                  key={head}
                  className={`px-3 py-3.5 wrap-break-word ${wide === 'xl' ? 'max-xl:hidden' : ''} ${compact ? compactCell({ wide, isBottomRight }) : 'max-lg:flex max-lg:justify-between max-lg:gap-4 max-lg:px-0 max-lg:py-1'} ${numeric ? 'text-right whitespace-nowrap tabular-nums' : ''} ${i === 0 ? `font-medium ${compact ? 'max-lg:text-base/snug' : 'max-lg:text-body'}` : ''}`}
                >
                  {i > 0 && <span className={compact ? 'sr-only lg:hidden' : 'text-ink-mute lg:hidden'}>{head} </span>}
                  <span className={`min-w-0 wrap-anywhere ${words ? 'lg:inline-block lg:min-w-44 xl:min-w-56' : ''}`}>
                    {cell(row)}
                  </span>
                </td>
              ))}
              {actions && (
                <td
                  className={`px-3 py-2 max-lg:block max-lg:px-0 lg:text-right ${compact ? 'max-lg:absolute max-lg:top-2 max-lg:right-0 max-lg:py-0' : 'max-lg:pt-2 max-lg:has-[>:empty]:hidden max-lg:[&_.btn-quiet]:-ml-5'}`}
                >
                  <span className="inline-flex flex-wrap items-center gap-2 lg:flex-nowrap lg:justify-end [&_.btn]:whitespace-nowrap">
                    {actions(row)}
                  </span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** A small button in a row. `name` is its accessible name, with the item it acts on; `danger` colours it red. */
export function RowButton({
  label,
  name,
  danger = false,
  className = '',
  ...button
}: Omit<ComponentProps<typeof Button>, 'small' | 'children'> & { label: string; name?: string; danger?: boolean }) {
  const colour = danger ? 'not-disabled:border-err/40 not-disabled:text-err' : ''
  return (
    <Button variant="secondary" small aria-label={name} className={`${colour} ${className}`} {...button}>
      {label}
    </Button>
  )
}
