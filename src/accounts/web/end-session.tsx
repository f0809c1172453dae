import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { createStore } from '#ui/store.ts'
import { toast } from '#ui/toast.ts'
import { toastShown } from '#ui/toaster.tsx'
import { sessionApi } from './session.ts'

export const LOGGED_OUT = {
  title: 'Unauthorized',
  description: 'You are logged out. Logging in again...',
  tone: 'error',
} as const

const [useIsSessionOver, change] = createStore(false)

/** True while a redirect to /auth is pending: the page stays as it is. */
export { useIsSessionOver }

/** Reports the ended session, and shows a toast once. Not on /auth, where a late response would mean nothing. */
export function endSession(): void {
  if (location.pathname === '/auth') return
  change((hasEnded) => {
    if (!hasEnded) toast(LOGGED_OUT)
    return true
  })
}

/** Called after a redirect or a login, so that the next end of a session is reported again. */
export function resetSessionEnd(): void {
  change(() => false)
}

/** Time to read the toast before /auth opens. */
export const REDIRECT_MS = 500

export function useEndedSession(): void {
  const hasEnded = useIsSessionOver()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  useEffect(() => {
    if (!hasEnded) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isCancelled = false
    const goTo = () => {
      queries.setQueryData(sessionApi.getCurrentUser.key, null)
      navigate('/auth')
    }
    void toastShown().then(() => {
      if (!isCancelled) timer = setTimeout(goTo, REDIRECT_MS)
    })
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [hasEnded, navigate, queries])
  // Only on /auth, or the page that is being left would report the end again.
  useEffect(() => {
    if (hasEnded && pathname === '/auth') resetSessionEnd()
  }, [pathname, hasEnded])
}

export function clearBrowserStorage(): void {
  sessionStorage.clear()
  localStorage.clear()
}

/** A document navigation: the server ends the session and redirects home. */
export function LogoutLink({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <a href="/api/logout" className={className} onClick={clearBrowserStorage}>
      {children}
    </a>
  )
}
