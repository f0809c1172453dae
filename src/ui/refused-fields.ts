import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { CallError, errorMessage } from '#foundation/call.ts'

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

/** A failed form's message (see `errorMessage`); undefined if the server refused fields, which show their own. */
export function formRefusal(error: unknown, fallback: string): string | undefined {
  if (!error || (error instanceof CallError && error.errors.length > 0)) return undefined
  return errorMessage(error, fallback)
}
