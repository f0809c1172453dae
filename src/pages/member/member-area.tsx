import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { temporalReady } from '#foundation/temporal.ts'
import { useSoon } from '#ui/late.tsx'
import { loadToasts } from '#ui/toaster.tsx'
import { useIsLive } from '#ui/use-is-live.ts'
import { WithoutScript } from '../shell/without-script.tsx'

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
