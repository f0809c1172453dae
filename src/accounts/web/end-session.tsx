import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { PrefetchPageLinks, useLocation, useNavigate } from 'react-router'
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

/** Time to read the toast before another page opens. */
export const REDIRECT_MS = 500

/** Once the toast is visible, waits for `afterMs` and goes `to` a page, whose code is fetched during the wait. */
export function RedirectAfterToast({ to, afterMs, onTime }: { to: string; afterMs: number; onTime: () => void }) {
  const leave = useEffectEvent(onTime)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isCancelled = false
    void toastShown().then(() => {
      if (!isCancelled) timer = setTimeout(() => leave(), afterMs)
    })
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [afterMs])
  return <PrefetchPageLinks page={to} />
}

/** Part of the shell: opens /auth when a session has ended. */
export function EndedSession() {
  const hasEnded = useIsSessionOver()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  // Only on /auth, or the page that is being left would report the end again.
  useEffect(() => {
    if (hasEnded && pathname === '/auth') resetSessionEnd()
  }, [pathname, hasEnded])
  if (!hasEnded) return null
  return (
    <RedirectAfterToast
      to="/auth"
      afterMs={REDIRECT_MS}
      onTime={() => {
        queries.setQueryData(sessionApi.getCurrentUser.key, null)
        void navigate('/auth')
      }}
    />
  )
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
