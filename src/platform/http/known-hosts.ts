import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { commonRefusals, refuse } from '#foundation/refusal.ts'

/** Says of a request's `Host` whether it is a name of this site. */
export type KnowsHost = (host: string | undefined) => boolean

/**
 * The site's own names, whatever the port. IP addresses and `localhost` are always known: another site's page cannot come
 * under them, while it can let a name of its own point to this machine (DNS rebinding).
 *
 * @param names without scheme and port; `any`: nobody is asked
 */
export function knownHosts(names: readonly string[] | 'any'): KnowsHost {
  if (names === 'any') return () => true
  const own = new Set(names.map((name) => name.toLowerCase()))
  // Nearly every request names the same few.
  let last: string | undefined
  return (host) => {
    if (host === undefined) return false
    if (host === last) return true
    const address = `http://${host}`
    // Nothing but a name and a port: no path, no user.
    if (/[^\w.:[\]-]/.test(host) || !URL.canParse(address)) return false
    const { hostname } = new URL(address)
    if (!own.has(hostname) && !isOfThisMachine(hostname)) return false
    last = host
    return true
  }
}

const isOfThisMachine = (name: string) =>
  isIP(name.replace(/^\[|\]$/g, '')) > 0 || name === 'localhost' || name.endsWith('.localhost')

/**
 * Refuses requests for a name that is not the site's, but for those of routes that are asked from inside (`anyHost`).
 * Behind a trusted proxy the name is the one that it forwards.
 */
export function refuseUnknownHosts(app: FastifyInstance, knows: KnowsHost): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.anyHost && !knows(request.host)) {
      request.log.warn(
        { host: request.host },
        'refused: this name is not in APP_URL nor ALLOWED_HOSTS, or a proxy does not pass it on as Host',
      )
      refuse(commonRefusals.unknown_host)
    }
    done()
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered whatever name was asked for. */
    anyHost?: boolean
  }
}
