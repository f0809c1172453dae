import {
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  useFormContext,
} from 'react-hook-form'
import * as choices from './choices.tsx'
import * as field from './field.tsx'
import * as time from './time-field.tsx'

/**
 * The fields of `field.tsx`, `choices.tsx` and `time-field.tsx` for a form of react-hook-form. The form around them
 * (`FormProvider`) fills, checks and focuses each by its `name`, and shows its error below it.
 */
type InForm<Plain extends (props: never) => unknown> = Omit<
  Parameters<Plain>[0],
  'name' | 'error' | 'ref' | 'onChange' | 'onBlur' | 'value' | 'defaultValue'
>

type Bound<Form extends FieldValues> = {
  name: FieldPath<Form>
  /** Checks where the form has no schema, and what else happens on a change. */
  rules?: RegisterOptions<Form, FieldPath<Form>>
}

function useField<Form extends FieldValues>(name: FieldPath<Form>, rules?: RegisterOptions<Form, FieldPath<Form>>) {
  const { register, formState } = useFormContext<Form>()
  const error: FieldError | undefined = get(formState.errors, name)
  return { ...register(name, rules), error: error?.message }
}

/** One line of text. */
export function TextField<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof field.TextField> & Bound<Form>) {
  return <field.TextField {...props} {...useField(name, rules)} />
}

/** A whole number; the form holds it as a number. */
export function NumberField<Form extends FieldValues>({
  name,
  onBlur,
  ...props
}: InForm<typeof field.TextField> &
  Pick<Bound<Form>, 'name'> & { onBlur?: (event: { target: HTMLInputElement }) => void }) {
  return (
    <field.TextField
      type="number"
      inputMode="numeric"
      {...props}
      {...useField<Form>(name, { valueAsNumber: true, onBlur })}
    />
  )
}

/** Several lines of text. */
export function TextArea<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof field.TextArea> & Bound<Form>) {
  return <field.TextArea {...props} {...useField(name, rules)} />
}

/** A time, `HH:mm`. */
export function TimeField<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof time.TimeField> & Bound<Form>) {
  return <time.TimeField {...props} {...useField(name, rules)} />
}

/** One of a list. */
export function SelectField<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof choices.SelectField> & Bound<Form>) {
  return <choices.SelectField {...props} {...useField(name, rules)} />
}

/** One box to tick. */
export function Tick<Form extends FieldValues>({ name, rules, ...props }: InForm<typeof choices.Tick> & Bound<Form>) {
  return <choices.Tick {...props} {...useField(name, rules)} />
}
