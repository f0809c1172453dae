import { lazy, Suspense } from 'react'
import { Only } from '../../../accounts/web/members-only.tsx'
import { privateMeta } from '../../../content/seo.ts'
import { temporalReady } from '../../../foundation/temporal.ts'
import { PageSpinner } from '../../../ui/spinner.tsx'
import { DENIED } from '../denied.ts'

export const meta = () => privateMeta('Messages')

/** Instants are shown as dates: Temporal first. */
export async function clientLoader() {
  await temporalReady()
  return null
}

export function HydrateFallback() {
  return <PageSpinner />
}

/** Its code comes with the page: what a route imports stands in the list of all routes, which every visitor loads. */
const MessagesPage = lazy(() => import('./messages-page.tsx'))

/** What the studio writes to many at once. */
export default function Messages() {
  return (
    <Only may={(user) => user.isAdmin} otherwise={DENIED}>
      {() => (
        <Suspense fallback={<PageSpinner />}>
          <MessagesPage />
        </Suspense>
      )}
    </Only>
  )
}
