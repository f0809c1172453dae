import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { createStore } from '#ui/store.ts'
import { toast } from '#ui/toast.ts'
import { toastShown } from '#ui/toaster.tsx'
import { accountsApi } from './api.ts'

export const LOGGED_OUT = {
  title: 'Unauthorized',
  description: 'You are logged out. Logging in again...',
  tone: 'error',
} as const

const [useHasEnded, change] = createStore(false)

/** On the way to /auth: the page stays as it is until that stands in its place. */
export { useHasEnded }

/**
 * Somebody who was signed in is so no more. Whoever finds it out says so here; it is told once. Who stands on /auth
 * already needs no telling: a late answer to the page before says nothing new there.
 */
export function endSession(): void {
  if (location.pathname === '/auth') return
  change((hasEnded) => {
    if (!hasEnded) toast(LOGGED_OUT)
    return true
  })
}

/** The end was answered, or somebody has signed in since: the next end is told again. */
export function forgetEnd(): void {
  change(() => false)
}

/** Before the browser goes to /auth, so that the toast can be read (specification, section 9). */
export const REDIRECT_MS = 500

/** The one place that answers an ended session, whatever found it out: after a moment, /auth. Stands beside every page. */
export function useEndedSession(): void {
  const hasEnded = useHasEnded()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  useEffect(() => {
    if (!hasEnded) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const goTo = () => {
      queries.setQueryData(accountsApi.getCurrentUser.key, null)
      navigate('/auth')
    }
    void toastShown().then(() => {
      if (!isOver) timer = setTimeout(goTo, REDIRECT_MS)
    })
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [hasEnded, navigate, queries])
  // Not when leaving begins: the page that is left behind would find the session gone once more, and say it its own way.
  useEffect(() => {
    if (hasEnded && pathname === '/auth') forgetEnd()
  }, [pathname, hasEnded])
}

/** Nothing of what was typed, chosen or begun stays in this browser. */
export function forgetVisit(): void {
  sessionStorage.clear()
  localStorage.clear()
}

/** A browser navigation, not a page: the server ends the session and leads home. What was typed and kept here goes too. */
export function LogoutLink({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <a href="/api/logout" className={className} onClick={forgetVisit}>
      {children}
    </a>
  )
}
