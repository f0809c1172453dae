import type { EditClassForm } from '../../../booking/contract-classes.ts'

/**
 * The fields that were changed in the form. Nothing else is sent: an edit of all alike leaves an inactive class inactive and
 * one with a name of its own its name.
 */
export function changesOf(typed: EditClassForm, shown: EditClassForm): Partial<EditClassForm> {
  const fields = Object.keys(typed) as (keyof EditClassForm)[]
  return Object.fromEntries(fields.filter((name) => typed[name] !== shown[name]).map((name) => [name, typed[name]]))
}

/** Whether the changes give the class another date, start or end. */
export function isMove({ date, startTime, endTime }: Partial<EditClassForm>): boolean {
  return date !== undefined || startTime !== undefined || endTime !== undefined
}
