import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareFunction } from 'react-router'
import { setTransport } from '#foundation/call.ts'
import { type Visit, visitContext } from './visit.ts'

const visits = new AsyncLocalStorage<Visit>()

// Loaders run the browser's queries on the server: through the same endpoints, with the visitor's cookies.
setTransport((path) => {
  const visit = visits.getStore()
  if (!visit) throw new Error(`${path} was requested outside a rendering`)
  return visit.ask(path)
})

/** Runs `render`; API calls inside it, later ones included, belong to `visit`. */
export function during<T>(visit: Visit, render: () => T): T {
  return visits.run(visit, render)
}

/** In development Vite renders the pages and requests data from the API server. */
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
  }
  context.set(visitContext, visit)
  return during(visit, next)
}
