import { type ReactNode, use } from 'react'
import { Links, type LoaderFunctionArgs, Meta, Outlet } from 'react-router'
import { MARK_SIGNED_IN } from './accounts/session-hint.ts'
import type { Site } from './content/site.ts'
import { FactsHere, FirstData } from './pages/shell/first-data.tsx'
import { Frame, PageScripts } from './pages/shell/page-scripts.tsx'
import { Shell } from './pages/shell/shell.tsx'
import { Trouble } from './pages/shell/trouble.tsx'
import { visitContext } from './pages/shell/visit.ts'
import { developmentVisits } from './pages/shell/visits.server.ts'
import { studio } from './studio.ts'
import sans from './ui/fonts/figtree.woff2?url'
import serif from './ui/fonts/instrument-serif.woff2?url'
import { PageSpinner } from './ui/spinner.tsx'
import theme from './ui/theme.css?url'

const font = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href }) as const

export const links = () => [
  font(serif),
  font(sans),
  // Otherwise it stands in the page itself.
  ...(import.meta.env.DEV ? [{ rel: 'stylesheet', href: theme }] : []),
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/icon-32.png', type: 'image/png', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

/** What every page is told of the site. */
export const loader = ({ context }: LoaderFunctionArgs): Site => {
  const { origin, facts } = context.get(visitContext)
  return { origin, facts }
}
/** It came with the document. */
export const shouldRevalidate = () => false

/** In development Vite draws the pages, without the server's rendering around them. */
export const middleware = import.meta.env.DEV ? [developmentVisits] : []

/** Until the page itself has come with its own. */
export const meta = () => [{ title: studio.name }]

/** The document around everything, errors included. */
export function Layout({ children }: { children: ReactNode }) {
  const { css, scripts, nonce } = use(Frame)
  return (
    // The script below adds a class.
    <html lang="en-GB" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#FBF8F3" />
        <Meta />
        <Links />
        {css && <style id="theme">{css}</style>}
        {css && scripts === 'later' && <WholeSheet />}
        {import.meta.env.SSR && <script nonce={nonce}>{MARK_SIGNED_IN}</script>}
      </head>
      <body>
        <FirstData>
          <FactsHere>
            <Shell>{children}</Shell>
          </FactsHere>
        </FirstData>
        <PageScripts />
      </body>
    </html>
  )
}

/** What of the style sheet is not in the page: before its scripts begin, and at once where there are none. */
const WholeSheet = () => (
  <>
    <link rel="later" as="style" href={theme} />
    <noscript>
      <link rel="stylesheet" href={theme} />
    </noscript>
  </>
)

export default function Root() {
  return <Outlet />
}

/** In place of a page that the browser still has to draw. */
export function HydrateFallback() {
  return <PageSpinner />
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <Trouble error={error} />
}
