import { type ReactNode, useState } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { DialogActions } from '#ui/dialog.tsx'
import type { useAdminMutation } from './admin-mutation.ts'

type Mutation<Sent> = Pick<
  ReturnType<typeof useAdminMutation<unknown, Sent>>,
  'mutate' | 'isPending' | 'refusal' | 'isChangedMeanwhile' | 'reset'
>

/** A form in a dialog: its fields, why it was refused, and the way out beside the way on. */
export function DialogForm<Typed extends FieldValues, Sent extends FieldValues>({
  form,
  mutation,
  submit,
  danger = false,
  cancel = 'Cancel',
  aside,
  onLoad,
  onClose,
  children,
}: {
  form: UseFormReturn<Typed, unknown, Sent>
  mutation: Mutation<Sent>
  /** What the button that sends it is called. */
  submit: string
  danger?: boolean
  /** What the way out is called. */
  cancel?: string
  /** Another button, away from the two. */
  aside?: ReactNode
  /** Reads the thing anew that somebody else has changed. */
  onLoad?: () => Promise<void>
  onClose: () => void
  children: ReactNode
}) {
  // It stands above the fields: what is to be checked again follows it.
  const isStale = mutation.isChangedMeanwhile && onLoad !== undefined
  const load = async () => {
    await onLoad?.()
    mutation.reset()
  }
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={form.handleSubmit((sent) => mutation.mutate(sent))}
        className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-5"
      >
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
      </form>
    </FormProvider>
  )
}

/** Asks before a change that cannot be taken back, and says why it was refused. */
export function ConfirmChange({
  mutation,
  children,
  ...dialog
}: Omit<Parameters<typeof ConfirmDialog>[0], 'busy' | 'onConfirm'> & { mutation: Mutation<void> }) {
  return (
    <ConfirmDialog {...dialog} busy={mutation.isPending} onConfirm={() => mutation.mutate()}>
      {children}
      <Refused refusal={mutation.refusal} />
    </ConfirmDialog>
  )
}

const intoView = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'center' })

/** Why a change was refused; where somebody else was faster, with the way to go on. */
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
    <div
      ref={onLoad && intoView}
      role="alert"
      className="mt-4 rounded-row bg-warn-tint p-4 text-[0.9375rem]/[1.45] text-warn"
    >
      <p>{refusal}</p>
      {onLoad && (
        <>
          <p className="mt-1">What you have typed stays.</p>
          <Button variant="secondary" small busy={busy} className="mt-3" onClick={load}>
            Load the fresh version
          </Button>
        </>
      )}
    </div>
  )
}

/**
 * The state of a thing that a form was filled from. `take` fills in a newer one where the admin has not touched it;
 * what was typed stays.
 */
export function useFreshVersion<T extends { updatedAt: string }, Form extends FieldValues>(
  opened: T,
  form: UseFormReturn<Form, unknown, Form>,
  valuesOf: (thing: T) => Form,
) {
  const [base, setBase] = useState(opened)
  return {
    base,
    take: (fresh: T) => {
      setBase(fresh)
      form.reset(valuesOf(fresh), { keepDirtyValues: true })
    },
  }
}
