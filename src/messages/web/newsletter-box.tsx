import { MailCheck } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { CallError, call, sentenceOf } from '../../foundation/call.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError, TextField } from '../../ui/field.tsx'
import { useSingleMutation } from '../../ui/use-single-mutation.ts'
import type { subscribe } from '../contract.ts'

const NO_ADDRESS = 'Please enter your email address'
const WRONG_ADDRESS = 'Invalid email address'

/** Asks for the newsletter. Without script the form leads to a page that says the same. */
export function NewsletterBox() {
  const field = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string>()
  const refuse = (sentence: string) => {
    setWrong(sentence)
    field.current?.focus()
  }
  const ask = useSingleMutation({
    mutationFn: (email: string) =>
      call<typeof subscribe>({ method: 'POST', path: '/api/newsletter' }, { body: { email } }),
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
        <TextField
          ref={field}
          label="Email"
          type="email"
          name="email"
          autoComplete="email"
          required
          maxLength={254}
          error={wrong}
          onChange={() => setWrong(undefined)}
        />
        <Button type="submit" busy={ask.isPending} className="sm:mt-[30px]">
          Subscribe
        </Button>
      </div>
      <div role="status">
        {ask.isSuccess && (
          <p className="mt-4 flex gap-3 rounded-row bg-ok-tint px-5 py-4 text-base/[1.5] text-ok">
            <MailCheck aria-hidden size={22} strokeWidth={1.5} className="mt-0.5 flex-none" />
            {ask.data.message}
          </p>
        )}
      </div>
      <div role="alert">
        {ask.isError && !wrong && (
          <FieldError>{sentenceOf(ask.error, 'You could not be put on the list. Please try again.')}</FieldError>
        )}
      </div>
    </form>
  )
}
