import { CallError, sentenceOf } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import type { UserSession } from '../../contract-sessions.ts'
import { accountsApi } from '../api.ts'
import { forgetVisit } from '../logout.tsx'
import { useMemberMutation } from '../member-mutation.ts'

const stale = [accountsApi.listSessions]

const notEnded = (error: Error) =>
  toast({ title: 'Error', description: sentenceOf(error, 'This could not be done. Please try again.'), tone: 'error' })

/** Where a session is, in words. */
export function deviceName({ browser, system, isCurrent }: UserSession): string {
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? (isCurrent ? 'This browser' : 'Unknown browser')
}

/** Signs out one other browser. */
export function useEndSession() {
  const done = { message: '' }
  return useMemberMutation({
    mutationFn: async ({ id }: UserSession) => {
      try {
        return await accountsApi.endOneSession.call({ params: { id } })
      } catch (error) {
        // It has ended meanwhile, which was the wish.
        if (error instanceof CallError && error.status === 404) return done
        throw error
      }
    },
    lookAgain: async ({ id }) =>
      (await accountsApi.listSessions.call()).some((session) => session.id === id) ? undefined : done,
    stale,
    onDone: (_, session) => toast({ title: 'Signed out', description: `${deviceName(session)} is signed out.` }),
    onError: notEnded,
  })
}

/** Signs out every other browser. */
export function useEndOtherSessions() {
  return useMemberMutation({
    mutationFn: () => accountsApi.endSessions.call(),
    lookAgain: async () => {
      const ended = await accountsApi.listSessions.call()
      return ended.length === 1 ? { message: '', ended: 0 } : undefined
    },
    stale,
    onDone: () => toast({ title: 'Signed out', description: 'Every other browser is signed out.' }),
    onError: notEnded,
  })
}

/** Signs out every browser, this one too, and leads home with nothing kept here. */
export function useEndAllSessions() {
  return useMemberMutation({
    mutationFn: () => accountsApi.endSessions.call({ query: { all: 'true' } }),
    onSuccess: () => {
      forgetVisit()
      location.replace('/')
    },
    onError: notEnded,
  })
}

/** Changes the password. `refusal`: what to say when no field says it. */
export function useChangePassword({
  onDone,
  onRefused,
}: {
  onDone: () => void
  onRefused: (error: unknown) => boolean
}) {
  const change = useMemberMutation({
    mutationFn: (body: { currentPassword: string; password: string }) => accountsApi.changePassword.call({ body }),
    stale,
    onDone,
    onError: onRefused,
  })
  const { error } = change
  const isSaid = !error || (error instanceof CallError && (error.errors.length > 0 || error.status === 401))
  return {
    ...change,
    refusal: isSaid ? undefined : sentenceOf(error, 'The password could not be changed. Please try again.'),
  }
}
