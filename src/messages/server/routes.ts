import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../foundation/clock.ts'
import type { Database, Reader, Tx } from '../../platform/database/database.ts'
import { type Http, serve } from '../../platform/http/serve.ts'
import * as contract from '../contract.ts'
import { addressOfSubscriber, confirmNewsletter, requestNewsletter, stateOfRequest, unsubscribe } from './newsletter.ts'
import { NEWSLETTER_POLICY, type NewsletterPage, newsletterPage } from './newsletter-page.ts'

/** Said to everybody: who reads it learns nothing about the address. */
const SENT = 'We have sent you an email. Please follow the link in it, and you are on the list.'
/** Browsers follow these; the API's description leaves them out. A HEAD is nobody's wish. */
const followed = { schema: { hide: true }, exposeHeadRoute: false }

/** Of members, who get news and offers through no list: their links lead to the same page. */
type Members = {
  isLinkOfMember(reader: Reader, token: string): Promise<boolean>
  objectByLink(tx: Tx, token: string, now: Temporal.Instant): Promise<void>
  objectByAddress(tx: Tx, email: string, now: Temporal.Instant): Promise<void>
}

/**
 * The newsletter: asked for, confirmed and left. Mailed links only ask, because mail programs look at links before
 * their reader does: confirming and leaving are POSTs of the page's button, leaving also of the mail program itself
 * (RFC 8058). Either may be repeated.
 *
 * @param options.countMail refuses an address (of the network) that causes too many mails
 * @param options.mayMailLink counts a mail to a recipient; false: they have had the hour's number
 */
export async function newsletterRoutes(
  http: Http,
  options: {
    database: Database
    clock: Clock
    countMail: (address: string) => Promise<void>
    mayMailLink: (email: string) => Promise<boolean>
    members: Members
  },
): Promise<void> {
  const { database, clock, members } = options
  const show = (reply: FastifyReply, page: NewsletterPage, status = 200) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', NEWSLETTER_POLICY)
      // The address holds a token.
      .header('referrer-policy', 'same-origin')
      .header('x-robots-tag', 'noindex')
      .send(newsletterPage(page))
  const ask = async (email: string, request: FastifyRequest) => {
    await options.countMail(request.ip)
    // Same reply either way, so that it gives nobody away.
    if (!(await options.mayMailLink(email))) return SENT
    await database.transaction((tx) => requestNewsletter(tx, email, clock.now()))
    return SENT
  }

  serve(http, contract.subscribe, async ({ body, request }) => ({ message: await ask(body.email, request) }))

  http.app.get(contract.NEWSLETTER_CONFIRM, followed, async (request, reply) => {
    const token = tokenOf(request)
    const state = await stateOfRequest(database.db, token, clock.now())
    return state === 'unknown' ? show(reply, { shows: 'unknown' }, 404) : show(reply, { shows: state, token })
  })

  http.app.get(contract.NEWSLETTER_UNSUBSCRIBE, followed, async (request, reply) => {
    const token = tokenOf(request)
    if (token === contract.TEST_TOKEN) return show(reply, { shows: 'test' })
    if (await members.isLinkOfMember(database.db, token)) return show(reply, { shows: 'asks-to-object', token })
    const address = await addressOfSubscriber(database.db, token)
    return show(reply, address ? { shows: 'asks-to-leave', token } : { shows: 'left' })
  })

  await http.app.register(async (forms) => {
    readForms(forms)
    forms.post(contract.NEWSLETTER_CONFIRM, followed, async (request, reply) => {
      const token = tokenOf(request)
      const isKnown = await database.transaction((tx) => confirmNewsletter(tx, token, clock.now()))
      return isKnown ? show(reply, { shows: 'confirmed', token }) : show(reply, { shows: 'unknown' }, 404)
    })
    forms.post(contract.NEWSLETTER_UNSUBSCRIBE, followed, async (request, reply) => {
      const token = tokenOf(request)
      const isMember = await database.transaction(async (tx) => {
        const address = await addressOfSubscriber(tx, token)
        // Whoever wants no newsletter wants no other news: an account comes before a subscription, as when it is erased.
        if (address) await members.objectByAddress(tx, address, clock.now())
        await unsubscribe(tx, token)
        if (!(await members.isLinkOfMember(tx, token))) return false
        await members.objectByLink(tx, token, clock.now())
        return true
      })
      return show(reply, { shows: isMember ? 'objected' : 'left' })
    })
    forms.post(contract.NEWSLETTER_FORM, followed, async (request, reply) => {
      const sent = contract.NewsletterForm.safeParse(request.body)
      if (sent.success) return show(reply, { shows: 'sent', message: await ask(sent.data.email, request) })
      const message = sent.error.issues[0]?.message ?? ''
      return show(reply, { shows: 'wrong-address', email: textIn(request.body, 'email'), message }, 400)
    })
  })
}

function tokenOf({ query }: FastifyRequest): string {
  return textIn(query, 'token')
}

/** A field of what was sent, if it is a text. */
function textIn(sent: unknown, field: string): string {
  return z.object({ [field]: z.string() }).safeParse(sent).data?.[field] ?? ''
}

/** Bodies as browsers without script send them; of a mail program's POST the body says nothing that the path does not. */
function readForms(forms: FastifyInstance): void {
  forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  forms.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, _body, done) => done(null, {}))
}
