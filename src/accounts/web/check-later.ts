import { loadToasts } from '../../ui/toaster.tsx'

type Rules = typeof import('./form-rules.ts')

/** For a form's `onFocus`: what answers it comes while somebody types. Not reached now: sending it tries again. */
export const loadAnswers = () => void Promise.all([rules(), loadToasts()]).catch(() => {})
const rules = () => import('./form-rules.ts')

/**
 * A form's check that arrives when the form is used: with it comes zod, which weighs as much as a third of the
 * page. Where it cannot be had (the connection is gone) the server checks alone.
 */
export function checkLater<Name extends keyof Rules>(name: Name) {
  type Check = Rules[Name]
  const check = async (typed: unknown) => {
    const loaded = await rules().catch(() => undefined)
    return loaded ? (loaded[name] as (typed: unknown) => unknown)(typed) : { sent: typed }
  }
  return check as (...typed: Parameters<Check>) => Promise<ReturnType<Check>>
}
