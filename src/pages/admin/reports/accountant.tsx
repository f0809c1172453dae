import { useState } from 'react'
import { keysOf } from '#foundation/collections.ts'
import { today } from '#foundation/instants.ts'
import { latestPeriods, PERIOD_KINDS, type Period, type PeriodKind, periodName } from '#payments/period-rules.ts'
import { SelectFilter } from '#ui/pager.tsx'
import { present } from '#ui/use-now.ts'
import { Section } from '../admin-ui.tsx'
import { DateRange } from '../date-range.tsx'
import { Download } from './download.tsx'

/** Files of a period for the accountant, by default of last month. */
export function Accountant() {
  const [period, setPeriod] = useState(() => defaultPeriod('month'))
  const days = new URLSearchParams(period)
  return (
    <Section title="For the accountant" className="mt-12">
      <div className="grid gap-3 border-y border-line py-5 sm:flex sm:flex-wrap sm:items-end">
        <PeriodChoice period={period} onChange={setPeriod} />
        <Download href={`/api/admin/purchases.csv?${days}`}>Sales and refunds (CSV)</Download>
        <Download href={`/api/admin/statement.pdf?${days}`}>Statement (PDF)</Download>
      </div>
    </Section>
  )
}

const periodsOf = (kind: PeriodKind) => latestPeriods(Temporal.PlainDate.from(today(present())), kind)

/** The last one that is complete. */
const defaultPeriod = (kind: PeriodKind): Period => periodsOf(kind)[1] as Period

const OWN_DATES = 'own'

function PeriodChoice({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const [kind, setKind] = useState<PeriodKind | typeof OWN_DATES>('month')
  const kinds = [...keysOf(PERIOD_KINDS).map((name) => [name, PERIOD_KINDS[name].label] as const), OWN] as const
  function chooseKind(name: string | undefined) {
    const chosen = keysOf(PERIOD_KINDS).find((known) => known === name)
    setKind(chosen ?? OWN_DATES)
    // Own dates start from the period shown before.
    if (chosen) onChange(defaultPeriod(chosen))
  }
  return (
    <>
      <SelectFilter label="Period" value={kind} options={kinds} onChange={chooseKind} />
      {kind === OWN_DATES ? (
        <DateRange
          {...period}
          clear="Reset"
          onChange={(end, date) => onChange(date ? { ...period, [end]: date } : defaultPeriod('month'))}
        />
      ) : (
        <SelectFilter
          label={PERIOD_KINDS[kind].label}
          value={period.from}
          options={periodsOf(kind).map((one) => [one.from, periodName(one)] as const)}
          onChange={(from) => onChange(periodsOf(kind).find((one) => one.from === from) ?? period)}
        />
      )}
    </>
  )
}

const OWN = [OWN_DATES, 'Own dates'] as const
