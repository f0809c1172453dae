import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { commonRefusals, refuse } from '#foundation/refusal.ts'

/** What proxies say of whom they ask for. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const
/** Asked by whoever looks after the process, through whatever stands in front of it. */
const ASKED_BY_WATCHERS = ['/healthz', '/readyz', '/metrics']

const isForwarded = (headers: IncomingHttpHeaders) => FORWARDED.some((name) => headers[name] !== undefined)

/**
 * Refuses what a proxy forwards, where nothing says which proxies are believed: all visitors would share the proxy's
 * address, and with it one limit on signing in; and cookies would not be bound to HTTPS.
 */
export function refuseForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isForwarded(request.headers) && !ASKED_BY_WATCHERS.includes(request.routeOptions.url ?? '')) {
      request.log.error(
        'refused: a proxy forwards requests, and TRUST_PROXY does not say whether it is believed. Set it to the address of the proxy, or to off where there is none (docs/operations.md)',
      )
      refuse(commonRefusals.unknown_proxy)
    }
    done()
  })
}

/** Leaves to the application, which refuses it, what is forwarded; `kept` answers all else. */
export function unlessForwarded(kept: RequestListener, application: RequestListener): RequestListener {
  return (request, response) => (isForwarded(request.headers) ? application : kept)(request, response)
}
