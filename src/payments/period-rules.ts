import { formatDate, monthOf } from '#foundation/dates.ts'

/** Days at the studio, `YYYY-MM-DD`, both included. */
export type Period = { from: string; to: string }

/** The UK's tax year starts on 6 April. */
const TAX_YEAR = { month: 4, day: 6 }

const periodFrom = (first: Temporal.PlainDate, length: Temporal.DurationLike): Period => ({
  from: first.toString(),
  to: first.add(length).subtract({ days: 1 }).toString(),
})

/** The periods that an accountant asks for, and how to find the one with a date in it. */
export const PERIOD_KINDS = {
  month: { label: 'Month', length: { months: 1 }, shown: 24 },
  quarter: { label: 'Quarter', length: { months: 3 }, shown: 12 },
  taxYear: { label: 'Tax year', length: { years: 1 }, shown: 7 },
} as const
export type PeriodKind = keyof typeof PERIOD_KINDS

/** The month, the quarter of the calendar year or the tax year with this date in it. */
export function periodWith(date: Temporal.PlainDate, kind: PeriodKind): Period {
  const { length } = PERIOD_KINDS[kind]
  if (kind === 'month') return periodFrom(date.with({ day: 1 }), length)
  if (kind === 'quarter') return periodFrom(date.with({ day: 1, month: date.month - ((date.month - 1) % 3) }), length)
  const first = date.with(TAX_YEAR)
  return periodFrom(Temporal.PlainDate.compare(date, first) < 0 ? first.subtract({ years: 1 }) : first, length)
}

/** The current period and those before it, the latest first. */
export function latestPeriods(today: Temporal.PlainDate, kind: PeriodKind): Period[] {
  const { length, shown } = PERIOD_KINDS[kind]
  const periods = [periodWith(today, kind)]
  while (periods.length < shown) {
    const { from } = periods.at(-1) as Period
    periods.push(periodFrom(Temporal.PlainDate.from(from).subtract(length), length))
  }
  return periods
}

/** `October 2026`, `October to December 2026`, `Tax year 2026/27`, or the two dates. */
export function periodName({ from, to }: Period): string {
  const [first, year] = [Temporal.PlainDate.from(from), from.slice(0, 4)]
  const is = (kind: PeriodKind) => periodWith(first, kind).from === from && periodWith(first, kind).to === to
  if (is('month')) return `${monthOf(from)} ${year}`
  if (is('quarter')) return `${monthOf(from)} to ${monthOf(to)} ${year}`
  if (is('taxYear')) return `Tax year ${year}/${to.slice(2, 4)}`
  return `${formatDate(from)} to ${formatDate(to)}`
}
