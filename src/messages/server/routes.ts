import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Clock } from '#foundation/instants.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { timedRoute } from '#platform/http/answer.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import type { TokenOf } from './link-tokens.ts'
import { addressOfLink, confirmNewsletter, requestNewsletter, stateOfRequest } from './newsletter.ts'
import { type AddressForm, NEWSLETTER_POLICY, type NewsletterPage, newsletterPage } from './newsletter-page.ts'
import { queueMail } from './queue-mail.ts'

/** Said to everybody: who reads it learns nothing about the address. */
const SENT = 'We have sent you an email. Follow the link in it to join the list.'
/** The same for every address, and also true when this one has had its five. */
const LINK_SENT = 'Look for an email from us with a link that unsubscribes you. We send at most five an hour.'
/** Browsers follow these; the API's description leaves them out. A HEAD is nobody's wish. */
const followed = { schema: { hide: true }, exposeHeadRoute: false }

/** Of members, who get news and offers through no list: their links lead to the same page. */
type Members = {
  /** The address of the member whose unsubscribe link it is. */
  memberOfLink(reader: Reader, token: string, tokenOf: TokenOf): Promise<string | undefined>
  /** Ends news and offers for an address, the newsletter included; returns whether a member has it. */
  objectByAddress(tx: Tx, email: string, now: Temporal.Instant): Promise<boolean>
}

/**
 * The newsletter: asked for, confirmed and left. Mailed links only ask, because mail programs look at links before
 * their reader does: confirming and leaving are POSTs of the page's button, leaving also of the mail program itself
 * (RFC 8058). Either may be repeated.
 *
 * @param options.throttle refuses a network address that causes too many emails; limits the links to one recipient
 */
export async function newsletterRoutes(
  http: Http,
  options: {
    database: Database
    clock: Clock
    tokenOf: TokenOf
    throttle: { countMail(address: string): Promise<void>; mayMailLink(email: string): Promise<boolean> }
    members: Members
  },
): Promise<void> {
  const { database, clock, tokenOf, throttle, members } = options
  const show = (reply: FastifyReply, page: NewsletterPage, status = 200) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', NEWSLETTER_POLICY)
      // The address holds a token.
      .header('referrer-policy', 'same-origin')
      .header('x-robots-tag', 'noindex')
      .send(newsletterPage(page))
  const wrongAddress = (reply: FastifyReply, { body }: FastifyRequest, form: AddressForm, error: z.ZodError) => {
    const message = error.issues[0]?.message ?? ''
    return show(reply, { shows: 'wrong-address', form, email: textIn(body, 'email'), message }, 400)
  }
  const ask = async (email: string, request: FastifyRequest) => {
    await throttle.countMail(request.ip)
    // The same reply either way, so that it reveals nothing about the address.
    if (!(await throttle.mayMailLink(email))) return SENT
    await database.transaction((tx) => requestNewsletter(tx, email, clock.now()))
    return SENT
  }

  serve(http, contract.subscribe, async ({ body, request }) => ({ message: await ask(body.email, request) }))

  timedRoute(http.app, 'GET', contract.NEWSLETTER_CONFIRM, followed, async (request, reply) => {
    const token = tokenIn(request)
    const state = await stateOfRequest(database.db, token, clock.now())
    return state === 'unknown' ? show(reply, { shows: 'unknown' }, 404) : show(reply, { shows: state, token })
  })

  timedRoute(http.app, 'GET', contract.NEWSLETTER_UNSUBSCRIBE, followed, async (request, reply) => {
    const token = tokenIn(request)
    if (token === contract.TEST_TOKEN) return show(reply, { shows: 'test' })
    if (await members.memberOfLink(database.db, token, tokenOf)) return show(reply, { shows: 'asks-to-object', token })
    if (await addressOfLink(database.db, token, tokenOf)) return show(reply, { shows: 'asks-to-leave', token })
    return show(reply, { shows: 'unknown-unsubscribe' }, 404)
  })

  await http.app.register(async (forms) => {
    readForms(forms)
    timedRoute(forms, 'POST', contract.NEWSLETTER_CONFIRM, followed, async (request, reply) => {
      const token = tokenIn(request)
      const isKnown = await database.transaction((tx) => confirmNewsletter(tx, token, clock.now()))
      return isKnown ? show(reply, { shows: 'confirmed', token }) : show(reply, { shows: 'unknown' }, 404)
    })
    timedRoute(forms, 'POST', contract.NEWSLETTER_UNSUBSCRIBE, followed, async (request, reply) => {
      const token = tokenIn(request)
      if (token === contract.TEST_TOKEN) return show(reply, { shows: 'test' })
      const outcome = await database.transaction(async (tx) => {
        const address = (await members.memberOfLink(tx, token, tokenOf)) ?? (await addressOfLink(tx, token, tokenOf))
        if (!address) return 'unknown-unsubscribe'
        return (await members.objectByAddress(tx, address, clock.now())) ? 'objected' : 'left'
      })
      return show(reply, { shows: outcome }, outcome === 'unknown-unsubscribe' ? 404 : 200)
    })
    timedRoute(forms, 'POST', contract.NEWSLETTER_UNSUBSCRIBE_FORM, followed, async (request, reply) => {
      const sent = contract.NewsletterForm.safeParse(request.body)
      if (!sent.success) return wrongAddress(reply, request, 'unsubscribe', sent.error)
      await throttle.countMail(request.ip)
      const { email } = sent.data
      // By email, because nobody may unsubscribe somebody else.
      if (await throttle.mayMailLink(email)) {
        await database.transaction((tx) => queueMail(tx, 'unsubscribe-link', { to: { email } }))
      }
      return show(reply, { shows: 'sent', message: LINK_SENT })
    })
    timedRoute(forms, 'POST', contract.NEWSLETTER_FORM, followed, async (request, reply) => {
      const sent = contract.NewsletterForm.safeParse(request.body)
      if (sent.success) return show(reply, { shows: 'sent', message: await ask(sent.data.email, request) })
      return wrongAddress(reply, request, 'subscribe', sent.error)
    })
  })
}

function tokenIn({ query }: FastifyRequest): string {
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
