import { keepPreviousData, type QueryClient } from '@tanstack/react-query'

/**
 * For a query that a write leaves as it is: a payment, a preview of the write itself, a read that is recorded. It is
 * marked stale, and read again when it is shown the next time.
 */
export const keptAfterWrites = { meta: { isKept: true } }

/** For a preview of what is typed: always fetched, and the former one stays until the next one is there. */
export const previewOfTyped = { ...keptAfterWrites, placeholderData: keepPreviousData, staleTime: 0 }

/** After a write: refetches what the page shows, and marks the rest stale. */
export async function refetchShown(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ predicate: ({ meta }) => !meta?.isKept }),
    queries.invalidateQueries({ predicate: ({ meta }) => meta?.isKept === true, refetchType: 'none' }),
  ])
}
