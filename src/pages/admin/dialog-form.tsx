import { zodResolver } from '@hookform/resolvers/zod'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { keysOf } from '#foundation/collections.ts'
import { Button } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Form } from '#ui/form-fields.tsx'
import { useAdminMutation } from './admin-mutation.ts'

type Mutation<Sent> = Pick<
  ReturnType<typeof useAdminMutation<unknown, Sent>>,
  'mutate' | 'isPending' | 'error' | 'refusal' | 'isConflict' | 'reset'
>

type FormProps<Typed extends FieldValues, Sent extends FieldValues> = {
  form: UseFormReturn<Typed, unknown, Sent>
  /** Sends the form. Refusals are shown next to their fields; the first gets the focus. */
  mutation: Mutation<Sent>
  submit: string
  children: ReactNode
}

type DialogFormProps<Typed extends FieldValues, Sent extends FieldValues> = FormProps<Typed, Sent> & {
  danger?: boolean
  cancel?: string
  aside?: ReactNode
  /** The form says why it cannot be sent. */
  disabled?: boolean
  /** Refetches what someone else has changed. */
  onLoad?: () => Promise<void>
  onClose: () => void
}

export function DialogForm<Typed extends FieldValues, Sent extends FieldValues>({
  submit,
  danger = false,
  cancel,
  aside,
  disabled = false,
  onLoad,
  onClose,
  children,
  form,
  mutation,
}: DialogFormProps<Typed, Sent>) {
  // Above the fields, because they are to be checked again.
  const isStale = mutation.isConflict && onLoad !== undefined
  const load = async () => {
    await onLoad?.()
    mutation.reset()
  }
  return (
    <Form
      form={form}
      onSubmit={mutation.mutate}
      error={mutation.error}
      className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      {isStale && <Refused refusal={mutation.refusal} onLoad={load} />}
      {children}
      {!isStale && <Refused refusal={mutation.refusal} />}
      <DialogActions aside={aside} cancel={cancel} onClose={onClose}>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={mutation.isPending} disabled={disabled}>
          {submit}
        </Button>
      </DialogActions>
    </Form>
  )
}

type FormDialogProps<Typed extends FieldValues, Sent extends FieldValues> = DialogFormProps<Typed, Sent> &
  Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'wide'> & { before?: ReactNode; after?: ReactNode }

/** A dialog that is a form; `before` and `after` are outside it. */
export function FormDialog<Typed extends FieldValues, Sent extends FieldValues>({
  title,
  description,
  wide,
  before,
  after,
  ...form
}: FormDialogProps<Typed, Sent>) {
  return (
    <Dialog wide={wide} onClose={form.onClose} title={title} description={description}>
      {before}
      <DialogForm {...form} />
      {after}
    </Dialog>
  )
}

/** A dialog that is a form for one change: opens with `values`, is checked by `schema`, and closes after success. */
export function ChangeDialog<Typed extends FieldValues, Sent extends FieldValues, Answer>({
  schema,
  values,
  onDone,
  ...props
}: Omit<FormDialogProps<Typed, Sent>, 'form' | 'mutation'> &
  Omit<Parameters<typeof useAdminMutation<Answer, Sent>>[0], 'onSuccess'> & {
    schema?: z.ZodType<Sent, Typed>
    values: NoInfer<Typed>
    onDone?: ((answer: Answer) => void) | undefined
  }) {
  const form = useForm<Typed, unknown, Sent>({
    resolver: schema && zodResolver(schema),
    defaultValues: values as DefaultValues<Typed>,
  })
  const onSuccess = (answer: Answer) => {
    onDone?.(answer)
    props.onClose()
  }
  const mutation = useAdminMutation<Answer, Sent>({ ...props, onSuccess })
  return <FormDialog {...props} form={form} mutation={mutation} />
}

/** A small form on a page. `refusal`: of another mutation that belongs to it. */
export function InlineForm<Typed extends FieldValues, Sent extends FieldValues>({
  submit,
  refusal,
  children,
  form,
  mutation,
}: FormProps<Typed, Sent> & { refusal?: string | undefined }) {
  return (
    <Form form={form} onSubmit={mutation.mutate} error={mutation.error}>
      {children}
      <Refused refusal={mutation.refusal ?? refusal} />
      <Button type="submit" variant="secondary" small busy={mutation.isPending} className="mt-3">
        {submit}
      </Button>
    </Form>
  )
}

/** Asks before a change, makes it with `mutationFn`, and shows a refusal. Closes after success. */
export function ConfirmChange<Answer>({
  mutationFn,
  toasts,
  onRefused,
  onDone,
  children,
  ...dialog
}: Omit<Parameters<typeof ConfirmDialog>[0], 'busy' | 'onConfirm'> &
  Pick<Parameters<typeof useAdminMutation<Answer>>[0], 'mutationFn' | 'toasts' | 'onRefused'> & {
    onDone?: () => void
  }) {
  const onSuccess = () => {
    dialog.onClose()
    onDone?.()
  }
  const { mutate, isPending, refusal } = useAdminMutation({ mutationFn, toasts, onSuccess, onRefused })
  return (
    <ConfirmDialog {...dialog} busy={isPending} onConfirm={() => mutate()}>
      {children}
      <Refused refusal={refusal} />
    </ConfirmDialog>
  )
}

const scrollIntoView = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'center' })

/** A refusal; if someone else changed it first, with a button that refetches. */
export function Refused({
  refusal,
  onLoad,
}: {
  refusal: string | undefined
  onLoad?: (() => Promise<void>) | undefined
}) {
  const [busy, setBusy] = useState(false)
  if (!refusal) return null
  const load = async () => {
    setBusy(true)
    await onLoad?.().finally(() => setBusy(false))
  }
  return (
    <Callout role="alert" ref={onLoad && scrollIntoView} className="mt-4 p-4">
      <p>{refusal}</p>
      {onLoad && (
        <>
          <p className="mt-1">You will not lose what you have typed.</p>
          <Button variant="secondary" small busy={busy} className="mt-3" onClick={load}>
            Reload
          </Button>
        </>
      )}
    </Callout>
  )
}

/** What a form of this schema shows of a thing; a missing value is ''. */
export function formValues<Schema extends z.ZodObject>(
  schema: Schema,
  thing: { [Field in keyof z.output<Schema>]: z.output<Schema>[Field] | null },
): z.output<Schema> {
  const fields = keysOf(schema.shape) as (keyof z.output<Schema>)[]
  return Object.fromEntries(fields.map((field) => [field, thing[field] ?? ''])) as z.output<Schema>
}

/** The version a form was filled from. `take` fills in a newer one where nothing was changed; typed values stay. */
export function useFreshVersion<T extends { updatedAt: string } | undefined, Form extends FieldValues>(
  opened: T,
  form: UseFormReturn<Form, unknown, Form>,
  valuesOf: (thing: NonNullable<T>) => Form,
) {
  const [base, setBase] = useState(opened)
  const take = (fresh: NonNullable<T>) => {
    setBase(fresh)
    form.reset(valuesOf(fresh), { keepDirtyValues: true })
  }
  return { base, take }
}
