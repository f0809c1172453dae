import { lazy, type ReactNode, Suspense, use } from 'react'
import { isRouteErrorResponse, Links, type LoaderFunctionArgs, Meta, Outlet } from 'react-router'
import { MARK_SIGNED_IN } from './accounts/session-rules.ts'
import { type MetaArguments, type Site, siteOf } from './content/site.ts'
import earlyClicks from './pages/shell/early-clicks.ts?script'
import { Frame, PageScripts } from './pages/shell/page-scripts.tsx'
import { QueriesProvider, StudioFactsProvider } from './pages/shell/queries.tsx'
import { Shell } from './pages/shell/shell.tsx'
import { visitContext } from './pages/shell/visit.ts'
import { developmentVisits } from './pages/shell/visits.server.ts'
import { Button, ButtonLink } from './ui/button.tsx'
import sans from './ui/fonts/figtree.woff2?url'
import serif from './ui/fonts/instrument-serif.woff2?url'
import { Mark } from './ui/mark.tsx'
import { PageSpinner } from './ui/spinner.tsx'
import theme from './ui/theme.css?url'

/** Runs before the first paint: until React has read the link of an invitation, the login form is hidden. */
const MARK_INVITED = `/^#invitation=/.test(location.hash)&&document.documentElement.classList.add('invited')`

const font = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href }) as const

export const links = () => [
  // Production pages have it inline.
  ...(import.meta.env.DEV ? [{ rel: 'stylesheet', href: theme }] : []),
  font(serif),
  font(sans),
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/icon-32.png', type: 'image/png', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

/** The site's data for every page. */
export const loader = ({ context }: LoaderFunctionArgs): Site => {
  const { origin, facts } = context.get(visitContext)
  return { origin, facts }
}
/** The document has it already. */
export const shouldRevalidate = () => false

/** In development Vite renders the pages, so `visitContext` is set here. */
export const middleware = import.meta.env.DEV ? [developmentVisits] : []

/** Until the page's own is there. */
export const meta = (args: MetaArguments) => [{ title: siteOf(args)?.facts.name }]

/** The document around everything, errors included. */
export function Layout({ children }: { children: ReactNode }) {
  const { css, nonce, isScriptsOnly } = use(Frame)
  if (isScriptsOnly) return <PageScripts />
  return (
    // The script below may add a class.
    <html lang="en-GB" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#FBF8F3" />
        <Meta />
        <Links />
        {css && <style>{css}</style>}
        {import.meta.env.SSR && <script nonce={nonce}>{`${MARK_SIGNED_IN};${MARK_INVITED};${earlyClicks}`}</script>}
      </head>
      <body>
        <QueriesProvider>
          <StudioFactsProvider>
            <Shell>{children}</Shell>
          </StudioFactsProvider>
        </QueriesProvider>
        <PageScripts />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

/** Shown until the browser has rendered the page. */
export function HydrateFallback() {
  return <PageSpinner />
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorPage error={error} />
}

const NotFound = lazy(() => import('./pages/shell/not-found.tsx').then((page) => ({ default: page.NotFound })))

/** The error page, inside the site's frame. */
function ErrorPage({ error }: { error: unknown }) {
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
