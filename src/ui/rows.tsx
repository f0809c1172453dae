import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import { WholeWords } from './whole-words.tsx'

/** One column of `Rows`. */
export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  numeric?: boolean
  /** On a phone next to the name: the state of the row, or its most important number. */
  aside?: boolean
  /** Holds long text: a minimum width, on a phone a line of its own. */
  words?: boolean
  /** Classes that place its cell on phones and tablets, unless it names the row. */
  place?: string
}

/**
 * A table. On phones and tablets a row is one thing of two or three lines: the first column, which names it, with the
 * `aside` column and the menu at its right; then the others, numbers with the name of their column, and its buttons.
 * `groupOf` puts rows under headings.
 */
export function Rows<Row>({
  label,
  columns,
  rows,
  keyOf,
  actions,
  menu,
  rowClass,
  groupOf,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Its buttons. */
  actions?: (row: Row) => ReactNode
  /** Its `More`. */
  menu?: (row: Row) => ReactNode
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
          {columns.map(({ head, numeric }) => (
            <th key={head} scope="col" className={`px-3 py-3 font-medium ${numeric ? 'text-right' : ''}`}>
              {head}
            </th>
          ))}
          {(actions || menu) && (
            <th scope="col" className="px-3 py-3">
              <span className="sr-only">Actions</span>
            </th>
          )}
          {actions && menu && (
            <th scope="col">
              <span className="sr-only">More</span>
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
                colSpan={columns.length + (actions ? 1 : 0) + (menu ? 1 : 0)}
                className="px-3 pt-6 pb-2 text-left font-medium max-lg:block max-lg:px-0 max-lg:pt-5"
              >
                {groupOf(those[0].row).heading}
              </th>
            </tr>
          )}
          {those.map(({ row, index }) => (
            <tr
              key={keyOf(row)}
              className={`border-b border-line hover:bg-linen/60 max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-2 max-lg:py-2 max-lg:before:order-1 max-lg:before:basis-full ${rowClass?.(index) ?? ''}`}
            >
              {columns.map((column, i) => (
                <Cell key={column.head} column={column} isName={i === 0} row={row} />
              ))}
              {actions && (
                <td className="px-3 py-2 max-lg:order-3 max-lg:-my-1.5 max-lg:ml-auto max-lg:p-0 max-lg:has-[>:empty]:hidden lg:text-right">
                  <span className="row-actions">{actions(row)}</span>
                </td>
              )}
              {menu && <td className="max-lg:-my-2 max-lg:-mr-3 lg:w-12 lg:text-right">{menu(row)}</td>}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

function Cell<Row>({ column, isName, row }: { column: Column<Row>; isName: boolean; row: Row }) {
  const { head, numeric, aside, words, place = '' } = column
  const content = column.cell(row)
  return (
    <td
      className={`px-3 py-3.5 wrap-break-word max-lg:p-0 ${isName ? 'max-lg:min-w-28 max-lg:flex-1' : ''} ${aside ? 'max-lg:max-w-[52%]' : ''} ${isName || aside ? '' : 'max-lg:order-2 max-lg:text-ink-soft'} ${words ? 'max-lg:basis-full' : ''} ${isName ? '' : place} ${numeric ? 'whitespace-nowrap tabular-nums lg:text-right' : ''} ${isName ? 'font-medium max-lg:text-base/snug' : 'max-lg:text-caption/snug'}`}
    >
      {!isName && <span className={numeric ? 'text-fine text-ink-mute lg:hidden' : 'sr-only lg:hidden'}>{head} </span>}
      <span className={`min-w-0 wrap-anywhere ${words ? 'lg:inline-block lg:min-w-44 xl:min-w-56' : ''}`}>
        {typeof content === 'string' ? <WholeWords text={content} /> : content}
      </span>
    </td>
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
  const edge = button.variant === 'quiet' ? '' : 'not-disabled:border-err/40'
  const colour = danger ? `not-disabled:text-err ${edge}` : ''
  return (
    <Button variant="secondary" small aria-label={name} className={`${colour} ${className}`} {...button}>
      {label}
    </Button>
  )
}
