import { usePlainForm } from '#ui/plain-form.ts'
import { loadToasts } from '#ui/toaster.tsx'

type Rules = typeof import('./register/form-rules.ts')
type Typed<Name extends keyof Rules> = Parameters<Rules[Name]>[0]
type Checks = { [Name in keyof Rules]: (typed: Typed<Name>) => ReturnType<Rules[Name]> }

/** For a form's `onFocus`: what answers it comes while somebody types. Not reached now: sending it tries again. */
export const loadAnswers = () => void Promise.all([rules(), loadToasts()]).catch(() => {})
const rules = () => import('./register/form-rules.ts')

/**
 * A form's check that arrives when the form is used: with it comes zod, which weighs as much as a third of the
 * page. Where it cannot be had (the connection is gone) the server checks alone.
 */
export function checkLater<Name extends keyof Rules>(name: Name) {
  return async (typed: Typed<Name>): Promise<ReturnType<Checks[Name]> | { sent: Typed<Name> }> => {
    const loaded: Checks | undefined = await rules().catch(() => undefined)
    return loaded ? loaded[name](typed) : { sent: typed }
  }
}

const EMPTY = { email: '', firstName: '', lastName: '', phone: '', password: '', confirmPassword: '' }

/** What is typed, kept by the page: a look at the other tab loses nothing. */
export function useRegisterForm() {
  return usePlainForm(EMPTY, checkLater('register'))
}
