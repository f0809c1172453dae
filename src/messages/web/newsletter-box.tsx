import { useForm } from 'react-hook-form'
import { apiClient } from '#foundation/api-client.ts'
import { ArchTick } from '#ui/arch-tick.tsx'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { formRefusal } from '#ui/refused-fields.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import type * as contract from '../contract.ts'

/** Subscribes to the newsletter. Without script the form opens a page with the same reply. */
export function NewsletterBox() {
  const form = useForm({ defaultValues: { email: '' } })
  const subscribe = useSingleMutation({
    mutationFn: (body: { email: string }) => messagesApi.subscribe.call({ body }),
  })
  const refusal = formRefusal(subscribe.error, 'You could not be put on the list. Please try again.')
  return (
    <Form form={form} onSubmit={subscribe.mutate} error={subscribe.error} action="/api/newsletter/form">
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          maxLength={254}
          rules={{
            required: 'Please enter your email address',
            pattern: { value: /^[^\s@]+@[^\s@]+$/, message: 'Invalid email address' },
          }}
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
      <FormError>{refusal}</FormError>
    </Form>
  )
}

const messagesApi = apiClient<typeof contract>('messages', {
  subscribe: 'POST /api/newsletter',
})
