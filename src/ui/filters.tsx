import { type ReactNode, useId } from 'react'

/** A small choice above a list. */
export function SelectFilter({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, word: string])[]
  onChange: (value: string | undefined) => void
}) {
  const id = useId()
  return (
    <Labelled id={id} label={label}>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value || undefined)}
        className="input min-h-11 py-2 text-[0.9375rem]"
      >
        {options.map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** A date above a list; emptied, it filters nothing. */
export function DateFilter({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string
  value: string
  min?: string
  max?: string
  onChange: (value: string | undefined) => void
}) {
  const id = useId()
  return (
    <Labelled id={id} label={label}>
      <input
        id={id}
        type="date"
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={(event) => onChange(event.target.value || undefined)}
        className="input min-h-11 py-2 text-[0.9375rem]"
      />
    </Labelled>
  )
}

function Labelled({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-[0.8125rem] text-ink-mute">
        {label}
      </label>
      {children}
    </div>
  )
}
