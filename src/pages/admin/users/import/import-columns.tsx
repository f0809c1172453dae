import type { Columns } from '#imports/contract.ts'
import { FIELDS, type Field, missingColumns } from '#imports/rules.ts'
import { SelectField } from '#ui/choices.tsx'

const WORDS: Record<Field, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  name: 'Full name',
  email: 'Email',
  phone: 'Phone',
  credits: 'Credits',
  expiry: 'Expiry date',
  package: 'Package',
}

/** Which of the file's columns hold what: as recognised, and to be put right. Open where something is missing. */
export function ImportColumns({
  headings,
  columns,
  onChange,
}: {
  headings: readonly string[]
  columns: Columns
  onChange: (field: Field, heading: string | null) => void
}) {
  const options = [...new Set(headings)].map((heading) => [heading, heading] as const)
  return (
    <details open={missingColumns(columns).length > 0} className="border-y border-line py-2">
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-4 text-[0.9375rem]">
        <span className="font-medium">
          Columns:{' '}
          {FIELDS.filter((field) => columns[field])
            .map((field) => WORDS[field])
            .join(', ') || 'none recognised'}
        </span>
        <span className="link">Change columns</span>
      </summary>
      <div className="grid gap-4 py-4 sm:grid-cols-2 lg:grid-cols-4">
        {FIELDS.map((field) => (
          <SelectField
            key={field}
            label={WORDS[field]}
            choose="Not in the file"
            options={options}
            value={columns[field] ?? ''}
            onChange={(event) => onChange(field, event.target.value || null)}
          />
        ))}
      </div>
    </details>
  )
}
