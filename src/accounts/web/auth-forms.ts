import { useForm } from 'react-hook-form'
import { lazyResolver } from '#ui/lazy-resolver.ts'
import { loadToasts } from '#ui/toaster.tsx'

export const loadSchemas = () => import('./register/form-rules.ts')

/** For a form's `onFocus`: loads validation and toasts while the visitor types. If that fails, submitting retries. */
export const preloadForm = () => void Promise.all([loadSchemas(), loadToasts()]).catch(() => {})

const loginResolver = lazyResolver(async () => (await loadSchemas()).login)
const registerResolver = lazyResolver(async () => (await loadSchemas()).register)

// The page holds these two forms, so switching between the tabs keeps what was typed.

export function useLoginForm() {
  return useForm({ resolver: loginResolver, defaultValues: { username: '', password: '' } })
}

export function useRegisterForm() {
  return useForm({
    resolver: registerResolver,
    defaultValues: { email: '', firstName: '', lastName: '', phone: '', password: '', confirmPassword: '' },
  })
}
