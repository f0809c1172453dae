import { useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'

type Versioned = { updatedAt: string }

/**
 * The state of a thing that a form was filled from. `load` reads it anew and fills in what the admin has not touched;
 * what was typed stays.
 */
export function useFreshVersion<T extends Versioned, Form extends FieldValues>(
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

/** Why a form was refused, at its end; where somebody else was faster, with the way to go on. */
export function Refused({
  refusal,
  isChangedMeanwhile = false,
  onLoad,
}: {
  refusal: string | undefined
  isChangedMeanwhile?: boolean
  /** Reads the thing anew. */
  onLoad?: () => Promise<unknown>
}) {
  const [busy, setBusy] = useState(false)
  if (!refusal) return null
  const load = async () => {
    setBusy(true)
    await onLoad?.().finally(() => setBusy(false))
  }
  return (
    <div role="alert" className="mt-4 rounded-row bg-warn-tint p-4 text-[0.9375rem]/[1.45] text-warn">
      <p>{refusal}</p>
      {isChangedMeanwhile && (
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
