import { lazy } from 'react'

// The forms around a mailed link: hardly anybody who opens the page needs them, so they come when they are asked for.
const loadForgotPassword = () => import('./forgot-password.tsx')
export const ForgotPassword = lazy(loadForgotPassword)
export const SetPassword = lazy(() => import('./set-password.tsx'))
export const VerifyEmail = lazy(() => import('./verify-email.tsx'))

/** Fetches the form ahead of the click. Spread into the link to it. Not reached now: the click tries again. */
export const soonForgotPassword = {
  onPointerEnter: () => void loadForgotPassword().catch(() => {}),
  onFocus: () => void loadForgotPassword().catch(() => {}),
}
