import { type UseMutationOptions, useQueryClient } from '@tanstack/react-query'
import type { Operation } from '#foundation/api-client.ts'
import { CallError } from '#foundation/call.ts'
import { findLostResponse, isUncertain } from '#foundation/lost-responses.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { endSession } from './end-session.tsx'

export type Stale = Pick<Operation, 'key'>

type MemberMutation<Response, Sent> = Omit<UseMutationOptions<Response, Error, Sent>, 'mutationFn'> & {
  mutationFn: (sent: Sent) => Promise<Response>
  /** The operations to refetch after success, and after a refusal. */
  stale?: readonly Stale[]
  /** Runs before the refetch, which takes another second on a slow connection. */
  onDone?: (response: Response, sent: Sent) => void
  /** After a timeout or a 503: checks whether the write happened, and returns what the response would have been. */
  checkIfDone?: (sent: Sent) => Promise<Response | undefined>
}

/** Enough for the three frames that a toast takes; a time, because hidden pages have no frames. */
const PAINT_MS = 100
const drawn = () => new Promise((resolve) => setTimeout(resolve, PAINT_MS))

/**
 * A mutation for signed-in users, one at a time. On a 401 the session has ended, and `onError` is not called. If the
 * response is lost but the write happened, it succeeds.
 */
export function useMemberMutation<Response, Sent = void>({
  stale = [],
  mutationFn,
  checkIfDone,
  onDone,
  onError,
  onSuccess,
  ...options
}: MemberMutation<Response, Sent>) {
  const queries = useQueryClient()
  const readAgain = () => Promise.all(stale.map(({ key }) => queries.invalidateQueries({ queryKey: key })))
  return useSingleMutation<Response, Sent>({
    ...options,
    mutationFn: async (sent) => {
      try {
        return await mutationFn(sent)
      } catch (error) {
        if (!checkIfDone || !isUncertain(error)) throw error
        return await findLostResponse(error, () => checkIfDone(sent))
      }
    },
    onSuccess: async (...args) => {
      if (onDone) {
        onDone(args[0], args[1])
        // Paint the toast before the lists are refetched.
        await drawn()
      }
      await readAgain()
      await onSuccess?.(...args)
    },
    onError: (error, ...args) => {
      if (error instanceof CallError && error.status === 401) return endSession()
      void readAgain()
      return onError?.(error, ...args)
    },
  })
}
