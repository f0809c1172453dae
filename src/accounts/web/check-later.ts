import type { FieldValues } from 'react-hook-form'

type Rules = typeof import('./form-rules.ts')

/** For a form's `onFocus`: the rules come while somebody types. */
export const loadRules = () => void rules().catch(() => {})
const rules = () => import('./form-rules.ts')

/**
 * A form's resolver that arrives when the form is used: with it comes zod, which weighs as much as a third of the
 * page. Where it cannot be had (the connection is gone) the server checks alone.
 */
export function checkLater<Name extends keyof Rules>(name: Name): Rules[Name] {
  const check = async (values: FieldValues, ...rest: unknown[]) => {
    const loaded = await rules().catch(() => undefined)
    if (!loaded) return { values, errors: {} }
    return (loaded[name] as unknown as (...given: unknown[]) => unknown)(values, ...rest)
  }
  return check as unknown as Rules[Name]
}
