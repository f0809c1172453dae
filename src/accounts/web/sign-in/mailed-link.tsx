import { lazy } from 'react'

// The forms around a mailed link: hardly anybody who opens the page needs them, so they come when they are asked for.
const loadForgotPassword = () => import('./forgot-password.tsx')
export const ForgotPassword = lazy(loadForgotPassword)
export const FromMail = lazy(() => import('./from-mail.tsx'))

/** Fetches the form ahead of the click. Spread into the link to it. Not reached now: the click tries again. */
export const soonForgotPassword = {
  onPointerEnter: () => void loadForgotPassword().catch(() => {}),
  onFocus: () => void loadForgotPassword().catch(() => {}),
}
