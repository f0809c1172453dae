import { lazy, Suspense } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Mark } from '#ui/mark.tsx'

const NotFound = lazy(() => import('./not-found.tsx').then((page) => ({ default: page.NotFound })))

/** The error page, inside the site's frame. */
export function Trouble({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <Suspense>
        <NotFound />
      </Suspense>
    )
  }
  return (
    <div className="wrap flex flex-col items-center py-section text-center">
      <title>Something went wrong</title>
      <Mark size={56} className="text-line-strong" />
      <h1 className="display-2 mt-6">Something went wrong</h1>
      <p className="lede mt-4 max-w-[25.5em]">
        This page could not be shown. Nothing you have bought or booked is affected.
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <Button onClick={() => location.reload()}>Try again</Button>
        <ButtonLink to="/" variant="secondary" reloadDocument>
          Back to Home
        </ButtonLink>
      </div>
    </div>
  )
}
