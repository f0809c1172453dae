import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { EmailLink, PhoneLink } from '#content/web/facts.tsx'
import { temporalReady } from '#foundation/temporal.ts'
import { useSoon } from '#ui/late.tsx'
import { loadToasts } from '#ui/toaster.tsx'
import { useIsLive } from '#ui/use-is-live.ts'

const OnThisDevice = lazy(() => import('./on-this-device.tsx'))

declare global {
  interface Window {
    /** The browser's own offer to install the site, in Chromium's browsers: it comes when it likes, and is kept until it suits. */
    installPrompt?: Event & { prompt(): Promise<unknown> }
  }
}

if (!import.meta.env.SSR) {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    window.installPrompt = event as Window['installPrompt']
  })
}

/** The server draws these pages as well. */
export const loader = () => null

/** Member pages compare instants: Temporal is there before they draw. */
export async function clientLoader() {
  await temporalReady()
  return null
}

export default function MemberArea() {
  useSoon(loadToasts)
  return (
    <>
      <WithoutScript />
      <div className="workroom">
        {useIsLive() && (
          <Suspense>
            <OnThisDevice />
          </Suspense>
        )}
        <Outlet />
      </div>
    </>
  )
}

/** For browsers with JavaScript switched off, on pages that show what is there but cannot do anything about it. */
function WithoutScript() {
  return (
    <noscript>
      <div className="wrap max-w-[1200px] pt-8">
        <p className="card max-w-[44em] p-5">
          Your browser has JavaScript switched off. To book, move, cancel or pay here it must be on. Or ring{' '}
          <PhoneLink /> or write to <EmailLink />, and we do it for you.
        </p>
      </div>
    </noscript>
  )
}
