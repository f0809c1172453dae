import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { keptAfterWrites, refetchShown } from './refetch-shown.ts'

test('refetches what is shown, once, and marks the rest stale', async () => {
  const queries = new QueryClient()
  const reads: string[] = []
  const query = (name: string, more = {}) => ({
    queryKey: [name],
    queryFn: async () => {
      reads.push(name)
      return name
    },
    staleTime: Number.POSITIVE_INFINITY,
    ...more,
  })
  const shown = ['bookings', 'passes'].map((name) => new QueryObserver(queries, query(name)))
  const payment = new QueryObserver(queries, query('payment', keptAfterWrites))
  const off = [...shown, payment].map((observer) => observer.subscribe(() => {}))
  await queries.fetchQuery(query('another page'))
  reads.splice(0)

  await refetchShown(queries)
  expect(reads.toSorted()).toEqual(['bookings', 'passes'])
  const isStale = (name: string) => queries.getQueryState([name])?.isInvalidated
  expect(['bookings', 'payment', 'another page'].map(isStale)).toEqual([false, true, true])
  for (const unsubscribe of off) unsubscribe()
})
