import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMemberMutation } from '../../accounts/web/member-mutation.ts'
import { call, sentenceOf } from '../../foundation/call.ts'
import { formatDate } from '../../foundation/dates.ts'
import { studio } from '../../studio.ts'
import { Tick } from '../../ui/choices.tsx'
import type { askToBegin, askToBeginPayment, listBeginOffers } from '../contract-begin.ts'

const { coolingOffDays } = studio.policies

const REQUEST = `I ask you to begin within the ${coolingOffDays} days in which I can cancel my purchase. If I cancel then, I pay for the classes I have taken by that time.`
const FAILED = 'This could not be noted. Please try again, or leave it out.'

/** At the checkout, below the payment and never a condition of it: ticked or not, it can be paid. */
export function BeginWithPayment({ paymentIntentId }: { paymentIntentId: string }) {
  const [isAsked, setAsked] = useState(false)
  const ask = useMemberMutation({
    mutationFn: (asked: boolean) =>
      call<typeof askToBeginPayment>(
        { method: 'PUT', path: '/api/user/payments/:id/begin-request' },
        { params: { id: paymentIntentId }, body: { isAsked: asked } },
      ),
    onError: (_error, asked) => setAsked(!asked),
  })
  return (
    <div className="mt-6 border-t border-line pt-4">
      <Tick
        checked={isAsked}
        onChange={({ target }) => {
          setAsked(target.checked)
          ask.mutate(target.checked)
        }}
        label={REQUEST}
        help="Optional: you can pay without it, and decide when you book."
        error={ask.isError ? sentenceOf(ask.error, FAILED) : undefined}
      />
    </div>
  )
}

const offersKey = ['begin-requests'] as const

/** Before a class that lies within those days, where nobody has asked yet. Nothing otherwise. */
export function BeginWithBooking({ date }: { date: string }) {
  const offers = useQuery({
    queryKey: offersKey,
    queryFn: () => call<typeof listBeginOffers>({ method: 'GET', path: '/api/user/begin-requests' }),
    gcTime: 0,
  })
  const [isAsked, setAsked] = useState(false)
  const ask = useMemberMutation({
    mutationFn: () => call<typeof askToBegin>({ method: 'POST', path: '/api/user/begin-requests' }),
    onError: () => setAsked(false),
  })
  const meant = offers.data?.find(({ until }) => date <= until)
  if (!meant) return null
  return (
    <Tick
      checked={isAsked}
      disabled={isAsked}
      onChange={() => {
        setAsked(true)
        ask.mutate()
      }}
      label={REQUEST}
      help={
        ask.isSuccess
          ? 'Noted; your receipt says so from now on.'
          : `Optional. You can cancel ${meant.package.name} until ${formatDate(meant.until)}.`
      }
      error={ask.isError ? sentenceOf(ask.error, FAILED) : undefined}
    />
  )
}
