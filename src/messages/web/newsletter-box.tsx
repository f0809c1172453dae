import { type FormEvent, useId, useRef, useState } from 'react'
import { apiClient } from '#foundation/api-client.ts'
import { CallError, sentenceOf } from '#foundation/call.ts'
import { ArchTick } from '#ui/arch-tick.tsx'
import { Button } from '#ui/button.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import type * as contract from '../contract.ts'

const NO_ADDRESS = 'Please enter your email address'
const WRONG_ADDRESS = 'Invalid email address'

const WRONG = 'mt-2 text-[0.9375rem]/[1.4] text-err'

/**
 * Asks for the newsletter. Without script the form leads to a page that says the same. It is no `TextField`, which
 * would bring every kind of field to a public page.
 */
export function NewsletterBox() {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string>()
  const refuse = (sentence: string) => {
    setWrong(sentence)
    field.current?.focus()
  }
  const ask = useSingleMutation({
    mutationFn: (email: string) => messagesApi.subscribe.call({ body: { email } }),
    onError: (error) => {
      if (error instanceof CallError && error.errors.length > 0) refuse(WRONG_ADDRESS)
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const { value = '', validity } = field.current ?? {}
    if (value === '') return refuse(NO_ADDRESS)
    if (!validity?.valid) return refuse(WRONG_ADDRESS)
    setWrong(undefined)
    ask.mutate(value)
  }
  return (
    <form noValidate method="post" action="/api/newsletter/form" onSubmit={onSubmit}>
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <label htmlFor={id} className="mb-2 block text-[0.9375rem]/[1.4] font-medium">
            Email
          </label>
          <input
            ref={field}
            id={id}
            type="email"
            name="email"
            autoComplete="email"
            required
            maxLength={254}
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong && `${id}-wrong`}
            onChange={() => setWrong(undefined)}
            className="input"
          />
          {wrong && (
            <p id={`${id}-wrong`} className={WRONG}>
              {wrong}
            </p>
          )}
        </div>
        <Button type="submit" busy={ask.isPending} className="sm:mt-[30px]">
          Subscribe
        </Button>
      </div>
      <div role="status">
        {ask.isSuccess && (
          <p className="mt-4 flex items-center gap-3 rounded-row bg-ok-tint px-5 py-4 text-base/[1.5] text-ok">
            <ArchTick size={28} /> {ask.data.message}
          </p>
        )}
      </div>
      <div role="alert">
        {ask.isError && !wrong && (
          <p className={WRONG}>{sentenceOf(ask.error, 'You could not be put on the list. Please try again.')}</p>
        )}
      </div>
    </form>
  )
}

const messagesApi = apiClient<typeof contract>('messages', {
  subscribe: 'POST /api/newsletter',
})
