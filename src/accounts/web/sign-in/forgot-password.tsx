import mailCheck from '@lucide/icons/icons/mail-check'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Button } from '#ui/button.tsx'
import { FieldError, TextField } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { usePlainForm } from '#ui/plain-form.ts'
import { checkLater, loadAnswers } from '../check-later.ts'
import { useRequestPasswordReset } from './password-reset.ts'

/** Asks for a mailed link; the answer is the same whether the address is known or not. */
export default function ForgotPassword({ email }: { email: string }) {
  const form = usePlainForm({ email }, checkLater('passwordReset'))
  const ask = useRequestPasswordReset({ onRefused: form.refuse })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  return (
    <form {...form.sending(ask.mutate)} onFocus={loadAnswers} className="grid gap-5">
      <TextField ref={field} label="Email" type="email" autoComplete="email" {...form.field('email')} />
      <Button type="submit" busy={ask.isPending} className="w-full">
        {ask.isSuccess ? 'Send it again' : 'Send me a link'}
      </Button>
      <div role="status">
        {ask.isSuccess && !ask.isPending && (
          <p className="flex gap-3 rounded-row bg-ok-tint px-5 py-4 text-base/[1.5] text-ok">
            <Icon of={mailCheck} aria-hidden size={22} strokeWidth={1.5} className="mt-0.5 flex-none" />
            <span>
              {ask.data.message} <span className="text-ink-soft">A link works once, for two hours.</span>
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
