import { type ReactNode, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/query-view.tsx'
import { PageSpinner } from '#ui/spinner.tsx'
import { toast } from '#ui/toast.ts'
import type { CurrentUser } from '../contract.ts'
import { endSession, LOGGED_OUT, REDIRECT_MS, RedirectAfterToast, useIsSessionOver } from './end-session.tsx'
import { useSession } from './session.ts'

type Refusal = { title: string; description: string; to?: string; afterMs?: number }

/** Shows its children to permitted users, a spinner while the user is unknown, and others another page with a toast. */
export function RequireUser({
  may,
  refusal,
  children,
}: {
  may: (user: CurrentUser) => boolean
  refusal: Refusal
  children: (user: CurrentUser) => ReactNode
}) {
  const { user, isLoading, isUnreachable, retry } = useSession()
  const navigate = useNavigate()
  const isLeaving = useIsSessionOver()
  // While /auth is opening the page stays as it is, or an open dialog would go back in the history.
  const last = useRef<CurrentUser | undefined>(undefined)
  if (user) last.current = user
  const isKnown = !isLoading && !isUnreachable
  // A user who had access was logged out; `refusal` is for everyone else.
  const hasEnded = isKnown && !user && last.current !== undefined
  const refused = isKnown && !hasEnded && !isLeaving && !(user && may(user))
  const { title, description, to = '/auth', afterMs = REDIRECT_MS } = refusal

  useEffect(() => {
    if (hasEnded) endSession()
  }, [hasEnded])
  useEffect(() => {
    if (refused) toast({ title, description, tone: 'error' })
  }, [refused, title, description])

  if (isUnreachable) {
    return (
      <div className="grid min-h-[70vh] place-items-center">
        <EmptyState page title="The studio could not be reached">
          <p className="text-ink-soft">Please check your connection and try again.</p>
          <Button variant="secondary" onClick={() => retry()}>
            Try again
          </Button>
        </EmptyState>
      </div>
    )
  }
  const shown = user ?? (isLeaving || hasEnded ? last.current : undefined)
  if (shown && may(shown)) return children(shown)
  return (
    <>
      <PageSpinner />
      {refused && <RedirectAfterToast to={to} afterMs={afterMs} onTime={() => navigate(to, { replace: true })} />}
    </>
  )
}

export function MembersOnly({
  refusal = LOGGED_OUT,
  children,
}: {
  refusal?: Refusal
  children: (user: CurrentUser) => ReactNode
}) {
  return (
    <RequireUser may={anyone} refusal={refusal}>
      {children}
    </RequireUser>
  )
}

const anyone = () => true
