import '@fastify/cookie' // request.cookies
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * A cookie that carries our signature and that no script can read. Over HTTPS its name binds it to this very host
 * (`__Host-`), which browsers accept there only.
 *
 * @param https the site is served over HTTPS, whatever a request says
 */
export function signedCookie({ name, https }: { name: string; https: boolean }) {
  const isSecure = (request: FastifyRequest) => https || request.protocol === 'https'
  const nameFor = (request: FastifyRequest) => (isSecure(request) ? `__Host-${name}` : name)
  const attributesFor = (request: FastifyRequest) =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }) as const
  return {
    attributesFor,
    /** What it holds; undefined: there is none, or its signature is not ours. */
    valueOf(request: FastifyRequest): string | undefined {
      const cookie = request.cookies[nameFor(request)]
      if (!cookie) return undefined
      const { valid, value } = request.unsignCookie(cookie)
      return valid ? value : undefined
    },
    set(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
      reply.setCookie(nameFor(request), value, { ...attributesFor(request), maxAge: seconds, signed: true })
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      reply.clearCookie(nameFor(request), attributesFor(request))
    },
  }
}
