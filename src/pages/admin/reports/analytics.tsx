import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { many } from '#foundation/collections.ts'
import { monthOf, WEEKDAYS } from '#foundation/dates.ts'
import { dateOr, today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { METHODS, type Report } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { Figures } from '#ui/figures.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useSetSearchParam } from '#ui/search-params.ts'
import { Skeleton } from '#ui/spinner.tsx'
import { present } from '#ui/use-now.ts'
import { VOUCHER_FIGURES } from '#vouchers/rules.ts'
import { vouchersApi } from '#vouchers/web/api.ts'
import { DateRange } from '../date-range.tsx'
import { Accountant } from './accountant.tsx'
import { Download } from './download.tsx'
import { SlotFigures } from './slots.tsx'
import { Table } from './table.tsx'
import { TeacherFigures } from './teachers.tsx'

export default function AnalyticsTab() {
  const analytics = useQuery({ ...insightsApi.getAnalytics.queryOptions(), gcTime: 0 })
  return (
    <>
      <QueryView query={analytics} failed="The figures could not be loaded.">
        {(all) => (
          <>
            <Figures
              figures={[
                ['Registered Students', all.registeredStudents],
                ['Monthly Revenue', formatMoney(all.monthlyRevenue)],
                ['Total Revenue', formatMoney(all.totalRevenue)],
                ['Active Packages', all.activePackages],
              ]}
            />
            <h2 className="title mt-12 mb-4">Booking Analytics</h2>
            <Figures
              figures={[
                ['Total Bookings', all.totalBookings],
                ['Confirmed Bookings', all.confirmedBookings],
                ['Completed Classes', all.completedBookings],
              ]}
            />
            <VouchersOutstanding />
            <h2 className="title mt-12 mb-4">Package Sales</h2>
            <Figures
              figures={[
                ['Total Packages', all.totalPackages],
                ['Active Packages', all.activePackages],
                [
                  'Revenue per Student',
                  formatMoney(all.registeredStudents ? Number(all.totalRevenue) / all.registeredStudents : 0),
                ],
              ]}
            />
          </>
        )}
      </QueryView>
      {/* Read after the figures above, so that they arrive first and push nothing down. */}
      {!analytics.isPending && (
        <>
          <Accountant />
          <Period />
          <Suspense>
            <Speed />
          </Suspense>
        </>
      )}
    </>
  )
}

/** Paid for, and not redeemed yet: they are revenue already, and the VAT on them was due when they were sold. */
function VouchersOutstanding() {
  const { data } = useQuery({ ...vouchersApi.getOutstandingVouchers.queryOptions(), gcTime: 0 })
  if (!data || data.count === 0) return null
  return (
    <p className="mt-4 text-small text-ink-soft">
      {many(data.count, 'gift voucher')} worth {formatMoney(data.amount)} not redeemed yet. What was paid for them is in
      the revenue, with its VAT: a voucher for a pass is taxed when it is sold.
    </p>
  )
}

/** By default the last twelve months including this one. */
function Period() {
  const [query] = useSearchParams()
  const now = today(present())
  const yearAgo = Temporal.PlainDate.from(now).with({ day: 1 }).subtract({ months: 11 }).toString()
  const from = dateOr(query.get('from'), yearAgo)
  const to = dateOr(query.get('to'), now)
  const report = useQuery({
    ...insightsApi.getReport.queryOptions({ query: { from, to } }),
    // Keep the previous period while another is fetched.
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <section aria-labelledby="over-time">
      <div className="mt-14 mb-6 flex flex-wrap items-end justify-between gap-4">
        <h2 id="over-time" className="title">
          Over time
        </h2>
        <div className="grid w-full grid-cols-2 items-end gap-3 sm:flex sm:w-auto">
          <DateRange from={from} to={to} clear="Reset" onChange={useSetSearchParam()} />
          <Download href={`/api/admin/report.csv?${new URLSearchParams({ from, to })}`} className="max-sm:col-span-2">
            CSV
          </Download>
        </div>
      </div>
      <QueryView query={report} failed="The figures could not be loaded.">
        {(figures) => <ReportFigures report={figures} />}
      </QueryView>
      {report.data && <TeacherFigures rows={report.data.byTeacher} />}
      <SlotFigures from={from} to={to} />
    </section>
  )
}

function ReportFigures({ report }: { report: Report }) {
  const { fill, outstanding, paused, breakage, vouchers } = report
  const onPause = paused > 0 ? `; ${many(paused, 'pass', 'passes')} on pause` : ''
  const filled = fill.places ? `${Math.round((fill.taken / fill.places) * 100)}%` : 'None yet'
  const weekdays = byWeekday(report)
  const hours = byHour(report)
  return (
    <>
      <Figures
        figures={[
          ['Fill rate', withNote(filled, `${fill.taken} of ${fill.places} places taken`)],
          [
            'Credits outstanding',
            withNote(outstanding.credits, `worth ${formatMoney(outstanding.value)}, paid and not yet used${onPause}`),
          ],
          ['Credits expired unused', withNote(breakage.credits, `worth ${formatMoney(breakage.value)}`)],
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
          rows={weekdays.map(({ name, value }) => [name, value])}
          bars={weekdays.map(({ name, value }) => ({ name: name.slice(0, 3), value }))}
        />
        <Chart
          title="Bookings by hour"
          heads={['Starting', ...WEEKDAYS.map((day) => day.slice(0, 3)), 'All']}
          rows={hours.map(({ name, value, days }) => [name, ...days, value])}
          bars={hours}
        />
      </div>
      {vouchers.some(({ count }) => count > 0) && (
        <>
          <h3 className="mt-12 mb-4 font-medium">Gift vouchers</h3>
          <Table
            title="Gift vouchers"
            heads={['In this period', 'Vouchers', 'Paid for them']}
            rows={vouchers.map(({ figure, count, amount }) => [VOUCHER_FIGURES[figure], count, formatMoney(amount)])}
          />
        </>
      )}
    </>
  )
}

const withNote = (figure: ReactNode, note: string) => (
  <>
    {figure}
    <span className="mt-1 block font-sans text-caption/snug tracking-normal text-ink-mute">{note}</span>
  </>
)

const monthInWords = (month: string) => `${monthOf(`${month}-01`)} ${month.slice(0, 4)}`
const shortMonth = (month: string) => `${monthOf(`${month}-01`).slice(0, 3)} ${month.slice(2, 4)}`

const sumOf = (busy: Report['busy']) => busy.reduce((sum, { bookings }) => sum + bookings, 0)

function byWeekday({ busy }: Report): Bar[] {
  return WEEKDAYS.map((name, i) => ({ name, value: sumOf(busy.filter(({ weekday }) => weekday === i + 1)) }))
}

/** Bookings by hour and weekday, from the first hour of the day with bookings to the last, without gaps. */
function byHour({ busy }: Report) {
  const hours = busy.map(({ hour }) => hour)
  const first = Math.min(...hours)
  const length = hours.length && Math.max(...hours) - first + 1
  return Array.from({ length }, (_, i) => {
    const slots = busy.filter(({ hour }) => hour === first + i)
    const days = WEEKDAYS.map((_, day) => sumOf(slots.filter(({ weekday }) => weekday === day + 1)))
    return { name: `${String(first + i).padStart(2, '0')}:00`, value: sumOf(slots), days }
  })
}

const Speed = lazy(() => import('./speed.tsx'))

/** Loads the chart library only if there is something to draw. */
const Bars = lazy(() => import('./bars.tsx'))

type Bar = { name: string; value: number }
type ChartProps = {
  title: string
  heads: readonly string[]
  rows: ComponentProps<typeof Table>['rows']
  bars: readonly Bar[]
  unit?: '£'
  wide?: boolean
}

function Chart({ title, heads, rows, bars, unit, wide = false }: ChartProps) {
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
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-small text-ink-soft underline decoration-1 underline-offset-4">
          As a table
        </summary>
        <Table title={title} heads={heads} rows={rows} />
      </details>
    </figure>
  )
}
