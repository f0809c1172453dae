import { hashKey, type QueryClient, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiClient } from '#foundation/api-client.ts'
import { emptyIfRefused } from '#foundation/call.ts'
import { BEHIND_LOGIN } from '#site-map.ts'
import { keptAfterWrites } from '#ui/refetch-shown.ts'
import type * as contract from '../contract.ts'
import type { CurrentUser } from '../contract.ts'
import { SESSION_SECONDS, SIGNED_IN, signedInCookie } from '../session-rules.ts'

/** Every page needs this one endpoint. */
export const sessionApi = apiClient<Pick<typeof contract, 'getCurrentUser'>>('accounts', {
  getCurrentUser: 'GET /api/auth/user',
})

/** Agreed with the studio. */
const FRESH_MS = 5 * 60_000

/** The signed-in user, or null if the response is not a success. Only an unreachable server is an error. */
const currentUser = (): Promise<CurrentUser | null> => emptyIfRefused(sessionApi.getCurrentUser.call(), () => true)

/** If another tab logged in as another user, the previous user's data must not stay. */
async function currentUserOf(queries: QueryClient): Promise<CurrentUser | null> {
  const before = queries.getQueryData<CurrentUser | null>(sessionApi.getCurrentUser.key)
  if (before === undefined && isVisitor()) return null
  const user = await currentUser()
  correctHint(user !== null)
  if (before && user && before.id !== user.id) void queries.resetQueries({ predicate: isNotSession })
  if (before && !user) queries.removeQueries({ predicate: isNotSession, type: 'inactive' })
  return user
}

/** For the server, which has no cookie hint to go by. */
export function readSession(queries: QueryClient): Promise<CurrentUser | null> {
  return queries.fetchQuery({ queryKey: sessionApi.getCurrentUser.key, queryFn: currentUser })
}

export const isNotSession = (query: { queryKey: readonly unknown[] }) =>
  hashKey(query.queryKey) !== hashKey(sessionApi.getCurrentUser.key)

/** On a public page without a session hint: don't fetch the user. Focusing the tab does. */
function isVisitor(): boolean {
  return !hasHint() && !BEHIND_LOGIN.some((path) => path === location.pathname)
}

/** Whether there seems to be a session. Only a hint. */
function hasHint(): boolean {
  return typeof document !== 'undefined' && document.cookie.split('; ').includes(hint())
}
const hint = () => `${signedInCookie(location.protocol === 'https:')}=yes`

/** Another tab may have started or ended the session. */
export function correctHint(isSignedIn: boolean): void {
  if (isSignedIn === hasHint()) return
  localStorage.removeItem(SIGNED_IN)
  const age = isSignedIn ? SESSION_SECONDS : 0
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${hint()}; path=/; max-age=${age}; samesite=lax${secure}`
}

/** The signed-in user. While `isLoading`, show neither a guest's nor a member's content. */
export function useSession() {
  const queries = useQueryClient()
  const { data, isPending, isError } = useQuery({
    queryKey: sessionApi.getCurrentUser.key,
    queryFn: ({ client }) => currentUserOf(client),
    staleTime: FRESH_MS,
    ...keptAfterWrites,
    // Another tab may have logged out.
    refetchOnWindowFocus: 'always',
    refetchOnMount: true,
  })
  return {
    user: data ?? undefined,
    isAuthenticated: Boolean(data),
    isLoading: isPending,
    /** Whether to fetch a member's own data: there is a user, or probably one. */
    isProbablySignedIn: Boolean(data) || (isPending && hasHint()),
    isUnreachable: isError && data === undefined,
    retry: () => queries.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' }),
  }
}

/** A query of a member's own data. It does not wait for the session. */
export function useMemberQuery<Data>(options: Omit<UseQueryOptions<Data>, 'enabled'> & { enabled?: boolean }) {
  const { isProbablySignedIn } = useSession()
  return useQuery({ ...options, enabled: isProbablySignedIn && options.enabled !== false })
}

/** Whether the visitor is known to be signed out; false while the session loads. */
export function useIsGuest(): boolean {
  const { isAuthenticated, isLoading, isUnreachable } = useSession()
  return !isAuthenticated && !isLoading && !isUnreachable
}
