import { type FieldPath, type FieldValues, type RegisterOptions, useController } from 'react-hook-form'
import * as plain from './date-field.tsx'

/** A day of the form around it. Not with the other fields: only forms that have a date load the calendar. */
export function DateField<Form extends FieldValues>({
  name,
  rules,
  onChange,
  ...props
}: Omit<Parameters<typeof plain.DateField>[0], 'value' | 'error' | 'ref' | 'onChange'> & {
  name: FieldPath<Form>
  rules?: Omit<RegisterOptions<Form, FieldPath<Form>>, 'valueAsNumber' | 'valueAsDate' | 'setValueAs' | 'disabled'>
  /** Called once the form holds the new day. */
  onChange?: (date: string) => void
}) {
  const { field, fieldState } = useController<Form>({ name, rules })
  return (
    <plain.DateField
      {...props}
      ref={field.ref}
      value={field.value ?? ''}
      error={fieldState.error?.message}
      onChange={(date) => {
        field.onChange(date)
        onChange?.(date)
      }}
    />
  )
}
