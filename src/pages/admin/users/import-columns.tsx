import { useState } from 'react'
import { many } from '#foundation/collections.ts'
import type { FileColumn } from '#imports/contract.ts'
import { type DateOrder, FIELDS, type Field, missingColumns } from '#imports/rules.ts'
import { SelectField } from '#ui/choices.tsx'
import { Section } from '#ui/section.tsx'

const WORDS: Record<Field, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  name: 'Full name',
  email: 'Email',
  phone: 'Phone',
  credits: 'Credits',
  expiry: 'Expiry date',
  package: 'Package',
  bookingStart: 'Date and time of a booked class',
  bookingDate: 'Date of a booked class',
  bookingTime: 'Time of a booked class',
  bookingStatus: 'Status of the booking',
  consent: 'Agreed to news',
  consentDate: 'Agreed on',
  consentSource: 'Where they agreed',
}
const OPTIONS = FIELDS.map((field) => [field, WORDS[field]] as const)
const ORDERS = [
  ['day_first', 'Day first: 31/12/2026'],
  ['month_first', 'Month first: 12/31/2026'],
] as const

type Props = {
  columns: readonly FileColumn[]
  dateOrder: DateOrder | null
  onTake: (heading: string, field: Field | null) => void
  onOrder: (order: DateOrder) => void
}

/** Each column of the file with sample cells and what it is taken for, to be corrected. */
export function ImportColumns({ columns, dateOrder, onTake, onOrder }: Props) {
  // A corrected column stays in its list, and the focus with it.
  const [shown] = useState(() => new Set(columns.filter(({ takenFor }) => takenFor).map(({ heading }) => heading)))
  const [isOpen] = useState(() => missingColumns(columns.map(({ takenFor }) => takenFor)).length > 0)
  const others = columns.filter(({ heading }) => !shown.has(heading))
  const left = columns.filter(({ takenFor }) => !takenFor).map(({ heading }) => heading)
  return (
    <Section title="Columns" level="h3" gap="mb-2">
      <ColumnList columns={columns.filter(({ heading }) => shown.has(heading))} onTake={onTake} />
      {left.length > 0 && others.length === 0 && <p className="py-3 text-small">Not imported: {left.join(', ')}</p>}
      {others.length > 0 && (
        <details open={isOpen} className="border-y border-line py-2">
          <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-4 text-small">
            <span className="min-w-0 break-words">
              {left.length > 0 ? `Not imported: ${left.join(', ')}` : 'All columns are imported.'}
            </span>
            <span className="link">Show {many(others.length, 'more column')}</span>
          </summary>
          <ColumnList columns={others} onTake={onTake} />
        </details>
      )}
      {dateOrder && (
        <div className="mt-5 max-w-72">
          <SelectField
            label="Dates in numbers"
            options={ORDERS}
            value={dateOrder}
            onChange={({ target }) => {
              const order = ORDERS.find(([value]) => value === target.value)?.[0]
              if (order) onOrder(order)
            }}
          />
        </div>
      )}
    </Section>
  )
}

function ColumnList({ columns, onTake }: Pick<Props, 'columns' | 'onTake'>) {
  return (
    <ul className="grid gap-x-6 gap-y-5 py-4 sm:grid-cols-2 lg:grid-cols-3">
      {columns.map(({ heading, samples, takenFor }) => (
        <li key={heading} className="min-w-0">
          <SelectField
            label={heading}
            choose="Not imported"
            options={OPTIONS}
            value={takenFor ?? ''}
            onChange={({ target }) => onTake(heading, FIELDS.find((field) => field === target.value) ?? null)}
            help={<span className="break-words">{samples.join(' · ') || 'Empty'}</span>}
          />
        </li>
      ))}
    </ul>
  )
}
