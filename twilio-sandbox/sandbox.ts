import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * What happens to a text depends on its number, all in Ofcom's range for drama: `+447700900400` is refused, `…429` is
 * over Twilio's rate, `…500` breaks the answer after the text was taken, `…503` is down, `…303` is accepted and not
 * delivered; every other one is delivered.
 */
const ENDINGS = { 400: 'refused', 429: 'busy', 500: 'broken', 503: 'down', 303: 'undelivered' } as const
const endingOf = (to: string) => ENDINGS[Number(to.replace(/^\+447700900/, '')) as keyof typeof ENDINGS]

type SentText = { sid: string; to: string; from: string; body: string; status: string }
type Options = {
  accountSid: string
  authToken: string
  /** Where to post a receipt, given its address as the site named it; the signature is over that. */
  deliverTo: (url: string) => string
  log: { warn(details: object, message: string): void }
}

/**
 * A stand-in for Twilio's Messages API, as a Fastify plugin: creating a message, reading its price, and signed
 * receipts. It keeps the texts in memory.
 */
export function twilioSandbox(options: Options) {
  const { accountSid, authToken, log } = options
  const sent: SentText[] = []
  const receipts = new Set<Promise<void>>()

  async function plugin(app: FastifyInstance): Promise<void> {
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    const path = `/2010-04-01/Accounts/${accountSid}/Messages`
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
    app.addHook('preHandler', async (request, reply) => {
      if (request.headers.authorization !== expected)
        return reply.code(401).send({ code: 20003, message: 'Authenticate', status: 401 })
    })
    app.post(`${path}.json`, { schema: { hide: true } }, async (request, reply) => {
      const { To: to = '', From: from = '', Body: body = '', StatusCallback: callback = '' } = request.body as Form
      const ending = endingOf(to)
      if (ending === 'busy') return reply.code(429).send({ code: 20429, message: 'Too Many Requests', status: 429 })
      if (ending === 'down') return reply.code(503).send('unavailable')
      if (ending === 'refused')
        return reply.code(400).send({ code: 21211, message: `Invalid 'To' Phone Number: ${to}`, status: 400 })
      const sid = `SM${randomUUID().replaceAll('-', '')}`
      sent.push({ sid, to, from, body, status: 'queued' })
      if (ending === 'broken') return reply.code(500).send('broken')
      const statuses = ending === 'undelivered' ? ['sent', 'undelivered'] : ['sent', 'delivered']
      const posted = postReceipts(sid, callback, statuses).finally(() => receipts.delete(posted))
      receipts.add(posted)
      return reply.code(201).send({ sid, status: 'queued', to, from, body, price: null, price_unit: 'USD' })
    })
    app.get<{ Params: { sid: string } }>(`${path}/:sid.json`, { schema: { hide: true } }, async ({ params }, reply) => {
      const text = sent.find(({ sid }) => sid === params.sid)
      if (!text) return reply.code(404).send({ code: 20404, message: 'not found', status: 404 })
      const isPriced = text.status === 'delivered'
      return { ...text, price: isPriced ? '-0.04120' : null, price_unit: 'GBP' }
    })
    app.addHook('preClose', async () => void (await Promise.all(receipts)))
  }

  async function postReceipts(sid: string, callback: string, statuses: string[]): Promise<void> {
    for (const status of statuses) {
      const text = sent.find((one) => one.sid === sid)
      if (text) text.status = status
      const params = { MessageSid: sid, MessageStatus: status, ...(status === 'undelivered' && { ErrorCode: '30003' }) }
      await fetch(options.deliverTo(callback), {
        method: 'POST',
        headers: { 'x-twilio-signature': signed(authToken, callback, params) },
        body: new URLSearchParams(params),
        signal: AbortSignal.timeout(5000),
      }).catch((err) => log.warn({ err }, 'sandbox: a receipt was not delivered'))
    }
  }

  return Object.assign(plugin, {
    sent: sent as readonly SentText[],
    forget: () => void sent.splice(0),
    /** Resolves when every receipt was posted. */
    settle: async () => void (await Promise.all(receipts)),
  })
}
export type TwilioSandbox = ReturnType<typeof twilioSandbox>

type Form = Partial<Record<'To' | 'From' | 'Body' | 'StatusCallback', string>>

/** As Twilio signs; written twice so that a mistake in the product's own does not cancel out. */
function signed(authToken: string, url: string, params: Record<string, string>): string {
  let text = url
  for (const name of Object.keys(params).sort()) text += name + params[name]
  return createHmac('sha1', authToken).update(text).digest('base64')
}
