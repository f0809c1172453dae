import { QueryCache, QueryClient } from '@tanstack/react-query'
import { accountsApi } from '#accounts/web/api.ts'
import { CallError } from '#foundation/call.ts'

/**
 * Reading as specified (section 7): nothing is retried, nothing goes stale by itself, nothing is read again on
 * focus. A mutation names what it made stale. Offline, calls fail at once instead of waiting silently. A read that is
 * answered with 401 means that nobody is signed in any more: member pages see that and lead to /auth.
 */
export function makeQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        // While nobody knows who is looking, the session's own answer says it.
        if (error instanceof CallError && error.status === 401 && queries.getQueryData(accountsApi.getCurrentUser.key))
          queries.setQueryData(accountsApi.getCurrentUser.key, null)
      },
    }),
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return queries
}

let ofThisTab: QueryClient | undefined

/** A tab has one; on the server each rendering has its own, so that nobody's answers reach anybody else. */
export function queriesHere(): QueryClient {
  if (import.meta.env.SSR) return makeQueries()
  ofThisTab ??= makeQueries()
  return ofThisTab
}
