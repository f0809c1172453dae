import { lazy, Suspense } from 'react'
import { Skeleton } from '#ui/spinner.tsx'

/** The library that draws comes when there is something to draw. */
const Bars = lazy(() => import('./bars.tsx'))

/** Bars for the eye; the same numbers as a table for whoever cannot see them, or wants them exactly. */
export function Chart({
  title,
  heads,
  rows,
  bars,
  unit,
  wide = false,
}: {
  title: string
  heads: readonly string[]
  rows: readonly (readonly (string | number)[])[]
  bars: readonly { name: string; value: number }[]
  unit?: '£'
  wide?: boolean
}) {
  return (
    <figure className={wide ? 'min-w-0 lg:col-span-2' : 'min-w-0'}>
      <figcaption className="mb-4 font-medium">{title}</figcaption>
      {bars.some(({ value }) => value > 0) ? (
        <div aria-hidden>
          <Suspense fallback={<Skeleton className="h-60" />}>
            <Bars bars={bars} unit={unit} />
          </Suspense>
        </div>
      ) : (
        <p className="border-y border-line py-6 text-ink-soft">Nothing in this period.</p>
      )}
      <details className="mt-2">
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-[0.9375rem] text-ink-soft underline decoration-1 underline-offset-4">
          As a table
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard */}
        <section className="overflow-x-auto" tabIndex={0} aria-label={`${title}, as a table`}>
          <table className="w-full text-[0.9375rem] tabular-nums">
            <caption className="sr-only">{title}</caption>
            <thead>
              <tr className="bg-linen text-[0.8125rem] text-ink-soft">
                {heads.map((head, i) => (
                  <th key={head} scope="col" className={`px-3 py-2 font-medium ${i ? 'text-right' : 'text-left'}`}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, ...cells]) => (
                <tr key={name} className="border-b border-line">
                  <th scope="row" className="px-3 py-2 text-left font-normal whitespace-nowrap">
                    {name}
                  </th>
                  {cells.map((cell, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                    <td key={i} className="px-3 py-2 text-right">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}
