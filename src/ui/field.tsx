import circleAlert from '@lucide/icons/icons/circle-alert'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { Icon } from './icon.tsx'

export type FieldProps = { label: ReactNode; error?: string; help?: ReactNode }

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-2 flex items-start gap-2 text-small/snug text-err">
      <Icon of={circleAlert} size={18} className="mt-px flex-none" />
      {children}
    </p>
  )
}

export function FormError({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <div role="alert">
      <FieldError>{children}</FieldError>
    </div>
  )
}

/** A field's id, and the ARIA attributes that tie its help and error to the control. */
export function useFieldAria({ error, help }: FieldProps) {
  const id = useId()
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return { id, control: { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described } }
}

export function FieldLayout({
  id,
  field,
  optional,
  children,
}: {
  id: string
  field: FieldProps
  optional?: boolean
  children: ReactNode
}) {
  return (
    <div>
      <label htmlFor={id} className="mb-2 block text-small/snug font-medium">
        {field.label} {optional && <span className="font-normal text-ink-mute">(optional)</span>}
      </label>
      {children}
      {field.help && (
        <div id={`${id}-help`} className="mt-2 text-small/snug text-ink-mute">
          {field.help}
        </div>
      )}
      {field.error && <FieldError id={`${id}-error`}>{field.error}</FieldError>}
    </div>
  )
}

/** A text input. Inside a form use the one of `form-fields.tsx`. */
export function TextField({
  label,
  error,
  help,
  optional,
  className = '',
  ...input
}: ComponentProps<'input'> & FieldProps & { optional?: boolean }) {
  const field = { label, error, help }
  const { id, control } = useFieldAria(field)
  return (
    <FieldLayout id={id} field={field} optional={optional}>
      <input {...input} {...control} className={`input ${className}`} />
    </FieldLayout>
  )
}

export function TextArea({
  label,
  error,
  help,
  optional,
  ...area
}: ComponentProps<'textarea'> & FieldProps & { optional?: boolean }) {
  const field = { label, error, help }
  const { id, control } = useFieldAria(field)
  return (
    <FieldLayout id={id} field={field} optional={optional}>
      <textarea
        rows={3}
        {...area}
        {...control}
        className={`input resize-y ${area.rows === 1 ? 'field-sizing-content supports-[field-sizing:content]:resize-none' : 'min-h-24'}`}
      />
    </FieldLayout>
  )
}

/** A password, with a button that shows it. The button's name leaves out the label, so a label finds one element. */
export function PasswordField({ label, error, help, ...input }: ComponentProps<'input'> & FieldProps) {
  const [isShown, show] = useState(false)
  const field = { label, error, help }
  const { id, control } = useFieldAria(field)
  const word = isShown ? 'Hide' : 'Show'
  return (
    <FieldLayout id={id} field={field}>
      <div className="relative">
        <input
          {...input}
          {...control}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          className="input pr-20"
        />
        <button
          type="button"
          aria-label={`${word} what is typed`}
          onClick={() => show(!isShown)}
          className="absolute inset-y-1 right-1 min-w-16 rounded-field text-small font-medium text-ink-soft"
        >
          {word}
        </button>
      </div>
    </FieldLayout>
  )
}
