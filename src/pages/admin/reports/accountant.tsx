import download from '@lucide/icons/icons/download'
import { useState } from 'react'
import { monthOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { SelectFilter } from '#ui/pager.tsx'
import { present } from '#ui/use-now.ts'

/** So many months back, the present one included. */
const MONTHS = 24

/** A month's sales and refunds for the accountant: last month's unless another is chosen. */
export function Accountant() {
  const now = Temporal.PlainDate.from(today(present())).toPlainYearMonth()
  const months = Array.from({ length: MONTHS }, (_, back) => now.subtract({ months: back }))
  const [month, setMonth] = useState(now.subtract({ months: 1 }).toString())
  const chosen = Temporal.PlainYearMonth.from(month)
  const from = `${month}-01`
  const to = `${month}-${String(chosen.daysInMonth).padStart(2, '0')}`
  return (
    <section aria-labelledby="accountant">
      <h2 id="accountant" className="title mt-12 mb-4">
        For the accountant
      </h2>
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
    </section>
  )
}

const optionOf = (month: Temporal.PlainYearMonth) =>
  [month.toString(), `${monthOf(`${month}-01`)} ${month.year}`] as const

function Download({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} download className={buttonClass({ variant: 'secondary', small: true })}>
      <Icon of={download} aria-hidden strokeWidth={1.5} /> {children}
    </a>
  )
}
