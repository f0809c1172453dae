import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { many } from '#foundation/collections.ts'
import { monthOf, WEEKDAYS } from '#foundation/dates.ts'
import { dateOr, today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { METHODS, type Report } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { TextLink } from '#ui/button.tsx'
import { Figures } from '#ui/figures.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useSetSearchParam } from '#ui/search-params.ts'
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
                ['Registered Students', all.registeredStudents, 'without the team'],
                ['Monthly Revenue', formatMoney(all.monthlyRevenue), 'this month, less refunds'],
                ['Total Revenue', formatMoney(all.totalRevenue), 'so far, less refunds'],
                ['Active Packages', all.activePackages, 'on sale now'],
              ]}
            />
            <h2 className="title mt-12 mb-4">Booking Analytics</h2>
            <Figures
              figures={[
                ['Total Bookings', all.totalBookings, 'with the cancelled ones'],
                ['Confirmed Bookings', all.confirmedBookings, 'of them still to come'],
                ['Completed Classes', all.completedBookings, 'of them attended'],
              ]}
            />
            <VouchersOutstanding />
            <h2 className="title mt-12 mb-4">Package Sales</h2>
            <Figures
              figures={[
                ['Total Packages', all.totalPackages, 'on sale or hidden'],
                ['Active Packages', all.activePackages, `${all.totalPackages - all.activePackages} hidden`],
                [
                  'Revenue per Student',
                  formatMoney(all.registeredStudents ? Number(all.totalRevenue) / all.registeredStudents : 0),
                  `${formatMoney(all.totalRevenue)} for ${all.registeredStudents}`,
                ],
              ]}
            />
            <p className="mt-4 text-small text-ink-soft">
              Sales by month are below, and each sale is under{' '}
              <TextLink to="/admin?tab=Packages&view=purchases">Purchases</TextLink>.
            </p>
          </>
        )}
      </QueryView>
      {/* Read after the figures above, so that they arrive first and push nothing down. */}
      {!analytics.isPending && (
        <>
          <Period />
          <Suspense>
            <Speed />
          </Suspense>
          <Accountant />
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
  const month = Temporal.PlainDate.from(now).with({ day: 1 })
  const yearAgo = month.subtract({ months: 11 }).toString()
  const periods = [
    ['This month', { from: `${month}`, to: now }],
    ['Last month', { from: `${month.subtract({ months: 1 })}`, to: `${month.subtract({ days: 1 })}` }],
    ['12 months', { from: yearAgo, to: now }],
  ] as const
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
        <nav aria-label="Usual periods" className="-mx-3 flex sm:mr-auto sm:-mb-2">
          {periods.map(([label, dates]) => (
            <Link
              key={label}
              to={`?${new URLSearchParams({ tab: 'Analytics', ...dates })}`}
              replace
              preventScrollReset
              aria-current={dates.from === from && dates.to === to}
              className="link inline-flex min-h-11 items-center rounded-full px-3 text-small aria-[current=true]:bg-sand aria-[current=true]:no-underline"
            >
              {label}
            </Link>
          ))}
        </nav>
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
  // From the first month that sold something.
  const months = report.revenue.slice(report.revenue.findIndex(({ purchases }) => purchases > 0))
  const weekdays = WEEKDAYS.map((name, i) => [name, sumOf(report.busy, ({ weekday }) => weekday === i + 1)] as const)
  return (
    <>
      <Figures
        figures={[
          ['Fill rate', filled, `${fill.taken} of ${fill.places} places taken`],
          [
            'Credits outstanding',
            outstanding.credits,
            `worth ${formatMoney(outstanding.value)}, paid and not yet used${onPause}`,
          ],
          ['Expired unused', formatMoney(breakage.value), many(breakage.credits, 'credit')],
        ]}
      />
      <div className="mt-10 grid gap-x-14 gap-y-12 lg:grid-cols-2">
        <Chart
          title="Revenue by month"
          heads={['Month', 'Revenue', 'Purchases']}
          rows={months.map(({ month, revenue, purchases }) => [monthInWords(month), formatMoney(revenue), purchases])}
          bars={months.map(({ revenue }) => Number(revenue))}
        />
        <Chart
          title="Revenue by payment method"
          heads={['Paid by', 'Revenue', 'Purchases']}
          rows={report.byMethod.map(({ method, revenue, purchases }) => [
            METHODS[method],
            formatMoney(revenue),
            purchases,
          ])}
          bars={report.byMethod.map(({ revenue }) => Number(revenue))}
        />
        <Chart
          title="Bookings by weekday"
          heads={['Weekday', 'Bookings']}
          rows={weekdays}
          bars={weekdays.map(([, bookings]) => bookings)}
        />
        <Hours busy={report.busy} />
      </div>
      {vouchers.some(({ count }) => count > 0) && (
        <>
          <h3 className="title mt-12 mb-4">Gift vouchers</h3>
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

const monthInWords = (month: string) => `${monthOf(`${month}-01`)} ${month.slice(0, 4)}`

type Busy = Report['busy']
const sumOf = (busy: Busy, isMeant: (slot: Busy[number]) => boolean) =>
  busy.filter(isMeant).reduce((sum, { bookings }) => sum + bookings, 0)

/** From the first hour of the day with bookings to the last, without gaps; the busier an hour, the darker. */
function Hours({ busy }: { busy: Busy }) {
  const hours = busy.map(({ hour }) => hour)
  const first = Math.min(...hours)
  const length = hours.length && Math.max(...hours) - first + 1
  const most = Math.max(...busy.map(({ bookings }) => bookings))
  const rows = Array.from({ length }, (_, i) => {
    const days = WEEKDAYS.map((name, day) => {
      const bookings = sumOf(busy, ({ hour, weekday }) => hour === first + i && weekday === day + 1)
      return (
        <span
          key={name}
          className={bookings ? 'ml-auto block w-6 rounded-md text-center' : 'sr-only'}
          style={{ background: `color-mix(in srgb, var(--color-sage) ${(bookings / most) * 45}%, transparent)` }}
        >
          {bookings}
        </span>
      )
    })
    return [`${String(first + i).padStart(2, '0')}:00`, ...days, sumOf(busy, ({ hour }) => hour === first + i)] as const
  })
  return (
    <Chart title="Bookings by hour" heads={['Start', ...WEEKDAYS.map((day) => day.slice(0, 3)), 'All']} rows={rows} />
  )
}

const Speed = lazy(() => import('./speed.tsx'))

/** A table whose rows have a bar each, or darker cells. */
function Chart(table: ComponentProps<typeof Table>) {
  const { title, rows, bars } = table
  const isEmpty = rows.length === 0 || bars?.every((value) => value === 0)
  return (
    <figure className="min-w-0">
      <figcaption className="title mb-4">{title}</figcaption>
      {isEmpty ? (
        <p className="border-y border-line py-6 text-ink-soft">Nothing in this period.</p>
      ) : (
        <Table {...table} />
      )}
    </figure>
  )
}
