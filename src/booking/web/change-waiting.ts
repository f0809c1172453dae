import { useQueryClient } from '@tanstack/react-query'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { sentenceOf } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import { bookingApi } from './api.ts'
import { bookingsNow } from './bookings.ts'
import { howLeft } from './how-left.ts'
import { CHANGED } from './stale.ts'

type Awaited = { id: number; title: string; needsConfirming?: boolean }

/**
 * Joins the line for a full class, or says that one still waits for a class that was moved, which may come with the place.
 */
export function useJoinWaitingList({ onSettled }: { onSettled?: () => void } = {}) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: ({ id }: Awaited) => bookingApi.joinWaitingList.call({ params: { id } }),
    // A place may come with it; and refused, perhaps there is one now.
    stale: CHANGED,
    lookAgain: async ({ id }) => {
      const line = await queries.fetchQuery({ ...bookingApi.listWaiting.queryOptions(), staleTime: 0 })
      const entry = line.find(({ classId, needsConfirming }) => classId === id && !needsConfirming)
      return entry && { ...entry, isBooked: false }
    },
    onDone: ({ position, isBooked, wouldBeSkipped }, { title, needsConfirming }) => {
      if (isBooked) {
        toast(placeGiven(title))
      } else {
        const line = needsConfirming ? 'Still on the Waiting List' : 'On the Waiting List'
        const missing = wouldBeSkipped === 'no_credit' ? ' You need a class pass to be given a place.' : ''
        toast({ title: line, description: `You are no. ${position} in line for ${title}.${missing}` })
      }
    },
    onError: (error, { needsConfirming }) => {
      const [title, otherwise] = needsConfirming ? ['Not Confirmed', NOT_CONFIRMED] : ['Could Not Join', NOT_JOINED]
      toast({ title, description: sentenceOf(error, otherwise), tone: 'error' })
    },
    onSettled,
  })
}

/** Leaves the line; or says that the place was given before that. */
export function useLeaveWaitingList({ onSettled }: { onSettled?: () => void } = {}) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: async ({ id }: Awaited) => {
      await bookingApi.leaveWaitingList.call({ params: { id } })
      return { isBooked: false }
    },
    // No longer in line, perhaps because the place was given meanwhile.
    stale: CHANGED,
    lookAgain: async ({ id }) => {
      // The line first: who is given a place after it was read is still found in it.
      const line = await queries.fetchQuery({ ...bookingApi.listWaiting.queryOptions(), staleTime: 0 })
      return howLeft(id, line, await bookingsNow(queries))
    },
    onDone: ({ isBooked }, { title }) => toast(isBooked ? placeGiven(title) : left(title)),
    onError: (error) => toast({ title: 'Could Not Leave', description: sentenceOf(error, NOT_LEFT), tone: 'error' }),
    onSettled,
  })
}

const placeGiven = (title: string) => ({
  title: 'A Place for You',
  description: `A place was free: ${title} is booked with your class pass.`,
})
const left = (title: string) => ({
  title: 'Left the Waiting List',
  description: `You no longer wait for ${title}.`,
})

const NOT_JOINED = 'You could not be put on the waiting list. Please try again.'
const NOT_CONFIRMED = 'Your place in line could not be confirmed. Please try again.'
const NOT_LEFT = 'You are still on the waiting list. Please try again.'
