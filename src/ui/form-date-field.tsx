import { type FieldPath, type FieldValues, type RegisterOptions, useController } from 'react-hook-form'
import * as plain from './date-field.tsx'

/** A date of the form around it. In its own file, because it loads the calendar. */
export function DateField<Form extends FieldValues>({
  name,
  rules,
  onChange,
  ...props
}: Omit<Parameters<typeof plain.DateField>[0], 'value' | 'error' | 'ref' | 'onChange'> & {
  name: FieldPath<Form>
  rules?: Omit<RegisterOptions<Form, FieldPath<Form>>, 'valueAsNumber' | 'valueAsDate' | 'setValueAs' | 'disabled'>
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
