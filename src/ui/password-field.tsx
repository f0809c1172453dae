import { type ComponentProps, useState } from 'react'
import { FieldLayout, type FieldProps, useFieldAria } from './field.tsx'

/**
 * A field for a password: managers may fill it, people may paste into it, and look at what they typed. The button is not
 * called after the password, so that whoever looks for the field by its label finds one.
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
