import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { toastShown } from '#ui/toaster.tsx'
import { accountsApi } from './api.ts'
import { forgetEnd, useHasEnded } from './end-session.ts'

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
