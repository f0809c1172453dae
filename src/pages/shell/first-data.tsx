import {
  type dataTagSymbol,
  hashKey,
  type QueryClient,
  QueryClientProvider,
  type QueryKey,
} from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type LoaderFunctionArgs, useMatches } from 'react-router'
import { readSession } from '../../accounts/web/session.ts'
import { RenderedAt } from '../../ui/rendered-at.ts'
import { useIsLive } from '../../ui/use-is-live.ts'
import { makeQueries, queriesHere } from './queries.ts'
import { visitContext } from './visit.ts'

/** What a page's loader read on the server, under the keys of its queries. */
export type PageData = {
  answers: readonly (readonly [key: QueryKey, data: unknown])[]
  /** When, in milliseconds since 1970. Absent on pages that are kept, which say no time. */
  renderedAt?: number
}

/**
 * Reads what a page shows first, for its `loader`. The browser shows it at once, and asks for it again: what is true
 * then is shown when it comes.
 *
 * @param begin begins the page's own queries
 */
export async function readFirst(begin: (queries: QueryClient) => Promise<unknown>): Promise<PageData> {
  const queries = makeQueries()
  await begin(queries)
  const read = queries
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === 'success')
  return { answers: read.map(({ queryKey, state }) => [queryKey, state.data]) }
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

/** What a page's loader has read for one of its queries; undefined where it has not, as in the browser's own loading. */
export function dataIn<Data>(
  loaderData: unknown,
  { queryKey }: { queryKey: QueryKey & { [dataTagSymbol]?: Data } },
): Data | undefined {
  if (!isPageData(loaderData)) return undefined
  const hash = hashKey(queryKey)
  return loaderData.answers.find(([key]) => hashKey(key) === hash)?.[1] as Data | undefined
}

/** The tab's queries, filled with what came with the page, for everything inside. */
export function FirstData({ children }: { children: ReactNode }) {
  const matches = useMatches()
  const isLive = useIsLive()
  const data = matches.flatMap(({ loaderData }) => (isPageData(loaderData) ? [loaderData] : []))
  // Once: what the browser reads later it asks the API for.
  const [queries] = useState(() => {
    const filled = queriesHere()
    for (const [queryKey, answer] of data.flatMap(({ answers }) => answers)) {
      // As old as can be: the same answers make the same page, and each is asked for again.
      filled.setQueryData(queryKey, answer, { updatedAt: 0 })
      void filled.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
    }
    return filled
  })
  return (
    <RenderedAt value={isLive ? undefined : data.find(({ renderedAt }) => renderedAt)?.renderedAt}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </RenderedAt>
  )
}

function isPageData(data: unknown): data is PageData {
  return typeof data === 'object' && data !== null && 'answers' in data
}
