import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { type FieldValues, FormProvider, type Path, type UseFormReturn } from 'react-hook-form'
import { keysOf } from '#foundation/collections.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { showRefusedFields } from '#ui/refused-fields.ts'
import { useAdminMutation } from './admin-mutation.ts'
import { Note } from './admin-ui.tsx'

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

/** The `<form>` of a mutation, and the context of its fields (`#ui/form-fields.tsx`). */
function MutationForm<Typed extends FieldValues, Sent extends FieldValues>({
  form,
  mutation: { mutate, error },
  className,
  children,
}: Omit<FormProps<Typed, Sent>, 'submit'> & { className?: string }) {
  const { setError, getValues } = form
  useEffect(() => {
    if (error) showRefusedFields(error, setError, keysOf(getValues()) as Path<Typed>[])
  }, [error, setError, getValues])
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.handleSubmit((sent) => mutate(sent))} className={className}>
        {children}
      </form>
    </FormProvider>
  )
}

type DialogFormProps<Typed extends FieldValues, Sent extends FieldValues> = FormProps<Typed, Sent> & {
  danger?: boolean
  cancel?: string
  aside?: ReactNode
  /** Refetches what someone else has changed. */
  onLoad?: () => Promise<void>
  onClose: () => void
}

export function DialogForm<Typed extends FieldValues, Sent extends FieldValues>({
  submit,
  danger = false,
  cancel = 'Cancel',
  aside,
  onLoad,
  onClose,
  children,
  ...form
}: DialogFormProps<Typed, Sent>) {
  const { mutation } = form
  // Above the fields, because they are to be checked again.
  const isStale = mutation.isConflict && onLoad !== undefined
  const load = async () => {
    await onLoad?.()
    mutation.reset()
  }
  return (
    <MutationForm {...form} className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-5">
      {isStale && <Refused refusal={mutation.refusal} onLoad={load} />}
      {children}
      {!isStale && <Refused refusal={mutation.refusal} />}
      <DialogActions>
        {aside}
        <Button variant="quiet" onClick={onClose}>
          {cancel}
        </Button>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={mutation.isPending}>
          {submit}
        </Button>
      </DialogActions>
    </MutationForm>
  )
}

/** A dialog that is a form; `before` and `after` are outside it. */
export function FormDialog<Typed extends FieldValues, Sent extends FieldValues>({
  title,
  description,
  before,
  after,
  ...form
}: DialogFormProps<Typed, Sent> &
  Pick<ComponentProps<typeof Dialog>, 'title' | 'description'> & { before?: ReactNode; after?: ReactNode }) {
  return (
    <Dialog open onClose={form.onClose} title={title} description={description}>
      {before}
      <DialogForm {...form} />
      {after}
    </Dialog>
  )
}

/** A small form on a page. `refusal`: of another mutation that belongs to it. */
export function InlineForm<Typed extends FieldValues, Sent extends FieldValues>({
  submit,
  refusal,
  children,
  ...form
}: FormProps<Typed, Sent> & { refusal?: string | undefined }) {
  return (
    <MutationForm {...form}>
      {children}
      <Refused refusal={form.mutation.refusal ?? refusal} />
      <Button type="submit" variant="secondary" small busy={form.mutation.isPending} className="mt-3">
        {submit}
      </Button>
    </MutationForm>
  )
}

/** Asks before a change, makes it with `mutationFn`, and shows a refusal. Closes after success. */
export function ConfirmChange<Answer>({
  mutationFn,
  isRepeatable = false,
  toasts,
  stale,
  onDone,
  children,
  ...dialog
}: Omit<Parameters<typeof ConfirmDialog>[0], 'busy' | 'onConfirm'> &
  Pick<Parameters<typeof useAdminMutation<Answer>>[0], 'mutationFn' | 'isRepeatable' | 'toasts' | 'stale'> & {
    onDone?: () => void
  }) {
  const onSuccess = () => {
    dialog.onClose()
    onDone?.()
  }
  const { mutate, isPending, refusal } = useAdminMutation({ mutationFn, isRepeatable, toasts, stale, onSuccess })
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
    <Note role="alert" ref={onLoad && scrollIntoView} className="mt-4 p-4">
      <p>{refusal}</p>
      {onLoad && (
        <>
          <p className="mt-1">You will not lose what you have typed.</p>
          <Button variant="secondary" small busy={busy} className="mt-3" onClick={load}>
            Reload
          </Button>
        </>
      )}
    </Note>
  )
}

/**
 * The version a form was filled from. `take` fills in a newer one where the admin has changed nothing;
 * typed values stay.
 */
export function useFreshVersion<T extends { updatedAt: string }, Form extends FieldValues>(
  opened: T,
  form: UseFormReturn<Form, unknown, Form>,
  valuesOf: (thing: T) => Form,
) {
  const [base, setBase] = useState(opened)
  const take = (fresh: T) => {
    setBase(fresh)
    form.reset(valuesOf(fresh), { keepDirtyValues: true })
  }
  return { base, take }
}
