import { QueryClient } from '@tanstack/react-query'

/**
 * Reading as specified (section 7): nothing is retried, nothing goes stale by itself, nothing is read again on
 * focus. A mutation names what it made stale. Offline, calls fail at once instead of waiting silently.
 */
export const queries = new QueryClient({
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
