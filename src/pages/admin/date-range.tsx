import { DateFilter } from '#ui/date-field.tsx'

/** Two date filters, the first not after the second. A separate file because it loads the calendar. */
export function DateRange({
  from,
  to,
  labels: [first, last] = ['From', 'To'],
  clear = 'Any day',
  onChange,
}: {
  from?: string | undefined
  to?: string | undefined
  labels?: readonly [string, string]
  clear?: string
  onChange: (name: 'from' | 'to', date: string | undefined) => void
}) {
  return (
    <>
      <DateFilter clear={clear} label={first} value={from ?? ''} max={to} onChange={(date) => onChange('from', date)} />
      <DateFilter clear={clear} label={last} value={to ?? ''} min={from} onChange={(date) => onChange('to', date)} />
    </>
  )
}
