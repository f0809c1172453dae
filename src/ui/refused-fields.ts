import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { CallError } from '#foundation/call.ts'

/** What the server refused of a form's own fields, in its order. */
export function refusedFields<Name extends string>(error: unknown, fields: readonly Name[]) {
  if (!(error instanceof CallError)) return []
  return error.errors.flatMap(({ path, message }) => {
    const field = fields.find((name) => name === path)
    return field ? [{ field, message }] : []
  })
}

/**
 * Puts what the server refused beside its fields and moves focus to the first.
 * @returns whether there was anything to put there
 */
export function showRefusedFields<Form extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Form>,
  fields: readonly Path<Form>[],
): boolean {
  const ours = refusedFields(error, fields)
  for (const [i, { field, message }] of ours.entries()) setError(field, { message }, { shouldFocus: i === 0 })
  return ours.length > 0
}
