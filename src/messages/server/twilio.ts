import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** `refused`: it was not sent and never will be; `busy`: not sent, try again; `lost`: it may have been sent. */
export class TextError extends Error {
  override readonly name = 'TextError'
  readonly kind: 'refused' | 'busy' | 'lost'

  constructor(kind: TextError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

type TextPrice = { cost: string; currency: string }
/** Sends texts. */
export type Texter = {
  /** Returns the provider's id. @throws {TextError} */
  send(text: { to: string; body: string; receiptUrl: string }): Promise<string>
  /** What a text cost; undefined until the provider knows. */
  priceOf(providerId: string): Promise<TextPrice | undefined>
}

const Created = z.object({ sid: z.string() })
const Fault = z.object({ code: z.number().optional(), message: z.string() })
const Message = z.object({ price: z.string().nullable(), price_unit: z.string().nullable() })

/**
 * Twilio's Messages API (https://www.twilio.com/docs/messaging/api/message-resource).
 *
 * @param account.apiUrl without a trailing slash; a function, as the site may serve the stand-in itself
 */
export function twilio(
  account: { accountSid: string; authToken: string; from: string; apiUrl: () => string },
  limitMs: number,
): Texter {
  const { accountSid, authToken, from, apiUrl } = account
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const call = (path: string, body?: URLSearchParams) =>
    fetch(`${apiUrl()}/2010-04-01/Accounts/${accountSid}/Messages${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization },
      ...(body && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    })
  return {
    async send({ to, body, receiptUrl }) {
      const form = new URLSearchParams({ To: to, From: from, Body: body, StatusCallback: receiptUrl })
      const response = await call('.json', form).catch((cause) => {
        throw new TextError('lost', 'the provider did not respond', { cause })
      })
      const received: unknown = await response.json().catch(() => undefined)
      const created = Created.safeParse(received)
      if (response.ok && created.success) return created.data.sid
      const fault = Fault.safeParse(received).data
      // Its message may repeat the number, which belongs in no log.
      const said = fault?.message.replaceAll(to, 'the number')
      const reason = fault ? `${said} (${fault.code ?? response.status})` : `status ${response.status}`
      if (response.status === 429) throw new TextError('busy', reason)
      throw new TextError(response.status >= 400 && response.status < 500 ? 'refused' : 'lost', reason)
    },
    async priceOf(providerId) {
      const response = await call(`/${encodeURIComponent(providerId)}.json`)
      const { price, price_unit: currency } = Message.parse(await response.json())
      // Twilio's prices are negative.
      return price === null || currency === null ? undefined : { cost: price.replace(/^-/, ''), currency }
    },
  }
}

/** HMAC-SHA1 of a webhook's address and parameters: https://www.twilio.com/docs/usage/security#validating-requests */
export function signatureOf(authToken: string, url: string, params: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha1', authToken)
    .update(url + sorted.map(([name, value]) => name + value).join(''))
    .digest('base64')
}

/** Whether `given`, a request's `x-twilio-signature`, is Twilio's signature of this address and these parameters. */
export function isSigned(authToken: string, url: string, params: Record<string, string>, given: unknown): boolean {
  const expected = Buffer.from(signatureOf(authToken, url, params))
  const received = Buffer.from(typeof given === 'string' ? given : '')
  return expected.length === received.length && timingSafeEqual(expected, received)
}
