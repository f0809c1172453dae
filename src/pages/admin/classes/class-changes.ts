import type { EditClassForm } from '#booking/contract-classes.ts'
import { keysOf } from '#foundation/collections.ts'

/**
 * The fields that were changed in the form. Nothing else is sent: an edit of all alike leaves an inactive class inactive and
 * one with a name of its own its name.
 */
export function changesOf(typed: EditClassForm, shown: EditClassForm): Partial<EditClassForm> {
  return Object.fromEntries(
    keysOf(typed)
      .filter((name) => typed[name] !== shown[name])
      .map((name) => [name, typed[name]]),
  )
}

/** Whether the changes give the class another date, start or end. */
export function isMove({ date, startTime, endTime }: Partial<EditClassForm>): boolean {
  return date !== undefined || startTime !== undefined || endTime !== undefined
}
