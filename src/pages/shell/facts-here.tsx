import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { Site } from '#content/site.ts'
import { Facts } from '#content/web/facts.tsx'
import { factsApi } from '#facts/web/api.ts'

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
