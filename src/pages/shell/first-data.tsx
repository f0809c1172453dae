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
import { type ReactNode, useState } from 'react'
import { type LoaderFunctionArgs, useMatches, useRouteLoaderData } from 'react-router'
import { accountsApi } from '#accounts/web/api.ts'
import { readSession } from '#accounts/web/session.ts'
import type { Site } from '#content/site.ts'
import { Facts } from '#content/web/facts.tsx'
import { factsApi } from '#facts/web/api.ts'
import { CallError } from '#foundation/call.ts'
import { useIsLive } from '#ui/use-is-live.ts'
import { RenderedAt } from '#ui/use-now.ts'
import { visitContext } from './visit.ts'

/** The data that a page's loader read on the server. */
type PageData = {
  queries: DehydratedState
  /** When, in milliseconds since 1970. Absent on pages that are kept, which carry no time. */
  renderedAt?: number
}

/**
 * Reads what a page shows first, for its `loader`. The browser shows it at once and fetches it once more after hydration.
 *
 * @param begin starts the page's own queries
 */
export async function readFirst(begin: (queries: QueryClient) => Promise<unknown>): Promise<PageData> {
  const queries = makeQueries()
  await begin(queries)
  return { queries: withoutTimes(dehydrate(queries)) }
}

/** The same data must make the same page, so a page does not say when its data was read. Each query counts as out of date. */
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
 * The same for a page behind the login. What cannot be read in time is left to the browser, as is everything when
 * nobody is signed in.
 *
 * @param read begins the page's own queries; `now` is the studio's
 */
export async function readForMember(
  { context }: LoaderFunctionArgs,
  read: (queries: QueryClient, now: Temporal.Instant) => Promise<unknown>[],
): Promise<PageData | null> {
  const { now } = context.get(visitContext)
  let isMember = false
  const data = await readFirst(async (queries) => {
    const reads = Promise.all(read(queries, Temporal.Instant.fromEpochMilliseconds(now)))
    isMember = (await readSession(queries).catch(() => null)) !== null
    await reads
  })
  return isMember ? { ...data, renderedAt: now } : null
}

/** The data that a page's loader read for one of its queries; undefined after client-side navigation. */
export function dataIn<Data>(
  loaderData: unknown,
  { queryKey }: { queryKey: QueryKey & { [dataTagSymbol]?: Data } },
): Data | undefined {
  if (!isPageData(loaderData)) return undefined
  const hash = hashKey(queryKey)
  return loaderData.queries.queries.find(({ queryHash }) => queryHash === hash)?.state.data as Data | undefined
}

/** The tab's queries, hydrated with the data that came with the page, for everything inside. */
export function FirstData({ children }: { children: ReactNode }) {
  const matches = useMatches()
  const isLive = useIsLive()
  const [queries] = useState(queriesHere)
  const data = matches.map(({ loaderData }) => loaderData).find(isPageData)
  return (
    <RenderedAt value={isLive ? undefined : data?.renderedAt}>
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
 * Reading as specified (section 7): nothing is retried, nothing goes stale by itself, nothing is read again on
 * focus. A mutation names what it made stale. Offline, calls fail at once instead of waiting silently. A read that is
 * answered with 401 means that nobody is signed in any more: member pages see that and lead to /auth.
 */
function makeQueries(): QueryClient {
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
function queriesHere(): QueryClient {
  if (import.meta.env.SSR) return makeQueries()
  ofThisTab ??= makeQueries()
  return ofThisTab
}

/** A tab may stay open for days: whoever comes back to it after so long is told what is true now. Ours. */
const OLD_MS = 10 * 60_000

/** What the studio says of itself, as the page came with it, for everything inside. */
export function FactsHere({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<Site>('root')
  const { data } = useQuery({
    ...factsApi.readStudio.queryOptions(),
    initialData: site?.facts,
    enabled: site !== undefined,
    staleTime: OLD_MS,
    refetchOnWindowFocus: true,
  })
  return <Facts value={data ?? null}>{children}</Facts>
}
