import { Skeleton } from '#ui/spinner.tsx'

/** The dashboard's shape below its heading while its first data is on the way. */
export function DashboardSkeleton() {
  return (
    <div role="status" className="mt-5 grid gap-8 sm:mt-8">
      <span className="sr-only">Loading...</span>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:gap-y-4 md:grid-cols-4">
        {['credits', 'next', 'passes', 'month'].map((figure) => (
          <Skeleton key={figure} className="h-14 sm:h-28" />
        ))}
      </div>
      <Skeleton className="h-48 sm:h-64" />
    </div>
  )
}
