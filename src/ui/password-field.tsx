import { type ComponentProps, useState } from 'react'
import { FieldLayout, type FieldProps, useFieldAria } from './field.tsx'

/**
 * A password, with a button that shows it. The button's name does not repeat the label, so a label query finds one
 * element.
 */
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
          className="absolute inset-y-1 right-1 min-w-16 rounded-field text-[0.9375rem] font-medium text-ink-soft"
        >
          {word}
        </button>
      </div>
    </FieldLayout>
  )
}
