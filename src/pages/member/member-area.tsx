import { lazy } from 'react'
import { Outlet } from 'react-router'
import { EmailLink, PhoneLink } from '#content/web/facts.tsx'
import { temporalReady } from '#foundation/temporal.ts'
import { BrowserOnly, usePreload } from '#ui/late.tsx'
import { loadToasts } from '#ui/toaster.tsx'

const OnThisDevice = lazy(() => import('./on-this-device.tsx'))

declare global {
  interface Window {
    /** Chromium's install prompt, kept until it is shown. */
    installPrompt?: Event & { prompt(): Promise<unknown> }
  }
}

if (!import.meta.env.SSR) {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    window.installPrompt = event as Window['installPrompt']
  })
}

/** These pages are server-rendered too. */
export const loader = () => null

/** Member pages need Temporal before they render. */
export async function clientLoader() {
  await temporalReady()
  return null
}

export default function MemberArea() {
  usePreload(loadToasts)
  return (
    <>
      <WithoutScript />
      <div className="workroom">
        <BrowserOnly>
          <OnThisDevice />
        </BrowserOnly>
        <Outlet />
      </div>
    </>
  )
}

function WithoutScript() {
  return (
    <noscript>
      <div className="wrap max-w-[1200px] pt-8">
        <p className="card max-w-[44em] p-5">
          JavaScript is switched off in your browser. Switch it on to book, move, cancel or pay here. Or ring{' '}
          <PhoneLink /> or write to <EmailLink />, and we will do it for you.
        </p>
      </div>
    </noscript>
  )
}
