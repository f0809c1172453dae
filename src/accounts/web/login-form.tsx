import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { usePlainForm } from '../../ui/plain-form.ts'
import { checkLater, loadAnswers } from './check-later.ts'
import { soonForgotPassword } from './mailed-link.tsx'
import { useLogin, useResendVerification } from './sign-in.ts'

/** What is typed, kept by the page: a look at the other tab loses nothing. */
export function useLoginForm() {
  return usePlainForm({ username: '', password: '' }, checkLater('login'))
}

export function LoginForm({ form }: { form: ReturnType<typeof useLoginForm> }) {
  const login = useLogin()
  const resend = useResendVerification()
  return (
    <form {...form.sending(login.mutate)} onFocus={loadAnswers} className="grid gap-5">
      <TextField
        label="Username"
        help="Or your email address."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('username')}
      />
      <TextField label="Password" type="password" autoComplete="current-password" {...form.field('password')} />
      <Button type="submit" busy={login.isPending} className="mt-2 w-full">
        Login
      </Button>
      {login.isUnverified && (
        <div className="grid gap-4 rounded-row bg-linen px-5 py-5 text-base">
          <p>We sent you an email with a link when you signed up. Has it not arrived?</p>
          <Button
            variant="secondary"
            small
            busy={resend.isPending}
            onClick={() => resend.mutate(login.variables?.username ?? '')}
          >
            Send the link again
          </Button>
        </div>
      )}
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
