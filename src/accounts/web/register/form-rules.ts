import { zodResolver } from '@hookform/resolvers/zod'
import { LoginForm, NewPasswordForm, PasswordResetForm, RegisterForm } from '../../contract.ts'
import { EmailChangeForm, OneNameProfileForm, ProfileForm } from '../../contract-profile.ts'
import { ChangePasswordForm } from '../../contract-sessions.ts'

// Validation of the account forms, loaded by `auth-forms.ts` when a form is first used.
export const login = zodResolver(LoginForm)
export const register = zodResolver(RegisterForm)
export const newPassword = zodResolver(NewPasswordForm)
export const changePassword = zodResolver(ChangePasswordForm)
export const passwordReset = zodResolver(PasswordResetForm)
export const profile = zodResolver(ProfileForm)
export const oneNameProfile = zodResolver(OneNameProfileForm)
export const emailChange = zodResolver(EmailChangeForm)
