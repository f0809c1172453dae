import { useNavigate } from 'react-router'
import { CallError, sentenceOf } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import { toastsReady } from '#ui/toaster.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { accountsApi } from '../api.ts'
import { useBecome } from './sign-in.ts'

/** Asks for a mailed link to set a new password. `refusal`: what to say when that could not be done. */
export function useRequestPasswordReset({ onRefused }: { onRefused: (error: unknown) => boolean }) {
  const ask = useSingleMutation({
    mutationFn: (body: { email: string }) => accountsApi.requestPasswordReset.call({ body }),
    onError: onRefused,
  })
  return { ...ask, refusal: saidInAll(ask.error, 'The link could not be sent. Please try again.') }
}

/**
 * Sets the password with a mailed link's token, logs in and leads to the dashboard, unless passkeys still sign in
 * (`keepsPasskeys`): `enter` leads there. `isExpired`: the link is used up or too old, another one is needed.
 */
export function useSetPassword({ onRefused }: { onRefused: (error: unknown) => boolean }) {
  const become = useBecome()
  const navigate = useNavigate()
  const enter = (removed = 0) => {
    const passkeys = removed === 1 ? 'Your passkey was' : 'Your passkeys were'
    const more = removed > 0 ? ` ${passkeys} removed with the old password: you can add new ones in Your sign-in.` : ''
    toast({ title: 'Password set', description: `You are now logged in.${more}` })
    navigate('/dashboard', { replace: true })
  }
  const set = useSingleMutation({
    mutationFn: (body: { token: string; password: string }) => accountsApi.setPassword.call({ body }),
    onSuccess: async ({ passkeys, ...user }) => {
      await toastsReady()
      become(user)
      if (passkeys.kept === 0) enter(passkeys.removed)
    },
    onError: onRefused,
  })
  const { error } = set
  const isExpired =
    error instanceof CallError &&
    error.status === 400 &&
    (error.errors.length === 0 || error.errors.some(({ path }) => path === 'token'))
  const refusal = isExpired ? sentenceOf(error, LINK_EXPIRED) : saidInAll(error, NOT_SET)
  return { ...set, keepsPasskeys: Boolean(set.data?.passkeys.kept), enter, isExpired, refusal }
}

const LINK_EXPIRED = 'This link is no longer valid. Please ask for a new one.'
const NOT_SET = 'The password could not be set. Please try again.'

/** What to say about the call as a whole; nothing where its fields say it. */
function saidInAll(error: unknown, fallback: string): string | undefined {
  if (!error || (error instanceof CallError && error.errors.length > 0)) return undefined
  return sentenceOf(error, fallback)
}
