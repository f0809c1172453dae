import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Stale, useMemberMutation } from '#accounts/web/member-mutation.ts'
import { sessionApi } from '#accounts/web/session.ts'
import { attentionApi } from '#attention/web/api.ts'
import { CHANGED } from '#booking/web/change-bookings.ts'
import { CallError, errorMessage } from '#foundation/call.ts'
import { newKey } from '#foundation/lost-responses.ts'
import { importsApi } from '#imports/web/api.ts'
import { insightsApi } from '#insights/web/api.ts'
import { promptQueries } from '#mailings/web/messages.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import { toast, toastError } from '#ui/toast.ts'

/**
 * A change that an admin makes: once at a time; a toast on success and on failure; a 401 leads to /auth.
 * `stale` lists the queries to invalidate; the audit log always is.
 */
export function useAdminMutation<Answer, Sent = void>({
  mutationFn,
  isRepeatable = false,
  checkIfDone,
  toasts,
  stale,
  onSuccess,
  onRefused,
  isQuestion,
}: {
  /** `key`: the same for every attempt until one succeeds, for operations that take an idempotency key. */
  mutationFn: (sent: Sent, key: string) => Promise<Answer>
  /** Sending it twice has the effect of once: after a lost reply it is sent again. */
  isRepeatable?: boolean
  /** Otherwise finds out after a lost reply whether the change was made. */
  checkIfDone?: (sent: Sent) => Promise<Answer | undefined>
  toasts: {
    success: string | ((answer: Answer, sent: Sent) => string)
    /** Shown if the server gives no reason. */
    failure: string
    /** Always shows `failure`; the server's message is in the dialog. */
    fixed?: boolean
  }
  stale: readonly Stale[]
  onSuccess?: (answer: Answer, sent: Sent) => void
  onRefused?: (error: Error) => void
  /** Returns true for a refusal that asks for confirmation. */
  isQuestion?: (error: Error) => boolean
}) {
  const queries = useQueryClient()
  const [key, setKey] = useState(newKey)
  const send = (sent: Sent) => mutationFn(sent, key)
  const mutation = useMemberMutation<Answer, Sent>({
    mutationFn: send,
    checkIfDone: isRepeatable ? send : checkIfDone,
    stale: [...stale, insightsApi.listAudit],
    onSuccess: (answer, sent) => {
      const description = typeof toasts.success === 'string' ? toasts.success : toasts.success(answer, sent)
      toast({ title: 'Success', description })
      setKey(newKey())
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

/** The queries that a booking or a cancellation changes: classes, bookings, credits and figures. */
export const STALE = [
  ...CHANGED,
  ...promptQueries,
  ...Object.values(insightsApi),
  attentionApi.listAttention,
  scheduleApi.listUndoable,
  staffPaymentsApi.listPurchases,
  importsApi.listImports,
]
