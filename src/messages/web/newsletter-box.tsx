import { type FormEvent, useRef, useState } from 'react'
import { apiClient } from '#foundation/api-client.ts'
import { CallError } from '#foundation/call.ts'
import { ArchTick } from '#ui/arch-tick.tsx'
import { Button } from '#ui/button.tsx'
import { FormError, TextField } from '#ui/field.tsx'
import { formRefusal } from '#ui/refused-fields.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import type * as contract from '../contract.ts'

/**
 * Subscribes to the newsletter. The browser validates its one field, because the form library would add a tenth to the
 * script of a page for reading. Without script the form opens a page with the same reply.
 */
export function NewsletterBox() {
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const refuse = (message: string) => {
    setError(message)
    field.current?.focus()
  }
  const subscribe = useSingleMutation({
    mutationFn: (email: string) => messagesApi.subscribe.call({ body: { email } }),
    onError: (failure) => {
      const message = failure instanceof CallError ? failure.errors[0]?.message : undefined
      if (message) refuse(message)
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!field.current) return
    const { value, validity } = field.current
    if (validity.valueMissing) return refuse('Please enter your email address')
    if (!validity.valid) return refuse('Invalid email address')
    subscribe.mutate(value)
  }
  return (
    <form noValidate method="post" action="/api/newsletter/form" onSubmit={onSubmit}>
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <TextField
          ref={field}
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          error={error}
          onChange={() => setError(undefined)}
        />
        <Button type="submit" busy={subscribe.isPending} className="sm:mt-[30px]">
          Subscribe
        </Button>
      </div>
      <div role="status">
        {subscribe.isSuccess && (
          <p className="mt-4 flex items-center gap-3 rounded-row bg-ok-tint px-5 py-4 text-base/[1.5] text-ok">
            <ArchTick size={28} /> {subscribe.data.message}
          </p>
        )}
      </div>
      <FormError>{formRefusal(subscribe.error, 'You could not be put on the list. Please try again.')}</FormError>
    </form>
  )
}

const messagesApi = apiClient<typeof contract>('messages', {
  subscribe: 'POST /api/newsletter',
})
