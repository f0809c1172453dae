import mailCheck from '@lucide/icons/icons/mail-check'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { studio } from '#studio.ts'
import { Button, LineLink } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { Icon } from '#ui/icon.tsx'
import { lazyResolver } from '#ui/lazy-resolver.ts'
import { loadSchemas, preloadForm } from '../auth-forms.ts'
import { useRequestPasswordReset } from './password-reset.ts'

const resolver = lazyResolver(async () => (await loadSchemas()).passwordReset)

/** Requests a link by email; the response is the same whether the address is known or not. */
export default function ForgotPassword({ email }: { email: string }) {
  const form = useForm({ resolver, defaultValues: { email } })
  const request = useRequestPasswordReset()
  const { setFocus } = form
  useEffect(() => setFocus('email', { shouldSelect: true }), [setFocus])
  return (
    <Form form={form} onSubmit={request.mutate} error={request.error} onFocus={preloadForm} className="grid gap-5">
      <TextField name="email" label="Email" type="email" autoComplete="email" />
      <Button type="submit" busy={request.isPending} className="w-full">
        {request.isSuccess ? 'Send it again' : 'Send me a link'}
      </Button>
      <div role="status">
        {request.isSuccess && !request.isPending && (
          <p className="flex gap-3 rounded-row bg-ok-tint px-5 py-4 text-base/normal text-ok">
            <Icon of={mailCheck} size={22} className="mt-0.5 flex-none" />
            <span>
              {request.data.message}{' '}
              <span className="text-ink-soft">
                The link works once, within {studio.policies.passwordLinkHours} hours.
              </span>
            </span>
          </p>
        )}
      </div>
      <FormError>{request.refusal}</FormError>
      <p className="text-center">
        <LineLink to="/auth" className="text-base">
          Back to Login
        </LineLink>
      </p>
    </Form>
  )
}
