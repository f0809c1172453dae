import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemberMutation } from '../../accounts/web/member-mutation.ts'
import { call, sentenceOf } from '../../foundation/call.ts'
import { classesKey } from '../../timetable/web/classes.ts'
import { toast } from '../../ui/toast.ts'
import type { joinWaitingList, leaveWaitingList, listWaiting } from '../contract.ts'
import { waitingKey } from './stale.ts'

/** The classes for which the member waits, next first. */
export function useWaiting() {
  return useQuery({
    queryKey: waitingKey,
    queryFn: () => call<typeof listWaiting>({ method: 'GET', path: '/api/user/waitlist' }),
  })
}

type Awaited = { id: number; title: string }

/** Joins the line for a full class. After a refusal the classes are read again: perhaps there is a place now. */
export function useJoinWaitingList({ onSettled }: { onSettled: () => void }) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: ({ id }: Awaited) =>
      call<typeof joinWaitingList>({ method: 'POST', path: '/api/classes/:id/waitlist' }, { params: { id } }),
    stale: [waitingKey],
    onSuccess: ({ position }, { title }) =>
      toast({ title: 'On the Waiting List', description: `You are no. ${position} in line for ${title}.` }),
    onError: (error) => {
      toast({ title: 'Could Not Join', description: sentenceOf(error, NOT_JOINED), tone: 'error' })
      for (const queryKey of [classesKey, waitingKey]) void queries.invalidateQueries({ queryKey })
    },
    onSettled,
  })
}

/** Leaves the line. After a refusal it is read again: perhaps the place was given meanwhile. */
export function useLeaveWaitingList({ onSettled }: { onSettled?: () => void } = {}) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: ({ id }: Awaited) =>
      call<typeof leaveWaitingList>({ method: 'DELETE', path: '/api/classes/:id/waitlist' }, { params: { id } }),
    stale: [waitingKey],
    onSuccess: (_, { title }) =>
      toast({ title: 'Left the Waiting List', description: `You no longer wait for ${title}.` }),
    onError: (error) => {
      toast({ title: 'Could Not Leave', description: sentenceOf(error, NOT_LEFT), tone: 'error' })
      void queries.invalidateQueries({ queryKey: waitingKey })
    },
    onSettled,
  })
}

const NOT_JOINED = 'You could not be put on the waiting list. Please try again.'
const NOT_LEFT = 'You are still on the waiting list. Please try again.'
