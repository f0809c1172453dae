import { lazy } from 'react'
import { Link } from 'react-router'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { late } from '#ui/late.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { usePlainForm } from '#ui/plain-form.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { checkLater, loadAnswers } from '../check-later.ts'
import { type useLogin, useWelcome } from './sign-in.ts'

// What hardly anybody needs comes when it is needed.
const passkeys = () => import('./passkey-sign-in.ts')
const [VerifyFirst] = late(() => import('./verify-first.tsx'))

/** What is typed, kept by the page: a look at the other tab loses nothing. */
export function useLoginForm() {
  return usePlainForm({ username: '', password: '' }, checkLater('login'))
}

export function LoginForm({
  form,
  login,
}: {
  form: ReturnType<typeof useLoginForm>
  login: ReturnType<typeof useLogin>
}) {
  const welcome = useWelcome()
  const passkey = useSingleMutation({
    mutationFn: async () => (await passkeys()).signIn(),
    onSuccess: (user) => user && welcome(user),
  })
  /** Passkeys stand beside the names that the browser remembers. */
  const focused = () => {
    loadAnswers()
    passkeys().then(
      ({ offer }) => offer(welcome),
      () => {},
    )
  }
  return (
    <form {...form.sending(login.mutate)} onFocus={focused} className="grid gap-5">
      <TextField
        label="Username"
        help="Or your email address."
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('username')}
      />
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
      <Button type="submit" busy={login.isPending} className="mt-2 w-full">
        Login
      </Button>
      <Button variant="secondary" busy={passkey.isPending} onClick={() => passkey.mutate()} className="w-full">
        Sign in with a passkey
      </Button>
      {login.isUnverified && <VerifyFirst username={login.variables?.username ?? ''} />}
      <p className="text-center">
        <Link
          to="/auth?forgot"
          preventScrollReset
          {...soonForgotPassword}
          className="link inline-flex min-h-11 items-center text-base"
        >
          Forgot your password?
        </Link>
      </p>
    </form>
  )
}

// The forms around a mailed link: hardly anybody who opens the page needs them, so they come when they are asked for.
const loadForgotPassword = () => import('./forgot-password.tsx')
export const ForgotPassword = lazy(loadForgotPassword)
export const FromMail = lazy(() => import('./from-mail.tsx'))

/** Fetches the form ahead of the click. Spread into the link to it. Not reached now: the click tries again. */
const soonForgotPassword = {
  onPointerEnter: () => void loadForgotPassword().catch(() => {}),
  onFocus: () => void loadForgotPassword().catch(() => {}),
}
