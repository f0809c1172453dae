import { useNavigate } from 'react-router'
import { CallError, call, sentenceOf } from '../../../foundation/call.ts'
import { toast } from '../../../ui/toast.ts'
import { toastsReady } from '../../../ui/toaster.tsx'
import { useSingleMutation } from '../../../ui/use-single-mutation.ts'
import type { requestPasswordReset, setPassword } from '../../contract.ts'
import { useBecome } from '../become.ts'

/** Asks for a mailed link to set a new password. `refusal`: what to say when that could not be done. */
export function useRequestPasswordReset({ onRefused }: { onRefused: (error: unknown) => boolean }) {
  const ask = useSingleMutation({
    mutationFn: (body: { email: string }) =>
      call<typeof requestPasswordReset>({ method: 'POST', path: '/api/password-reset' }, { body }),
    onError: onRefused,
  })
  return { ...ask, refusal: saidInAll(ask.error, 'The link could not be sent. Please try again.') }
}

/**
 * Sets the password with a mailed link's token; whoever did is logged in and led to the dashboard.
 * `isExpired`: the link is used up or too old, another one is needed.
 */
export function useSetPassword({ onRefused }: { onRefused: (error: unknown) => boolean }) {
  const become = useBecome()
  const navigate = useNavigate()
  const set = useSingleMutation({
    mutationFn: (body: { token: string; password: string }) =>
      call<typeof setPassword>({ method: 'POST', path: '/api/password-reset/confirm' }, { body }),
    onSuccess: async (user) => {
      await toastsReady()
      become(user)
      toast({ title: 'Password set', description: 'You are now logged in.' })
      navigate('/dashboard', { replace: true })
    },
    onError: onRefused,
  })
  const { error } = set
  const isExpired =
    error instanceof CallError &&
    error.status === 400 &&
    (error.errors.length === 0 || error.errors.some(({ path }) => path === 'token'))
  return { ...set, isExpired, refusal: isExpired ? sentenceOf(error, LINK_EXPIRED) : saidInAll(error, NOT_SET) }
}

const LINK_EXPIRED = 'This link is no longer valid. Please ask for a new one.'
const NOT_SET = 'The password could not be set. Please try again.'

/** What to say about the call as a whole; nothing where its fields say it. */
function saidInAll(error: unknown, fallback: string): string | undefined {
  if (!error || (error instanceof CallError && error.errors.length > 0)) return undefined
  return sentenceOf(error, fallback)
}
