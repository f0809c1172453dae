import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareFunction } from 'react-router'
import { setTransport } from '#foundation/call.ts'
import { type Visit, visitContext } from './visit.ts'

const visits = new AsyncLocalStorage<Visit>()

// The same queries as in the browser are read on the server: over the same endpoints, as whoever visits.
setTransport((path) => {
  const visit = visits.getStore()
  if (!visit) throw new Error(`${path} was asked for outside a visit`)
  return visit.ask(path)
})

/** Calls of `draw`, and of everything it begins, are made as whoever visits. */
export function during<T>(visit: Visit, draw: () => T): T {
  return visits.run(visit, draw)
}

/** In development Vite has the pages drawn, and asks the server beside it. */
export const developmentVisits: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { API_ORIGIN, APP_URL } = process.env
  const cookie = request.headers.get('cookie')
  const ask = (path: string) => fetch(`${API_ORIGIN}${path}`, { headers: cookie ? { cookie } : {} })
  const visit: Visit = {
    origin: APP_URL ?? new URL(request.url).origin,
    now: Date.now(),
    facts: await (await ask('/api/studio')).json(),
    ask,
    onError: console.error,
    scripts: 'soon',
  }
  context.set(visitContext, visit)
  return during(visit, next)
}
