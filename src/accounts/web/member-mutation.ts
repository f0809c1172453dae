import { type UseMutationOptions, useQueryClient } from '@tanstack/react-query'
import { CallError } from '#foundation/call.ts'
import { refetchShown } from '#ui/refetch-shown.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { endSession } from './end-session.tsx'

type MemberMutation<Response, Sent> = Omit<UseMutationOptions<Response, Error, Sent>, 'mutationFn'> & {
  mutationFn: (sent: Sent) => Promise<Response>
  /** Runs before the refetch, which takes another second on a slow connection. */
  onDone?: (response: Response, sent: Sent) => void
  /** It only reads, or ends the session, after which nothing can be read. */
  changesNothing?: boolean
}

/** Enough for the three frames that a toast takes; a time, because hidden pages have no frames. */
const PAINT_MS = 100
const painted = () => new Promise((resolve) => setTimeout(resolve, PAINT_MS))

/**
 * A mutation for signed-in users, one at a time. What the page shows is refetched afterwards, also after a refusal. On
 * a 401 the session has ended, and `onError` is not called.
 */
export function useMemberMutation<Response, Sent = void>({
  changesNothing = false,
  onDone,
  onError,
  onSuccess,
  ...options
}: MemberMutation<Response, Sent>) {
  const queries = useQueryClient()
  const refetch = async () => {
    if (!changesNothing) await refetchShown(queries)
  }
  return useSingleMutation<Response, Sent>({
    ...options,
    onSuccess: async (...args) => {
      if (onDone) {
        onDone(args[0], args[1])
        // Paint the toast before the lists are refetched.
        await painted()
      }
      await refetch()
      await onSuccess?.(...args)
    },
    onError: (error, ...args) => {
      if (error instanceof CallError && error.status === 401) return endSession()
      void refetch()
      return onError?.(error, ...args)
    },
  })
}
