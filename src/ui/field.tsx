import circleAlert from '@lucide/icons/icons/circle-alert'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

/** What stands around a field. */
export type Told = { label: ReactNode; error?: string; help?: ReactNode }

/** The sentence below a field that is wrong. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-2 flex items-start gap-2 text-[0.9375rem]/[1.4] text-err">
      <Icon of={circleAlert} aria-hidden size={18} strokeWidth={1.5} className="mt-px flex-none" />
      {children}
    </p>
  )
}

/** A field's id, and what ties its help and error to it. */
export function useTold({ error, help }: Told) {
  const id = useId()
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return { id, control: { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described } }
}

/** A label above, help and error below. */
export function Around({
  id,
  told,
  optional,
  children,
}: {
  id: string
  told: Told
  optional?: boolean
  children: ReactNode
}) {
  return (
    <div>
      <label htmlFor={id} className="mb-2 block text-[0.9375rem]/[1.4] font-medium">
        {told.label} {optional && <span className="font-normal text-ink-mute">(optional)</span>}
      </label>
      {children}
      {told.help && (
        <div id={`${id}-help`} className="mt-2 text-[0.9375rem]/[1.4] text-ink-mute">
          {told.help}
        </div>
      )}
      {told.error && <FieldError id={`${id}-error`}>{told.error}</FieldError>}
    </div>
  )
}

/** One line of text with its label, help and error. Spread a form's `register()` or `field()` into it. */
export function TextField({
  label,
  error,
  help,
  optional,
  className = '',
  ...input
}: ComponentProps<'input'> & Told & { optional?: boolean }) {
  const told = { label, error, help }
  const { id, control } = useTold(told)
  return (
    <Around id={id} told={told} optional={optional}>
      <input {...input} {...control} className={`input ${className}`} />
    </Around>
  )
}

/** Several lines of text. */
export function TextArea({
  label,
  error,
  help,
  optional,
  ...area
}: ComponentProps<'textarea'> & Told & { optional?: boolean }) {
  const told = { label, error, help }
  const { id, control } = useTold(told)
  return (
    <Around id={id} told={told} optional={optional}>
      <textarea
        rows={3}
        {...area}
        {...control}
        className={`input resize-y ${area.rows === 1 ? 'field-sizing-content supports-[field-sizing:content]:resize-none' : 'min-h-24'}`}
      />
    </Around>
  )
}
