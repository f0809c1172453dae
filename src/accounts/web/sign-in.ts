import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { CallError, call, sentenceOf } from '../../foundation/call.ts'
import { toast } from '../../ui/toast.ts'
import { toastsReady } from '../../ui/toaster.tsx'
import { useSingleMutation } from '../../ui/use-single-mutation.ts'
import type { LoginForm, login, RegisterForm, register, resendVerification } from '../contract.ts'
import { useBecome } from './session.ts'

/** Logs in, takes up the session and leads to the dashboard. `isUnverified`: the mailed link must be followed first. */
export function useLogin() {
  const become = useBecome()
  const navigate = useNavigate()
  const attempt = useSingleMutation({
    mutationFn: (body: z.output<typeof LoginForm>) =>
      call<typeof login>({ method: 'POST', path: '/api/login' }, { body }),
    onSuccess: async (user) => {
      await toastsReady()
      become(user)
      toast({ title: 'Welcome back!', description: 'You are now logged in.' })
      navigate('/dashboard')
    },
    onError: (error) =>
      toast({ title: 'Login Failed', description: sentenceOf(error, 'Invalid username or password'), tone: 'error' }),
  })
  return { ...attempt, isUnverified: attempt.error instanceof CallError && attempt.error.said === VERIFY_FIRST }
}

/** Asks for the link that confirms the address once more; the answer is the same whether there is such an account or not. */
export function useResendVerification() {
  return useSingleMutation({
    mutationFn: (username: string) =>
      call<typeof resendVerification>({ method: 'POST', path: '/api/verify-email/resend' }, { body: { username } }),
    onSuccess: ({ message }) => toast({ title: 'Verify your email', description: message }),
    onError: (error) =>
      toast({
        title: 'Not Sent',
        description: sentenceOf(error, 'The link could not be sent. Please try again.'),
        tone: 'error',
      }),
  })
}

export const VERIFY_FIRST = 'Please check your email to verify your account before logging in.'

/** Signs up. The username is the email address; `confirmPassword` is not sent. `onVerify`: a mailed link comes first. */
export function useRegister({ onVerify, onRefused }: { onVerify: () => void; onRefused: (error: unknown) => void }) {
  const become = useBecome()
  const navigate = useNavigate()
  return useSingleMutation({
    mutationFn: ({ confirmPassword: _, phone, ...form }: z.output<typeof RegisterForm>) =>
      call<typeof register>(
        { method: 'POST', path: '/api/register' },
        { body: { ...form, username: form.email, ...(phone && { phone }) } },
      ),
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
    onError: (error) => {
      onRefused(error)
      toast({
        title: 'Registration Failed',
        description: sentenceOf(error, 'Failed to create account'),
        tone: 'error',
      })
    },
  })
}
