import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMemberMutation } from '../../accounts/web/member-mutation.ts'
import { call, sentenceOf } from '../../foundation/call.ts'
import { formatDate } from '../../foundation/dates.ts'
import { Tick } from '../../ui/choices.tsx'
import type { askToBegin, listBeginOffers } from '../contract-begin.ts'
import { NOT_NOTED, REQUEST } from './begin-request.ts'

const offersKey = ['begin-requests'] as const

/** Before a class that lies within those days, where nobody has asked yet. Nothing otherwise. */
export default function BeginWithBooking({ date }: { date: string }) {
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
      error={ask.isError ? sentenceOf(ask.error, NOT_NOTED) : undefined}
    />
  )
}
