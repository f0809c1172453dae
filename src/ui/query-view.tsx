import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorMessage } from '#foundation/call.ts'
import { Button } from './button.tsx'
import { Mark } from './mark.tsx'
import { Spinner } from './spinner.tsx'

export function QueryView<Data>({
  query,
  failed,
  empty,
  loading = 'Loading...',
  children,
}: {
  query: UseQueryResult<Data>
  failed: string
  empty?: string
  loading?: string
  children: (data: Data) => ReactNode
}) {
  if (query.isPending) return <Spinner label={loading} visible />
  if (query.isError) {
    return <ReadFailed title={failed} error={query.error} onAgain={query.refetch} />
  }
  if (empty && Array.isArray(query.data) && query.data.length === 0) return <EmptyState title={empty} />
  return children(query.data)
}

/** A failed query: what could not be loaded, the reason, and a retry. `page`: it is all there is on the page. */
export function ReadFailed({
  title,
  error,
  page = false,
  onAgain,
}: {
  title: string
  error?: unknown
  page?: boolean
  onAgain: () => void
}) {
  const reason = errorMessage(error, '')
  return (
    <EmptyState title={title} page={page}>
      {reason && <p className="text-ink-soft">{reason}</p>}
      <Button variant="secondary" onClick={() => onAgain()}>
        Try again
      </Button>
    </EmptyState>
  )
}

/** An empty state with at most one action. `page`: its title is the page's heading. */
export function EmptyState({ title, page = false, children }: { title: string; page?: boolean; children?: ReactNode }) {
  const Title = page ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <Mark size={48} className="text-line-strong" />
      <Title className="title">{title}</Title>
      {children}
    </div>
  )
}
