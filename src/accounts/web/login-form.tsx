import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { checkLater, loadAnswers } from './check-later.ts'
import { useLogin, useResendVerification } from './sign-in.ts'

/** What is typed, kept by the page: a look at the other tab loses nothing. */
export function useLoginForm() {
  return useForm({ resolver: checkLater('login'), defaultValues: { username: '', password: '' } })
}

export function LoginForm({ form }: { form: ReturnType<typeof useLoginForm> }) {
  const login = useLogin()
  const resend = useResendVerification()
  const { register, handleSubmit } = form
  const { errors } = form.formState
  return (
    <form
      noValidate
      method="post"
      onFocus={loadAnswers}
      onSubmit={handleSubmit((sent) => login.mutate(sent))}
      className="grid gap-5"
    >
      <TextField
        label="Username"
        help="Or your email address."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...register('username')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <Button type="submit" busy={login.isPending} className="mt-2 w-full">
        Login
      </Button>
      {login.isUnverified && (
        <div className="grid gap-4 rounded-row bg-linen px-5 py-5 text-base">
          <p>We sent you a mail with a link when you signed up. Has it not arrived?</p>
          <Button
            look="secondary"
            small
            busy={resend.isPending}
            onClick={() => resend.mutate(login.variables?.username ?? '')}
          >
            Send the link again
          </Button>
        </div>
      )}
      <p className="text-center">
        <Link to="/auth?forgot" preventScrollReset className="link inline-flex min-h-11 items-center text-base">
          Forgot your password?
        </Link>
      </p>
    </form>
  )
}
