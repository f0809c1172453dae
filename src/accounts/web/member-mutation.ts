import { type UseMutationOptions, useQueryClient } from '@tanstack/react-query'
import type { Operation } from '#foundation/api-client.ts'
import { CallError } from '#foundation/call.ts'
import { isUncertain, lookUntilKnown } from '#foundation/lost-answers.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { endSession } from './end-session.tsx'

/** An operation of a part's client. */
export type Stale = Pick<Operation, 'key'>

type MemberMutation<Answer, Sent> = Omit<UseMutationOptions<Answer, Error, Sent>, 'mutationFn'> & {
  mutationFn: (sent: Sent) => Promise<Answer>
  /** The operations whose replies are out of date after success, and perhaps after a refusal: both refetch them. */
  stale?: readonly Stale[]
  /** Says that it is done, before anything is read again: on a slow line that takes another second. */
  onDone?: (answer: Answer, sent: Sent) => void
  /** After silence or a 503: reads whether it was done after all, and answers what the lost answer would have been. */
  lookAgain?: (sent: Sent) => Promise<Answer | undefined>
}

/** Ours: a toast is drawn in three steps, and a hidden page has no frames to wait for. */
const DRAWN_MS = 100
const drawn = () => new Promise((resolve) => setTimeout(resolve, DRAWN_MS))

/**
 * A mutation that needs a signed-in user, one at a time. A 401 means that the session has ended, and `onError` is not
 * called. A write whose answer was lost but that turns out to be done has succeeded.
 */
export function useMemberMutation<Answer, Sent = void>({
  stale = [],
  mutationFn,
  lookAgain,
  onDone,
  onError,
  onSuccess,
  ...options
}: MemberMutation<Answer, Sent>) {
  const queries = useQueryClient()
  const readAgain = () => Promise.all(stale.map(({ key }) => queries.invalidateQueries({ queryKey: key })))
  return useSingleMutation<Answer, Sent>({
    ...options,
    mutationFn: async (sent) => {
      try {
        return await mutationFn(sent)
      } catch (error) {
        if (!lookAgain || !isUncertain(error)) throw error
        return await lookUntilKnown(error, () => lookAgain(sent))
      }
    },
    onSuccess: async (...args) => {
      if (onDone) {
        onDone(args[0], args[1])
        // What it says is painted first: a slow phone needs as long again for the lists.
        await drawn()
      }
      await readAgain()
      await onSuccess?.(...args)
    },
    onError: (error, ...args) => {
      if (error instanceof CallError && error.status === 401) return endSession()
      // What was refused may have changed under the screen: full by now, gone, already done.
      void readAgain()
      return onError?.(error, ...args)
    },
  })
}
