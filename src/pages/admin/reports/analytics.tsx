import download from '@lucide/icons/icons/download'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { monthOf } from '#foundation/dates.ts'
import { dateOr, today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { insightsApi } from '#insights/web/api.ts'
import { buttonClass } from '#ui/button.tsx'
import { Figures } from '#ui/figures.tsx'
import { Icon } from '#ui/icon.tsx'
import { SelectFilter } from '#ui/pager.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { present } from '#ui/use-now.ts'
import { Section, useSetInAddress } from '../admin-ui.tsx'
import { DateRange } from '../date-range.tsx'
import { ReportFigures } from './report-figures.tsx'

/** The studio's figures: now, then over a chosen period. */
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
      {/* Loaded at once, but hidden until it cannot be pushed down. */}
      <div hidden={analytics.isPending}>
        <Accountant />
        <Period />
      </div>
    </>
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
          <DateRange from={from} to={to} clear="Reset" onChange={useSetInAddress()} />
          <Download href={`/api/admin/report.csv?${new URLSearchParams({ from, to })}`} className="max-sm:col-span-2">
            CSV
          </Download>
        </div>
      </div>
      <QueryView query={report} failed="The figures could not be loaded.">
        {(figures) => <ReportFigures report={figures} />}
      </QueryView>
    </section>
  )
}

/** Months to choose from, including this one. */
const MONTHS = 24

/** A month's sales and refunds for the accountant, by default last month's. */
function Accountant() {
  const now = Temporal.PlainDate.from(today(present())).toPlainYearMonth()
  const months = Array.from({ length: MONTHS }, (_, back) => now.subtract({ months: back }))
  const [month, setMonth] = useState(now.subtract({ months: 1 }).toString())
  const chosen = Temporal.PlainYearMonth.from(month)
  const from = `${month}-01`
  const to = `${month}-${String(chosen.daysInMonth).padStart(2, '0')}`
  return (
    <Section title="For the accountant" className="mt-12">
      <div className="grid gap-3 border-y border-line py-5 sm:flex sm:flex-wrap sm:items-end">
        <SelectFilter
          label="Month"
          value={month}
          options={months.map(optionOf)}
          onChange={(to) => setMonth(to ?? month)}
        />
        <Download href={`/api/admin/purchases.csv?${new URLSearchParams({ from, to })}`}>
          Sales and refunds (CSV)
        </Download>
        <Download href={`/api/admin/statement.pdf?month=${month}`}>Statement (PDF)</Download>
      </div>
    </Section>
  )
}

const optionOf = (month: Temporal.PlainYearMonth) =>
  [month.toString(), `${monthOf(`${month}-01`)} ${month.year}`] as const

function Download({ href, className, children }: { href: string; className?: string; children: string }) {
  return (
    <a href={href} download className={buttonClass({ variant: 'secondary', small: true }, className)}>
      <Icon of={download} aria-hidden strokeWidth={1.5} /> {children}
    </a>
  )
}
