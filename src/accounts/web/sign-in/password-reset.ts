import { useNavigate } from 'react-router'
import { CallError, errorMessage, formRefusal } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import { toastsReady } from '#ui/toaster.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { signInApi } from './api.ts'
import { useSwitchUser } from './sign-in.ts'

/** Requests an emailed link to set a new password. `refusal`: an error that belongs to no field. */
export function useRequestPasswordReset() {
  const request = useSingleMutation({
    mutationFn: (body: { email: string }) => signInApi.requestPasswordReset.call({ body }),
  })
  return { ...request, refusal: formRefusal(request.error, 'The link could not be sent. Please try again.') }
}

/**
 * Sets the password with an emailed token, logs in and opens the dashboard. If passkeys still sign in
 * (`keepsPasskeys`), `enter` opens the dashboard instead. `isExpired`: the link has been used or is too old.
 */
export function useSetPassword() {
  const switchUser = useSwitchUser()
  const navigate = useNavigate()
  const enter = (removed = 0) => {
    const passkeys = removed === 1 ? 'passkey' : 'passkeys'
    const more =
      removed > 0
        ? ` We removed your ${passkeys} with the old password. You can add new ones under Devices and password.`
        : ''
    toast({ title: 'Password set', description: `You are now logged in.${more}` })
    navigate('/dashboard', { replace: true })
  }
  const set = useSingleMutation({
    mutationFn: (body: { token: string; password: string }) => signInApi.setPassword.call({ body }),
    onSuccess: async ({ passkeys, ...user }) => {
      await toastsReady()
      switchUser(user)
      if (passkeys.kept === 0) enter(passkeys.removed)
    },
  })
  const { error } = set
  const isExpired =
    error instanceof CallError &&
    error.status === 400 &&
    (error.errors.length === 0 || error.errors.some(({ path }) => path === 'token'))
  const refusal = isExpired ? errorMessage(error, LINK_EXPIRED) : formRefusal(error, NOT_SET)
  return { ...set, keepsPasskeys: Boolean(set.data?.passkeys.kept), enter, isExpired, refusal }
}

const LINK_EXPIRED = 'This link is no longer valid. Please ask for a new one.'
const NOT_SET = 'The password could not be set. Please try again.'
