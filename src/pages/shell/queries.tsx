import {
  type DehydratedState,
  type dataTagSymbol,
  dehydrate,
  HydrationBoundary,
  hashKey,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  type QueryKey,
  useQuery,
} from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type LoaderFunctionArgs, useMatches, useRouteLoaderData } from 'react-router'
import { readSession, sessionApi } from '#accounts/web/session.ts'
import type { Site } from '#content/site.ts'
import { Facts } from '#content/web/facts.tsx'
import { factsApi } from '#facts/web/api.ts'
import { CallError } from '#foundation/call.ts'
import { keptAfterWrites } from '#ui/refetch-shown.ts'
import { RenderedAt } from '#ui/use-now.ts'
import { visitContext } from './visit.ts'

/** The queries that a page's loader ran on the server. */
type PageData = {
  queries: DehydratedState
  /** In milliseconds since 1970. Absent on prerendered pages. */
  renderedAt?: number
}

/**
 * Runs a public page's first queries in its `loader`. The browser shows their data immediately and refetches it after
 * hydration, because the page may be an old one.
 *
 * @param fetch starts the queries
 */
export async function loadQueries(fetch: (queries: QueryClient) => Promise<unknown>): Promise<PageData> {
  const queries = makeQueries()
  await fetch(queries)
  return { queries: withoutTimes(dehydrate(queries)) }
}

/** Without times the same data renders the same page, which keeps its version. Each query counts as stale. */
function withoutTimes({ queries, mutations }: DehydratedState): DehydratedState {
  return {
    mutations,
    queries: queries.map((query) => ({
      ...query,
      dehydratedAt: 0,
      state: { ...query.state, dataUpdatedAt: 0, isInvalidated: true },
    })),
  }
}

/**
 * The same for a page behind the login, which no browser stores, so its data is not refetched. Queries that fail or
 * take too long are left to the browser; so are all of them without a session.
 *
 * @param read starts the queries; `now` is the server's clock
 */
export async function loadMemberQueries(
  { context }: LoaderFunctionArgs,
  read: (queries: QueryClient, now: Temporal.Instant) => Promise<unknown>[],
): Promise<PageData | null> {
  const { now } = context.get(visitContext)
  const queries = makeQueries()
  const reads = Promise.all(read(queries, Temporal.Instant.fromEpochMilliseconds(now)))
  const user = await readSession(queries).catch(() => null)
  await reads
  return user ? { queries: dehydrate(queries), renderedAt: now } : null
}

/** The data of one of a loader's queries; undefined after client-side navigation. */
export function loadedData<Data>(
  loaderData: unknown,
  { queryKey }: { queryKey: QueryKey & { [dataTagSymbol]?: Data } },
): Data | undefined {
  if (!isPageData(loaderData)) return undefined
  const hash = hashKey(queryKey)
  return loaderData.queries.queries.find(({ queryHash }) => queryHash === hash)?.state.data as Data | undefined
}

/** Provides the query client, hydrated with the page's data. */
export function QueriesProvider({ children }: { children: ReactNode }) {
  const matches = useMatches()
  const [queries] = useState(currentQueries)
  const data = matches.map(({ loaderData }) => loaderData).find(isPageData)
  const renderedAt = useRef(data?.renderedAt)
  useEffect(() => {
    renderedAt.current = undefined
  }, [])
  return (
    <RenderedAt value={renderedAt}>
      <QueryClientProvider client={queries}>
        <HydrationBoundary state={data?.queries}>{children}</HydrationBoundary>
      </QueryClientProvider>
    </RenderedAt>
  )
}

function isPageData(data: unknown): data is PageData {
  return typeof data === 'object' && data !== null && 'queries' in data
}

/**
 * Queries are never retried, go stale only after a write and are not refetched on focus. Offline
 * they fail at once. After a 401 the session has ended, and member pages lead to /auth.
 */
function makeQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        // Before the session is known, its own query finds out.
        if (error instanceof CallError && error.status === 401 && queries.getQueryData(sessionApi.getCurrentUser.key))
          queries.setQueryData(sessionApi.getCurrentUser.key, null)
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

let tabQueries: QueryClient | undefined

/** One for a tab, but one for each rendering on the server, so that members never share data. */
function currentQueries(): QueryClient {
  if (import.meta.env.SSR) return makeQueries()
  tabQueries ??= makeQueries()
  return tabQueries
}

/** Facts older than this are refetched when a tab gets the focus again. Our choice. */
const STALE_FACTS_MS = 10 * 60_000

/** Provides the studio's facts, at first those that came with the page. */
export function StudioFactsProvider({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<Site>('root')
  const { data } = useQuery({
    ...factsApi.readStudio.queryOptions(),
    initialData: site?.facts,
    enabled: site !== undefined,
    staleTime: STALE_FACTS_MS,
    ...keptAfterWrites,
    refetchOnWindowFocus: true,
  })
  return <Facts value={data ?? null}>{children}</Facts>
}
