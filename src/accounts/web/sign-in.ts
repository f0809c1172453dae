import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { call, sentenceOf } from '../../foundation/call.ts'
import { toast } from '../../ui/toast.ts'
import type { LoginForm, login, RegisterForm, register } from '../contract.ts'
import { useBecome } from './session.ts'

/** Logs in, takes up the session and leads to the dashboard. */
export function useLogin() {
  const become = useBecome()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: z.output<typeof LoginForm>) =>
      call<typeof login>({ method: 'POST', path: '/api/login' }, { body }),
    onSuccess: (user) => {
      become(user)
      toast({ title: 'Welcome back!', description: 'You are now logged in.' })
      navigate('/dashboard')
    },
    onError: (error) =>
      toast({ title: 'Login Failed', description: sentenceOf(error, 'Invalid username or password'), tone: 'error' }),
  })
}

export const VERIFY_FIRST = 'Please check your email to verify your account before logging in.'

/** Signs up. The username is the e-mail address; `confirmPassword` is not sent. `onVerify`: a mailed link comes first. */
export function useRegister({ onVerify, onRefused }: { onVerify: () => void; onRefused: (error: unknown) => void }) {
  const become = useBecome()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ confirmPassword: _, ...form }: z.output<typeof RegisterForm>) =>
      call<typeof register>({ method: 'POST', path: '/api/register' }, { body: { ...form, username: form.email } }),
    onSuccess: ({ user, emailVerificationRequired }) => {
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
