import { zodResolver } from '@hookform/resolvers/zod'
import { LoginForm, NewPasswordForm, PasswordResetForm, RegisterForm } from '../contract.ts'

// What the forms check before they send: loaded by `check-later.ts` when a form is first used.
export const login = zodResolver(LoginForm)
export const register = zodResolver(RegisterForm)
export const newPassword = zodResolver(NewPasswordForm)
export const passwordReset = zodResolver(PasswordResetForm)
