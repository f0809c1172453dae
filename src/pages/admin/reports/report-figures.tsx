import { lazy, type ReactNode, Suspense } from 'react'
import { monthOf, WEEKDAYS } from '#foundation/dates.ts'
import { formatMoney } from '#foundation/money.ts'
import { METHODS, type Report } from '#insights/contract.ts'
import { Figures } from '#ui/figures.tsx'
import { Skeleton } from '#ui/spinner.tsx'

/** A report's figures, and its three rows of bars, each with its table. */
export function ReportFigures({ report }: { report: Report }) {
  const { fill, outstanding, breakage } = report
  const filled = fill.places ? `${Math.round((fill.taken / fill.places) * 100)}%` : 'None yet'
  return (
    <>
      <Figures
        figures={[
          ['Fill rate', <Beside key="fill" figure={filled} note={`${fill.taken} of ${fill.places} places taken`} />],
          [
            'Credits outstanding',
            <Beside
              key="owed"
              figure={outstanding.credits}
              note={`${formatMoney(outstanding.value)} paid for and still to be taught, as of now`}
            />,
          ],
          [
            'Credits expired unused',
            <Beside
              key="lost"
              figure={breakage.credits}
              note={`${formatMoney(breakage.value)} had been paid for these credits`}
            />,
          ],
        ]}
      />
      <div className="mt-10 grid gap-x-14 gap-y-12 lg:grid-cols-2">
        <Chart
          title="Revenue by month"
          heads={['Month', 'Revenue', 'Purchases']}
          rows={report.revenue.map(({ month, revenue, purchases }) => [
            monthInWords(month),
            formatMoney(revenue),
            purchases,
          ])}
          bars={report.revenue.map(({ month, revenue }) => ({ name: shortMonth(month), value: Number(revenue) }))}
          unit="£"
          wide
        />
        <Chart
          title="Revenue by payment method"
          heads={['Paid by', 'Revenue', 'Purchases']}
          rows={report.byMethod.map(({ method, revenue, purchases }) => [
            METHODS[method],
            formatMoney(revenue),
            purchases,
          ])}
          bars={report.byMethod.map(({ method, revenue }) => ({ name: METHODS[method], value: Number(revenue) }))}
          unit="£"
        />
        <Chart
          title="Bookings by weekday"
          heads={['Weekday', 'Bookings']}
          rows={byWeekday(report).map(({ name, value }) => [name, value])}
          bars={byWeekday(report).map(({ name, value }) => ({ name: name.slice(0, 3), value }))}
        />
        <Chart
          title="Bookings by hour"
          heads={['Starting', ...WEEKDAYS.map((day) => day.slice(0, 3)), 'All']}
          rows={hoursAndDays(report)}
          bars={byHour(report)}
        />
      </div>
    </>
  )
}

function Beside({ figure, note }: { figure: ReactNode; note: string }) {
  return (
    <>
      {figure}
      <span className="mt-1 block font-sans text-[0.875rem]/[1.4] tracking-normal text-ink-mute">{note}</span>
    </>
  )
}

const monthInWords = (month: string) => `${monthOf(`${month}-01`)} ${month.slice(0, 4)}`
const shortMonth = (month: string) => `${monthOf(`${month}-01`).slice(0, 3)} ${month.slice(2, 4)}`
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

const sumOf = (busy: Report['busy']) => busy.reduce((sum, { bookings }) => sum + bookings, 0)

function byWeekday({ busy }: Report) {
  return WEEKDAYS.map((name, i) => ({ name, value: sumOf(busy.filter(({ weekday }) => weekday === i + 1)) }))
}

/** From the first hour of the day with bookings to the last, without gaps. */
function hoursOf({ busy }: Report): number[] {
  const hours = busy.map(({ hour }) => hour)
  const first = Math.min(...hours)
  return hours.length ? Array.from({ length: Math.max(...hours) - first + 1 }, (_, i) => first + i) : []
}

function byHour(report: Report) {
  return hoursOf(report).map((hour) => ({
    name: clock(hour),
    value: sumOf(report.busy.filter((slot) => slot.hour === hour)),
  }))
}

function hoursAndDays(report: Report) {
  return hoursOf(report).map((hour) => {
    const slots = report.busy.filter((slot) => slot.hour === hour)
    return [
      clock(hour),
      ...WEEKDAYS.map((_, i) => sumOf(slots.filter(({ weekday }) => weekday === i + 1))),
      sumOf(slots),
    ]
  })
}

/** Loads the chart library only if there is something to draw. */
const Bars = lazy(() => import('./bars.tsx'))

/** A bar chart, and the same numbers as a table. */
function Chart({
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
