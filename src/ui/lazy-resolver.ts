import type { FieldValues, Resolver } from 'react-hook-form'

/** Validates with a schema that is loaded when the form is used, as zod is large. Offline only the server validates. */
export function lazyResolver<Typed extends FieldValues>(
  load: () => Promise<Resolver<Typed, unknown, Typed>>,
): Resolver<Typed, unknown, Typed> {
  return async (...form) => {
    const resolve = await load().catch(() => undefined)
    return resolve ? resolve(...form) : { values: form[0], errors: {} }
  }
}
