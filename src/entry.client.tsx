import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { temporalReady } from './foundation/temporal.ts'
import { BEHIND_LOGIN } from './site-map.ts'

// Zod compiles schemas with `new Function` when it may. The content security policy says it may not: do not even ask.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const takeOver = () =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    )
  })

// What the server drew for a member compares instants. No `await` here: the bundler would split this file's imports.
if (BEHIND_LOGIN.some((path) => path === location.pathname)) void temporalReady().then(takeOver)
else takeOver()
