import { useQueryClient } from '@tanstack/react-query'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { sessionApi } from '#accounts/web/session.ts'
import { CallError, errorMessage } from '#foundation/call.ts'
import { toast, toastError } from '#ui/toast.ts'

/** A change that an admin makes: once at a time; a toast on success and on failure; a 401 leads to /auth. */
export function useAdminMutation<Answer, Sent = void>({
  mutationFn,
  toasts,
  onSuccess,
  onRefused,
  isQuestion,
}: {
  mutationFn: (sent: Sent) => Promise<Answer>
  toasts: {
    success: string | ((answer: Answer, sent: Sent) => string)
    /** Shown if the server gives no reason. */
    failure: string
    /** Always shows `failure`; the server's message is in the dialog. */
    fixed?: boolean
  }
  onSuccess?: (answer: Answer, sent: Sent) => void
  onRefused?: (error: Error) => void
  /** Returns true for a refusal that asks for confirmation. */
  isQuestion?: (error: Error) => boolean
}) {
  const queries = useQueryClient()
  const mutation = useMemberMutation<Answer, Sent>({
    mutationFn,
    onSuccess: (answer, sent) => {
      const description = typeof toasts.success === 'string' ? toasts.success : toasts.success(answer, sent)
      toast({ title: 'Success', description })
      onSuccess?.(answer, sent)
    },
    onError: (error) => {
      if (isQuestion?.(error)) return
      if (toasts.fixed) toast({ title: 'Error', description: toasts.failure, tone: 'error' })
      else toastError(error, toasts.failure)
      // The admin rights may be gone: refetch who is signed in.
      if (error instanceof CallError && error.status === 403)
        void queries.invalidateQueries({ queryKey: sessionApi.getCurrentUser.key })
      onRefused?.(error)
    },
  })
  const { error } = mutation
  return {
    ...mutation,
    /** Someone else has changed it since it was read. */
    isConflict: error instanceof CallError && error.status === 409,
    /** The server's reason for the dialog; undefined if it is shown next to the fields. */
    refusal: refusalOf(error),
  }
}

function refusalOf(error: Error | null): string | undefined {
  if (!(error instanceof CallError)) return error ? errorMessage(error, '') || undefined : undefined
  return error.status === 401 || error.errors.length > 0 ? undefined : error.serverMessage
}
