import { useState } from 'react'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { sentenceOf } from '#foundation/call.ts'
import { Tick } from '#ui/choices.tsx'
import { paymentsApi } from './api.ts'
import { NOT_NOTED, REQUEST } from './begin-request.ts'

/** At the checkout, above the button that pays and never a condition of it: ticked or not, it can be paid. */
export function BeginWithPayment({ paymentIntentId }: { paymentIntentId: string }) {
  const [isAsked, setAsked] = useState(false)
  const ask = useMemberMutation({
    mutationFn: (asked: boolean) =>
      paymentsApi.askToBeginPayment.call({ params: { id: paymentIntentId }, body: { isAsked: asked } }),
    onError: (_error, asked) => setAsked(!asked),
  })
  return (
    <div className="border-t border-line pt-4">
      <Tick
        checked={isAsked}
        onChange={({ target }) => {
          setAsked(target.checked)
          ask.mutate(target.checked)
        }}
        label={REQUEST}
        help="Optional: you can pay without it, and decide when you book."
        error={ask.isError ? sentenceOf(ask.error, NOT_NOTED) : undefined}
      />
    </div>
  )
}
