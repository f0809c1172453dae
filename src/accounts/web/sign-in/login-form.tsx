import { lazy, useEffect, useEffectEvent } from 'react'
import { Button, LineLink } from '#ui/button.tsx'
import { Form, PasswordField, TextField } from '#ui/form-fields.tsx'
import { late } from '#ui/late.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { preloadForm, type useLoginForm } from '../auth-forms.ts'
import { type useLogin, useWelcome } from './sign-in.ts'

const loadPasskeys = () => import('./passkey-sign-in.ts')
const [VerifyFirst] = late(() => import('./verify-first.tsx'))

export function LoginForm({
  form,
  login,
  isUnverified,
}: {
  form: ReturnType<typeof useLoginForm>
  login: ReturnType<typeof useLogin>
  /** Offers to send the link again that was emailed at sign-up. */
  isUnverified: boolean
}) {
  const welcome = useWelcome()
  const passkey = useSingleMutation({
    mutationFn: async () => (await loadPasskeys()).signIn(),
    onSuccess: (user) => user && welcome(user),
  })
  /** Offers passkeys among the browser's saved usernames. */
  const onFocus = () => {
    preloadForm()
    loadPasskeys().then(
      ({ offer }) => offer(welcome),
      () => {},
    )
  }
  // React sees no focus that came before hydration.
  const onHydrated = useEffectEvent(() => {
    if (document.activeElement instanceof HTMLInputElement) onFocus()
  })
  useEffect(() => onHydrated(), [])
  return (
    <Form form={form} onSubmit={login.mutate} onFocus={onFocus} className="grid gap-5">
      <TextField
        name="username"
        label="Username"
        help="You can also use your email address."
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <Button type="submit" busy={login.isPending} className="mt-2 w-full">
        Login
      </Button>
      <Button variant="secondary" runs={passkey} className="w-full">
        Sign in with a passkey
      </Button>
      {isUnverified && <VerifyFirst username={login.variables?.username ?? form.getValues('username')} />}
      <p className="text-center">
        <LineLink
          to="/auth?forgot"
          // A click before hydration must not load a new document, which would lose the username.
          data-early=""
          {...preloadForgotPassword}
          className="text-base"
        >
          Forgot your password?
        </LineLink>
      </p>
    </Form>
  )
}

// Few visitors need the forms around an emailed link, so they load on demand.
const loadForgotPassword = () => import('./forgot-password.tsx')
export const ForgotPassword = lazy(loadForgotPassword)
export const FromMail = lazy(() => import('./from-mail.tsx'))

/** Props of the link: they load the form ahead of the click, which tries again if that fails. */
const preloadForgotPassword = {
  onPointerEnter: () => void loadForgotPassword().catch(() => {}),
  onFocus: () => void loadForgotPassword().catch(() => {}),
}
