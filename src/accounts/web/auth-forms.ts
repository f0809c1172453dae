import { type FieldValues, type Resolver, useForm } from 'react-hook-form'
import { loadToasts } from '#ui/toaster.tsx'

type Schemas = typeof import('./register/form-rules.ts')
const loadSchemas = () => import('./register/form-rules.ts')

/** For a form's `onFocus`: loads validation and toasts while the visitor types. If that fails, submitting tries again. */
export const preloadForm = () => void Promise.all([loadSchemas(), loadToasts()]).catch(() => {})

/**
 * Validates with a schema that is loaded when the form is used, because zod is a third of a public page's script.
 * Without a connection only the server validates.
 */
export function lazyResolver<Typed extends FieldValues>(
  choose: (schemas: Schemas) => Resolver<Typed, unknown, Typed>,
): Resolver<Typed, unknown, Typed> {
  return async (values, context, options) => {
    const schemas = await loadSchemas().catch(() => undefined)
    return schemas ? choose(schemas)(values, context, options) : { values, errors: {} }
  }
}

const loginResolver = lazyResolver(({ login }) => login)
const registerResolver = lazyResolver(({ register }) => register)

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
