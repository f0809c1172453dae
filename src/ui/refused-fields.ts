import { CallError } from '#foundation/call.ts'

/** What the server refused of a form's own fields, in its order. */
export function refusedFields<Name extends string>(error: unknown, fields: readonly Name[]) {
  if (!(error instanceof CallError)) return []
  return error.errors.flatMap(({ path, message }) => {
    const field = fields.find((name) => name === path)
    return field ? [{ field, message }] : []
  })
}
