import { type ComponentProps, type ComponentType, useEffect } from 'react'
import {
  type FieldError,
  type FieldPath,
  type FieldValues,
  FormProvider,
  get,
  type Path,
  type RegisterOptions,
  type UseFormReturn,
  type UseFormSetError,
  useFormContext,
} from 'react-hook-form'
import { CallError } from '#foundation/call.ts'
import { keysOf } from '#foundation/collections.ts'
import * as field from './field.tsx'

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

type SetByForm = 'name' | 'error' | 'ref' | 'onChange' | 'onBlur' | 'value' | 'defaultValue' | 'checkedValue'

type Bound<Plain, Form extends FieldValues> = Omit<Plain, SetByForm> & {
  name: FieldPath<Form>
  /** Validation where the form has no schema, and side effects of a change. */
  rules?: RegisterOptions<Form, FieldPath<Form>>
}

/** Binds a field of `field.tsx`, `choices.tsx` and so on to the form around it, by `name`. */
export function bind<Plain>(PlainField: ComponentType<Plain>, always?: RegisterOptions) {
  return function BoundField<Form extends FieldValues>({ name, rules, ...props }: Bound<Plain, Form>) {
    const { register, formState } = useFormContext()
    const error: FieldError | undefined = get(formState.errors, name)
    const field = { ...props, ...register(name, { ...always, ...rules } as RegisterOptions), error: error?.message }
    // `Bound` leaves out only what is set here; the compiler cannot add it to a generic type again.
    return <PlainField {...(field as unknown as Plain & object)} />
  }
}

export const TextField = bind(field.TextField)
export const PasswordField = bind(field.PasswordField)
export const TextArea = bind(field.TextArea)
/** The form holds it as a number. */
export const NumberField = bind(NumberInput, { valueAsNumber: true })

function NumberInput(props: ComponentProps<typeof field.TextField>) {
  return <field.TextField type="number" inputMode="numeric" {...props} />
}

/**
 * Shows the server's field errors next to their fields and moves focus to the first.
 * @returns whether any of them belongs to this form
 */
export function showRefusedFields<Form extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Form>,
  fields: readonly Path<Form>[],
): boolean {
  if (!(error instanceof CallError)) return false
  const refused = error.errors.flatMap(({ path, message }) => {
    const field = fields.find((name) => name === path)
    return field ? [{ field, message }] : []
  })
  for (const [i, { field, message }] of refused.entries()) setError(field, { message }, { shouldFocus: i === 0 })
  return refused.length > 0
}
