import { usePlainForm } from '#ui/plain-form.ts'
import { checkLater } from '../check-later.ts'

const EMPTY = { email: '', firstName: '', lastName: '', phone: '', password: '', confirmPassword: '' }

/** What is typed, kept by the page: a look at the other tab loses nothing. */
export function useRegisterForm() {
  return usePlainForm(EMPTY, checkLater('register'))
}
