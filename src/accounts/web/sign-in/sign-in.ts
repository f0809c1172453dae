import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { toast, toastError } from '#ui/toast.ts'
import { toastsReady } from '#ui/toaster.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import type { CurrentUser, LoginForm, RegisterForm } from '../../contract.ts'
import { SIGNED_IN } from '../../session-rules.ts'
import { resetSessionEnd } from '../end-session.tsx'
import { isNotSession, sessionApi } from '../session.ts'
import { signInApi } from './api.ts'

/** Takes over a new session and opens the dashboard, or the second step. */
export function useWelcome() {
  const switchUser = useSwitchUser()
  const navigate = useNavigate()
  return async (user: CurrentUser) => {
    await toastsReady()
    switchUser(user)
    toast({ title: 'Welcome back!', description: 'You are now logged in.' })
    navigate(user.secondStep ? '/admin' : '/dashboard')
  }
}

/** `isUnverified`: the member must follow an emailed link first. */
export function useLogin() {
  const welcome = useWelcome()
  const attempt = useSingleMutation({
    mutationFn: (body: z.output<typeof LoginForm>) => signInApi.login.call({ body }),
    onSuccess: (response) => ('id' in response ? welcome(response) : undefined),
    onError: (error) => toastError(error, 'Invalid username or password', 'Login Failed'),
  })
  return { ...attempt, isUnverified: signInApi.login.isRefusal(attempt.error, 'email_not_verified') }
}

const VERIFY_FIRST = 'Please check your email to verify your account before logging in.'

/** Signs up with the email address as username. `onVerify`: the new member must follow an emailed link first. */
export function useRegister({ onVerify }: { onVerify: () => void }) {
  const switchUser = useSwitchUser()
  const navigate = useNavigate()
  return useSingleMutation({
    mutationFn: ({ confirmPassword: _, phone, ...form }: z.input<typeof RegisterForm>) =>
      signInApi.register.call({ body: { ...form, username: form.email, phone: phone || undefined } }),
    onSuccess: async ({ user, emailVerificationRequired }) => {
      await toastsReady()
      if (emailVerificationRequired || !user) {
        toast({ title: 'Verify your email', description: VERIFY_FIRST })
        return onVerify()
      }
      switchUser(user)
      toast({ title: `Welcome, ${user.firstName || 'Member'}!`, description: 'Your account has been created.' })
      navigate('/dashboard')
    },
    onError: (error) => toastError(error, 'Failed to create account', 'Registration Failed'),
  })
}

/** Removes the previous user's data from the cache and sets the current user (null: signed out). */
export function useSwitchUser() {
  const queries = useQueryClient()
  return (user: CurrentUser | null) => {
    queries.removeQueries({ predicate: isNotSession })
    localStorage.removeItem(SIGNED_IN)
    queries.setQueryData(sessionApi.getCurrentUser.key, user)
    resetSessionEnd()
    if (user) void queries.invalidateQueries({ queryKey: sessionApi.getCurrentUser.key })
  }
}
