import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sentenceOf } from '../foundation/call.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { Spinner } from './spinner.tsx'

/** What was read, or why it is not there yet: waiting, failed with a way to try again, empty. */
export function QueryView<Data>({
  query,
  failed,
  empty,
  loading = 'Loading...',
  children,
}: {
  query: UseQueryResult<Data>
  failed: string
  /** Said instead of an empty list. */
  empty?: string
  loading?: string
  children: (data: Data) => ReactNode
}) {
  if (query.isPending) return <Spinner label={loading} visible />
  if (query.isError) {
    return (
      <EmptyState title={sentenceOf(query.error, failed)}>
        <Button variant="secondary" onClick={() => query.refetch()}>
          Try again
        </Button>
      </EmptyState>
    )
  }
  if (empty && Array.isArray(query.data) && query.data.length === 0) return <EmptyState title={empty} />
  return children(query.data)
}
