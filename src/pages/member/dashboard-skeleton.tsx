import { Skeleton } from '../../ui/spinner.tsx'

/** The dashboard's shape while its first data is on the way. */
export function DashboardSkeleton() {
  return (
    <div role="status" className="grid gap-8">
      <span className="sr-only">Loading...</span>
      <Skeleton className="h-14 w-72 max-w-full" />
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {['credits', 'next', 'passes', 'month'].map((figure) => (
          <Skeleton key={figure} className="h-28" />
        ))}
      </div>
      <Skeleton className="h-64" />
    </div>
  )
}
