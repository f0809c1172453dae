import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { CallError } from '../foundation/call.ts'

/**
 * Puts what the server refused beside its fields and moves focus to the first.
 * @returns whether there was anything to put there
 */
export function showRefusedFields<Form extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Form>,
  fields: readonly Path<Form>[],
): boolean {
  if (!(error instanceof CallError)) return false
  const ours = error.errors.flatMap(({ path, message }) => {
    const field = fields.find((name) => name === path)
    return field ? [{ field, message }] : []
  })
  for (const [i, { field, message }] of ours.entries()) setError(field, { message }, { shouldFocus: i === 0 })
  return ours.length > 0
}
