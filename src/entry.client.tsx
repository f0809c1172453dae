import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { temporalReady } from './foundation/temporal.ts'
import { BEHIND_LOGIN } from './site-map.ts'
import { whenIdle } from './ui/late.tsx'

// The content security policy forbids the `new Function` that Zod would try. Zod's `config` sets the same object, but
// importing it here would add Zod to every page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const hydrate = () =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    )
  })

// Members' pages compare instants while they render.
if (BEHIND_LOGIN.some((path) => path === location.pathname)) void temporalReady().then(hydrate)
else hydrate()

// Automated browsers are not counted.
if (!navigator.webdriver) {
  whenIdle(() => void import('#insights/web/report-vitals.ts').then((vitals) => vitals.reportVitals(location.pathname)))
}
