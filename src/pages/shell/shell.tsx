import type { ReactNode } from 'react'
import { useNavigation } from 'react-router'
import { AccountRequired } from '#accounts/web/book-now.tsx'
import { useEndedSession } from '#accounts/web/end-session.tsx'
import { Toaster } from '#ui/toaster.tsx'
import { useEarlyClick } from './early-click.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Notice } from './notice.tsx'
import { useOfflineLinks } from './offline-links.ts'
import { useRouteChange } from './route-change.ts'

/** What surrounds every page. */
export function Shell({ children }: { children: ReactNode }) {
  const { state } = useNavigation()
  useRouteChange()
  useEndedSession()
  useEarlyClick()
  useOfflineLinks()
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-[80] -translate-y-24 rounded-full bg-sage-dark px-5 py-3 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      {state === 'loading' && <div aria-hidden className="progress" />}
      <Header />
      <Notice />
      <main id="content" tabIndex={-1} className="min-h-dvh flex-1 outline-none">
        {children}
      </main>
      <Footer />
      <AccountRequired />
      <Toaster />
    </>
  )
}
