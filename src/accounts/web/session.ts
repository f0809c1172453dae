import { hashKey, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { CallError } from '#foundation/call.ts'
import { BEHIND_LOGIN } from '#site-map.ts'
import type { CurrentUser } from '../contract.ts'
import { SESSION_SECONDS, SIGNED_IN, signedInCookie } from '../session-hint.ts'
import { accountsApi } from './api.ts'

/** Five minutes, and again on focus and on mount (specification, section 7). */
const FRESH_MS = 5 * 60_000

/** The signed-in user, or null when the answer is not ok. Only an unreachable server is an error. */
async function currentUser(): Promise<CurrentUser | null> {
  try {
    return await accountsApi.getCurrentUser.call()
  } catch (error) {
    if (error instanceof CallError) return null
    throw error
  }
}

/** Somebody else than before (logged in or out in another tab) must not find what was read for the one before. */
async function currentUserOf(queries: QueryClient): Promise<CurrentUser | null> {
  const before = queries.getQueryData<CurrentUser | null>(accountsApi.getCurrentUser.key)
  if (before === undefined && isVisitor()) return null
  const user = await currentUser()
  correctHint(user !== null)
  if (before && user && before.id !== user.id) void queries.resetQueries({ predicate: isNotSession })
  if (before && !user) queries.removeQueries({ predicate: isNotSession, type: 'inactive' })
  return user
}

/** Reads it on the server, where no cookie says beforehand whether there is one. */
export function readSession(queries: QueryClient): Promise<CurrentUser | null> {
  return queries.fetchQuery({ queryKey: accountsApi.getCurrentUser.key, queryFn: currentUser })
}

/** Of queries: whatever is not the session itself. */
export const isNotSession = (query: { queryKey: readonly unknown[] }) =>
  hashKey(query.queryKey) !== hashKey(accountsApi.getCurrentUser.key)

/**
 * Nothing says that there is a session, and the page is everybody's: nobody is asked, and nothing waits for an answer.
 * Coming back to the tab asks all the same.
 */
function isVisitor(): boolean {
  return !hasHint() && !BEHIND_LOGIN.some((path) => path === location.pathname)
}

/** Whether there seems to be a session: no proof, but a reason to ask for more in the same round. */
function hasHint(): boolean {
  return typeof document !== 'undefined' && document.cookie.split('; ').includes(hint())
}
const hint = () => `${signedInCookie(location.protocol === 'https:')}=yes`

/** A hint that turned out wrong is corrected: a session may have ended elsewhere. */
function correctHint(isSignedIn: boolean): void {
  if (isSignedIn === hasHint()) return
  localStorage.removeItem(SIGNED_IN)
  const age = isSignedIn ? SESSION_SECONDS : 0
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${hint()}; path=/; max-age=${age}; samesite=lax${secure}`
}

/** Who is looking. While `isLoading` nobody knows yet: show neither a guest's nor a member's things. */
export function useSession() {
  const queries = useQueryClient()
  const { data, isPending, isError } = useQuery({
    queryKey: accountsApi.getCurrentUser.key,
    queryFn: ({ client }) => currentUserOf(client),
    staleTime: FRESH_MS,
    // Always: whoever comes back from another tab may have logged out there.
    refetchOnWindowFocus: 'always',
    refetchOnMount: true,
  })
  return {
    user: data ?? undefined,
    isAuthenticated: Boolean(data),
    isLoading: isPending,
    /** Whether to read a member's own things: the member is known, or likely while nobody knows yet. */
    isLikely: Boolean(data) || (isPending && hasHint()),
    /** The server could not be asked. */
    isUnreachable: isError && data === undefined,
    /** Asks again, and for everything else that failed with it. */
    retry: () => queries.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' }),
  }
}

/** Whether it is known that nobody is logged in. */
export function useIsGuest(): boolean {
  const { isAuthenticated, isLoading, isUnreachable } = useSession()
  return !isAuthenticated && !isLoading && !isUnreachable
}
