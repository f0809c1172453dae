import { type ComponentProps, useEffect } from 'react'
import {
  type FieldError,
  type FieldPath,
  type FieldValues,
  FormProvider,
  get,
  type Path,
  type RegisterOptions,
  type UseFormReturn,
  useFormContext,
} from 'react-hook-form'
import { keysOf } from '#foundation/collections.ts'
import * as choices from './choices.tsx'
import * as field from './field.tsx'
import * as password from './password-field.tsx'
import { showRefusedFields } from './refused-fields.ts'
import * as time from './time-field.tsx'

/**
 * The `<form>` of a react-hook-form and the context of its fields.
 *
 * @param props.error the mutation's error; fields that the server refused show it, and the first one gets focus
 */
export function Form<Typed extends FieldValues, Sent>({
  form,
  onSubmit,
  error,
  ...props
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: UseFormReturn<Typed, unknown, Sent>
  onSubmit: (sent: Sent) => void
  error?: unknown
}) {
  const { setError, getValues } = form
  useEffect(() => {
    if (error) showRefusedFields(error, setError, keysOf(getValues()) as Path<Typed>[])
  }, [error, setError, getValues])
  return (
    <FormProvider {...form}>
      {/* Submitted before hydration, a password must not end up in the address. */}
      <form noValidate method="post" onSubmit={form.handleSubmit((sent) => onSubmit(sent))} {...props} />
    </FormProvider>
  )
}

/** The props of a field of `field.tsx`, `choices.tsx` and so on, except those that react-hook-form sets. */
type InForm<Plain extends (props: never) => unknown> = Omit<
  Parameters<Plain>[0],
  'name' | 'error' | 'ref' | 'onChange' | 'onBlur' | 'value' | 'defaultValue'
>

type Bound<Form extends FieldValues> = {
  name: FieldPath<Form>
  /** Validation where the form has no schema, and side effects of a change. */
  rules?: RegisterOptions<Form, FieldPath<Form>>
}

function useField<Form extends FieldValues>(name: FieldPath<Form>, rules?: RegisterOptions<Form, FieldPath<Form>>) {
  const { register, formState } = useFormContext<Form>()
  const error: FieldError | undefined = get(formState.errors, name)
  return { ...register(name, rules), error: error?.message }
}

export function TextField<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof field.TextField> & Bound<Form>) {
  return <field.TextField {...props} {...useField(name, rules)} />
}

export function PasswordField<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof password.PasswordField> & Bound<Form>) {
  return <password.PasswordField {...props} {...useField(name, rules)} />
}

/** The form holds it as a number. */
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

export function TextArea<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof field.TextArea> & Bound<Form>) {
  return <field.TextArea {...props} {...useField(name, rules)} />
}

export function TimeField<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof time.TimeField> & Bound<Form>) {
  return <time.TimeField {...props} {...useField(name, rules)} />
}

export function SelectField<Form extends FieldValues>({
  name,
  rules,
  ...props
}: InForm<typeof choices.SelectField> & Bound<Form>) {
  return <choices.SelectField {...props} {...useField(name, rules)} />
}

export function RadioCards<Form extends FieldValues>({
  name,
  rules,
  ...props
}: Omit<InForm<typeof choices.RadioCards>, 'checkedValue'> & Bound<Form>) {
  return <choices.RadioCards {...props} {...useField(name, rules)} />
}

export function Tick<Form extends FieldValues>({ name, rules, ...props }: InForm<typeof choices.Tick> & Bound<Form>) {
  return <choices.Tick {...props} {...useField(name, rules)} />
}
