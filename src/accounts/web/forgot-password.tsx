import { MailCheck } from 'lucide-react'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { FieldError, TextField } from '../../ui/field.tsx'
import { showRefusedFields } from '../../ui/form.ts'
import { checkLater, loadAnswers } from './check-later.ts'
import { useRequestPasswordReset } from './sign-in.ts'

/** Asks for a mailed link; the answer is the same whether the address is known or not. */
export function ForgotPassword({ email }: { email: string }) {
  const form = useForm({ resolver: checkLater('passwordReset'), defaultValues: { email } })
  const { errors } = form.formState
  const ask = useRequestPasswordReset({ onRefused: (error) => showRefusedFields(error, form.setError, ['email']) })
  const { setFocus } = form
  useEffect(() => setFocus('email', { shouldSelect: true }), [setFocus])
  return (
    <form
      noValidate
      method="post"
      onFocus={loadAnswers}
      onSubmit={form.handleSubmit((sent) => ask.mutate(sent))}
      className="grid gap-5"
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <Button type="submit" busy={ask.isPending} className="w-full">
        {ask.isSuccess ? 'Send it again' : 'Send me a link'}
      </Button>
      <div role="status">
        {ask.isSuccess && !ask.isPending && (
          <p className="flex gap-3 rounded-row bg-ok-tint px-5 py-4 text-base/[1.5] text-ok">
            <MailCheck aria-hidden size={22} strokeWidth={1.5} className="mt-0.5 flex-none" />
            <span>
              {ask.data.message} <span className="text-ink-soft">It works once, for two hours.</span>
            </span>
          </p>
        )}
      </div>
      {ask.refusal && (
        <div role="alert">
          <FieldError>{ask.refusal}</FieldError>
        </div>
      )}
      <p className="text-center">
        <Link to="/auth" preventScrollReset className="link inline-flex min-h-11 items-center text-base">
          Back to Login
        </Link>
      </p>
    </form>
  )
}
