import type { ComponentProps } from 'react'
import { FieldError, FieldLayout, type FieldProps, useFieldAria } from './field.tsx'

/** `options`: value and label. */
export function SelectField({
  label,
  error,
  help,
  choose,
  options,
  ...select
}: ComponentProps<'select'> &
  FieldProps & {
    choose?: string
    options: readonly (readonly [value: string | number, label: string])[]
  }) {
  const field = { label, error, help }
  const { id, control } = useFieldAria(field)
  return (
    <FieldLayout id={id} field={field}>
      <select {...select} {...control} className="input">
        {choose && <option value="">{choose}</option>}
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FieldLayout>
  )
}

/** `large`: a card that can be pressed anywhere; links in the label stay links. */
export function Tick({
  label,
  error,
  help,
  large,
  ...input
}: ComponentProps<'input'> & FieldProps & { large?: boolean }) {
  const { id, control } = useFieldAria({ label, error, help })
  return (
    <div>
      <div
        className={
          large
            ? 'relative isolate flex min-h-14 items-start gap-3 rounded-row border border-line-strong px-4 py-2.5 sm:py-3.5 has-checked:border-sage-dark has-checked:bg-sage-tint'
            : 'flex min-h-11 items-start gap-3 py-1.5'
        }
      >
        <input {...input} {...control} type="checkbox" className={large ? 'tick relative z-10' : 'tick'} />
        <label
          htmlFor={id}
          className={`text-ink-soft ${large ? 'text-small/normal sm:text-base/normal' : 'text-base/normal'} ${large ? 'after:absolute after:inset-0 [&_a]:relative [&_a]:z-10' : ''}`}
        >
          {label}
        </label>
      </div>
      {help && (
        <div id={`${id}-help`} className="-mt-1.5 pb-1.5 pl-9 text-small/snug text-ink-mute">
          {help}
        </div>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

export function RadioCards({
  label,
  error,
  options,
  checkedValue,
  ...input
}: Omit<ComponentProps<'input'>, 'type' | 'value'> &
  FieldProps & {
    options: readonly (readonly [value: string, label: string])[]
    checkedValue?: string
  }) {
  const { control } = useFieldAria({ label, error })
  return (
    <fieldset aria-describedby={control['aria-describedby']}>
      <legend className="mb-2 text-small/snug font-medium">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-2 sm:grid-cols-2 sm:gap-2.5">
        {options.map(([value, text]) => (
          <label
            key={value}
            className="flex min-h-14 odd:last:col-span-full items-center gap-3 rounded-row border border-line-strong bg-white px-3 py-2 sm:min-h-16 sm:px-4 sm:py-3 text-base/tight transition-colors has-checked:border-sage-dark has-checked:bg-sage-tint has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-sage-deep"
          >
            <input
              {...input}
              type="radio"
              value={value}
              checked={checkedValue === undefined ? undefined : checkedValue === value}
              className="tick mt-0 focus-visible:outline-none"
            />
            {text}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${control.id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
