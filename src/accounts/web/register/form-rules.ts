import type { z } from 'zod'
import type { Checked } from '#ui/plain-form.ts'
import { LoginForm, NewPasswordForm, PasswordResetForm, RegisterForm } from '../../contract.ts'
import { ChangePasswordForm } from '../../contract-sessions.ts'

// What the forms check before they send: loaded by `check-later.ts` when a form is first used.
export const login = checkOf(LoginForm)
export const register = checkOf(RegisterForm)
export const newPassword = checkOf(NewPasswordForm)
export const changePassword = checkOf(ChangePasswordForm)
export const passwordReset = checkOf(PasswordResetForm)

/** A form's check. Of a field that is wrong in several ways the first is said. */
function checkOf<Form extends z.ZodType<Record<string, string>>>(schema: Form) {
  type Name = keyof z.output<Form> & string
  return (typed: Record<Name, string>): Checked<z.output<Form>> => {
    const { success, data, error } = schema.safeParse(typed)
    if (success) return { sent: data }
    const said = error.issues.map(({ path, message }) => [path.join('.'), message] as const)
    return { wrong: Object.fromEntries(said.reverse()) }
  }
}
