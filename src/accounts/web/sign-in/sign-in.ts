import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { sentenceOf } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import { toastsReady } from '#ui/toaster.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import type { CurrentUser, LoginForm, RegisterForm } from '../../contract.ts'
import { SIGNED_IN } from '../../session-hint.ts'
import { accountsApi } from '../api.ts'
import { forgetEnd } from '../end-session.tsx'
import { isNotSession } from '../session.ts'

/** Takes up a session and leads to the dashboard; who runs the studio and lacks a second step, to that. */
export function useWelcome() {
  const become = useBecome()
  const navigate = useNavigate()
  return async (user: CurrentUser) => {
    await toastsReady()
    become(user)
    toast({ title: 'Welcome back!', description: 'You are now logged in.' })
    navigate(user.secondStep ? '/admin' : '/dashboard')
  }
}

/** Logs in, takes up the session and leads to the dashboard. `isUnverified`: the mailed link must be followed first. */
export function useLogin() {
  const welcome = useWelcome()
  const attempt = useSingleMutation({
    mutationFn: (body: z.output<typeof LoginForm>) => accountsApi.login.call({ body }),
    onSuccess: (answer) => ('id' in answer ? welcome(answer) : undefined),
    onError: (error) =>
      toast({ title: 'Login Failed', description: sentenceOf(error, 'Invalid username or password'), tone: 'error' }),
  })
  return { ...attempt, isUnverified: accountsApi.login.isRefusal(attempt.error, 'email_not_verified') }
}

const VERIFY_FIRST = 'Please check your email to verify your account before logging in.'

/** Signs up with the email address as username. `onVerify`: the new member must follow an emailed link first. */
export function useRegister({ onVerify }: { onVerify: () => void }) {
  const become = useBecome()
  const navigate = useNavigate()
  return useSingleMutation({
    mutationFn: ({ confirmPassword: _, phone, ...form }: z.input<typeof RegisterForm>) =>
      accountsApi.register.call({ body: { ...form, username: form.email, ...(phone && { phone }) } }),
    onSuccess: async ({ user, emailVerificationRequired }) => {
      await toastsReady()
      if (emailVerificationRequired || !user) {
        toast({ title: 'Verify your email', description: VERIFY_FIRST })
        return onVerify()
      }
      become(user)
      toast({ title: `Welcome, ${user.firstName || 'Member'}!`, description: 'Your account has been created.' })
      navigate('/dashboard')
    },
    onError: (error) =>
      toast({
        title: 'Registration Failed',
        description: sentenceOf(error, 'Failed to create account'),
        tone: 'error',
      }),
  })
}

/** Forgets everything that was read for somebody else and takes `user` as signed in (null: nobody). */
export function useBecome() {
  const queries = useQueryClient()
  return (user: CurrentUser | null) => {
    queries.removeQueries({ predicate: isNotSession })
    localStorage.removeItem(SIGNED_IN)
    queries.setQueryData(accountsApi.getCurrentUser.key, user)
    forgetEnd()
    if (user) void queries.invalidateQueries({ queryKey: accountsApi.getCurrentUser.key })
  }
}
