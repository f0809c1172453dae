import serif from '@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2?url'
import sans from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Links, Meta, Outlet, Scripts } from 'react-router'
import { ORIGIN } from './content/origin.ts'
import { queries } from './pages/shell/queries.ts'
import { Shell } from './pages/shell/shell.tsx'
import { Trouble } from './pages/shell/trouble.tsx'
import { studio } from './studio.ts'
import { PageSpinner } from './ui/spinner.tsx'
import theme from './ui/theme.css?url'

const font = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href }) as const

export const links = () => [
  font(serif),
  font(sans),
  // The build puts it into the pages themselves (scripts/finish-pages.mjs); the script must not ask for it again.
  ...(import.meta.env.SSR ? [{ rel: 'stylesheet', href: theme }] : []),
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/icon-32.png', type: 'image/png', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

/** Until the page itself has come with its own. */
export const meta = () => [{ title: studio.name }]

/** The document around everything, errors included. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB" data-origin={ORIGIN}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#FBF8F3" />
        <Meta />
        <Links />
      </head>
      <body>
        <QueryClientProvider client={queries}>
          <Shell>{children}</Shell>
        </QueryClientProvider>
        <Scripts />
      </body>
    </html>
  )
}

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
