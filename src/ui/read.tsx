import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sentenceOf } from '../foundation/call.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { Spinner } from './spinner.tsx'

/** What was read, or why it is not there yet: waiting, failed with a way to try again, empty. */
export function Read<Data>({
  of,
  failed,
  empty,
  loading = 'Loading...',
  children,
}: {
  of: UseQueryResult<Data>
  failed: string
  /** Said instead of an empty list. */
  empty?: string
  loading?: string
  children: (data: Data) => ReactNode
}) {
  if (of.isPending) return <Spinner label={loading} visible />
  if (of.isError) {
    return (
      <EmptyState title={sentenceOf(of.error, failed)}>
        <Button look="secondary" onClick={() => of.refetch()}>
          Try again
        </Button>
      </EmptyState>
    )
  }
  if (empty && Array.isArray(of.data) && of.data.length === 0) return <EmptyState title={empty} />
  return children(of.data)
}
