import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { refusedFields } from './refused-fields.ts'

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
