import { type UseMutationOptions, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { CallError } from '../../foundation/call.ts'
import { createStore } from '../../ui/store.ts'
import { toast } from '../../ui/toast.ts'
import { useSingleMutation } from '../../ui/use-single-mutation.ts'
import { sessionKey } from './session.ts'

/** Before the browser goes to /auth, so that the toast can be read (specification, section 9). */
export const REDIRECT_MS = 500

export const LOGGED_OUT = {
  title: 'Unauthorized',
  description: 'You are logged out. Logging in again...',
  tone: 'error',
} as const

const [useIsLeaving, leave] = createStore(false)

/** On the way to /auth already: whoever else finds that the session has ended need not say so again. */
export { useIsLeaving }

/**
 * A mutation that needs a signed-in user, one at a time. A 401 means the session has ended: it says so and leads to
 * /auth, and `onError` is not called. `stale` names the queries that are no longer true after success.
 */
export function useMemberMutation<Answer, Sent = void>({
  stale = [],
  onError,
  onSuccess,
  ...options
}: UseMutationOptions<Answer, Error, Sent> & { stale?: readonly (readonly unknown[])[] }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useSingleMutation<Answer, Sent>({
    ...options,
    onSuccess: async (...args) => {
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
      await onSuccess?.(...args)
    },
    onError: (error, ...args) => {
      if (!(error instanceof CallError && error.status === 401)) return onError?.(error, ...args)
      leave(() => true)
      toast(LOGGED_OUT)
      setTimeout(async () => {
        queries.setQueryData(sessionKey, null)
        await navigate('/auth')
        leave(() => false)
      }, REDIRECT_MS)
    },
  })
}
