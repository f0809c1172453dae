/** The bank's page over HTTP. It asks for no key: the client secret in its address (and then in its form) is enough. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Call, equal } from './call.ts'
import { emptyForm } from './form-encoding.ts'
import { answeredPage, pageHeaders, questionPage, unknownPage, wayBack } from './page.ts'
import { Parameters } from './parameters.ts'
import { authenticateOnPage } from './payment-intents.ts'
import { formOf, idOf, newRequestId } from './requests.ts'
import type { RouteOptions } from './routes.ts'
import { findIntent, inTransaction, type StoredIntent } from './store.ts'

export function addPage(app: FastifyInstance, options: RouteOptions): void {
  const show = (reply: FastifyReply, status: number, html: string, stored?: StoredIntent) =>
    reply
      .code(status)
      .headers(pageHeaders(stored?.returnUrl ?? null))
      .send(html)

  app.get('/3d-secure/:id', { logLevel: 'silent' }, async (request, reply) => {
    const given = new Parameters(formOf(request)).text('client_secret') ?? ''
    const stored = await inTransaction(options.pool, (tx) => findIntent(tx, idOf(request)))
    if (!stored || !equal(given, stored.intent.client_secret ?? '')) return show(reply, 404, unknownPage())
    const { intent, returnUrl } = stored
    if (intent.status !== 'requires_action')
      return show(reply, 200, answeredPage(intent, wayBack(intent, returnUrl)), stored)
    return show(reply, 200, questionPage(intent, `${app.prefix}/3d-secure/${intent.id}`), stored)
  })

  app.post('/3d-secure/:id', { logLevel: 'silent' }, async (request, reply) => {
    const params = new Parameters(formOf(request))
    const outcome = params.choice('outcome', ['succeeded', 'failed']) ?? 'failed'
    const call: Call = {
      caller: 'browser',
      params: new Parameters(emptyForm()),
      id: idOf(request),
      now: options.now(),
      requestId: newRequestId(),
      idempotencyKey: null,
      baseUrl: '',
    }
    const secret = params.text('client_secret') ?? ''
    const stored = await inTransaction(options.pool, (tx) => authenticateOnPage(tx, call, secret, outcome))
    if (!stored) return show(reply, 404, unknownPage())
    options.onChange()
    const back = wayBack(stored.intent, stored.returnUrl)
    if (back === null) return show(reply, 200, answeredPage(stored.intent, null), stored)
    return reply.headers(pageHeaders(stored.returnUrl)).redirect(back, 303)
  })
}
