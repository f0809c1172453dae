import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysOf, many } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { type CardFees, PAYOUT_KINDS, type Payout } from '#payments/contract-payouts.ts'
import { latestPeriods, PERIOD_KINDS, type Period, type PeriodKind, periodName } from '#payments/period-rules.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { SelectFilter } from '#ui/pager.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import { present } from '#ui/use-now.ts'
import { DateRange } from '../date-range.tsx'
import { Download } from './download.tsx'
import { Table } from './table.tsx'

/** Files of a period for the accountant, by default of last month. */
export function Accountant() {
  const [period, setPeriod] = useState(() => defaultPeriod('month'))
  const days = new URLSearchParams(period)
  return (
    <Section title="For the accountant" className="mt-12">
      <div className="grid grid-cols-2 items-end gap-3 border-y border-line py-5 max-sm:[&>a]:col-span-2 sm:flex sm:flex-wrap">
        <PeriodChoice period={period} onChange={setPeriod} />
        <Download href={`/api/admin/purchases.csv?${days}`}>Sales and refunds (CSV)</Download>
        <Download href={`/api/admin/statement.pdf?${days}`}>Statement (PDF)</Download>
      </div>
      <CardMoney period={period} />
    </Section>
  )
}

const STATUSES: Record<Payout['status'], string> = {
  pending: 'On its way',
  in_transit: 'On its way',
  paid: 'Paid',
  failed: 'Failed',
  canceled: 'Cancelled',
}

/** Card fees and payouts, as far as the card provider has reported them. */
function CardMoney({ period }: { period: Period }) {
  const query = useQuery({
    ...staffPaymentsApi.getCardFees.queryOptions({ query: period }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <QueryView query={query} failed="The card fees could not be loaded.">
      {({ fees, lines, notKnown, payouts }) => (
        <>
          <p className="mt-4 text-small text-ink-soft">{describeFees({ fees, lines, notKnown }, period)}</p>
          {payouts.length === 0 ? (
            <p className="mt-2 text-small text-ink-mute">No card payouts arrive in this period.</p>
          ) : (
            <details className="mt-2">
              <summary className="inline-flex min-h-11 cursor-pointer items-center text-small text-ink-soft underline decoration-1 underline-offset-4">
                {many(payouts.length, 'card payout')},{' '}
                {formatMoney(payouts.reduce((sum, { amount }) => sum + Number(amount), 0))}
              </summary>
              <Table
                title="Card payouts"
                heads={['Arrives', 'Amount', 'Fees', 'What is in it', 'Status']}
                rows={payouts.map(({ id, arrivesOn, amount, status, contents }) => [
                  formatDate(arrivesOn),
                  <span key={id} title={id}>
                    {formatMoney(amount)}
                  </span>,
                  contents.length === 0
                    ? NOT_KNOWN
                    : formatMoney(contents.reduce((sum, content) => sum + Number(content.fees), 0)),
                  contents.length === 0 ? NOT_KNOWN : contents.map(describeContent).join('; '),
                  STATUSES[status],
                ])}
              />
            </details>
          )}
        </>
      )}
    </QueryView>
  )
}

const NOT_KNOWN = 'Not known yet'

function describeFees({ fees, lines, notKnown }: Omit<CardFees, 'payouts'>, period: Period): string {
  if (lines === 0) return 'Nothing was paid or refunded by card in this period.'
  if (notKnown === lines) return 'Card fees: not known yet. The card provider reports them within a day or so.'
  const known = `${periodName(period)}: card fees ${formatMoney(fees)}`
  if (notKnown === 0) return `${known}.`
  return `${known}; not known yet for ${notKnown} of ${lines} card payments and refunds.`
}

const describeContent = ({ kind, count, amount }: Payout['contents'][number]) =>
  `${PAYOUT_KINDS[kind]} (${count}) ${formatMoney(amount)}`

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
