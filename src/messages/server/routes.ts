import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { currentFacts } from '#facts/server/facts.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { timedRoute } from '#platform/http/time-limit.ts'
import { studio } from '#studio.ts'
import * as contract from '../contract.ts'
import type { TokenOf } from './link-tokens.ts'
import { confirmNewsletter, findUnsubscribeAddress, requestNewsletter, subscriptionState } from './newsletter.ts'
import { type AddressForm, NEWSLETTER_POLICY, type NewsletterPage, newsletterPage } from './newsletter-page.ts'
import { queueMail } from './queue-mail.ts'

// The responses are the same for every address, so they reveal nothing about it.
const SENT = 'We have sent you an email. Follow the link in it to join the list.'
const LINK_SENT = `Check your inbox for an email with a link to unsubscribe. We send at most ${studio.policies.linksAnHour} an hour.`
/** Pages for browsers, so they are not in the API's description. */
const undocumented = { schema: { hide: true }, exposeHeadRoute: false }

/** Members who agreed to news and offers are not on the newsletter's list, but their links lead to the same page. */
type Members = {
  /** The address of the member in an unsubscribe link. */
  memberOfUnsubscribeLink(reader: Reader, token: string, tokenOf: TokenOf): Promise<string | undefined>
  /** Ends news, offers and the newsletter for an address; returns whether it belongs to a member. */
  objectByAddress(tx: Tx, email: string, now: Temporal.Instant): Promise<boolean>
}

/**
 * Routes to subscribe, confirm and unsubscribe. An emailed link changes nothing, because mail programs open links
 * automatically: the button on its page sends a POST, as does a mail program's own unsubscribe button (RFC 8058).
 *
 * @param options.throttle limits the mails that a network address can cause, and those to one recipient
 */
export async function newsletterRoutes(
  http: Http,
  options: {
    tokenOf: TokenOf
    throttle: {
      countMail(address: string): Promise<void>
      mayMail(kind: 'newsletter', email: string): Promise<boolean>
    }
    members: Members
  },
): Promise<void> {
  const { database, clock } = http
  const { tokenOf, throttle, members } = options
  const show = async (reply: FastifyReply, page: NewsletterPage, status = 200) => {
    const { name } = await currentFacts(database.db)
    return (
      reply
        .code(status)
        .type('text/html; charset=utf-8')
        .header('content-security-policy', NEWSLETTER_POLICY)
        // The URL contains a token.
        .header('referrer-policy', 'same-origin')
        .header('x-robots-tag', 'noindex')
        .send(newsletterPage(page, name))
    )
  }
  const wrongAddress = (reply: FastifyReply, { body }: FastifyRequest, form: AddressForm, error: z.ZodError) => {
    const message = error.issues[0]?.message ?? ''
    return show(reply, { shows: 'wrong-address', form, email: textIn(body, 'email'), message }, 400)
  }
  const subscribe = async (email: string, { ip }: FastifyRequest) => {
    await throttle.countMail(ip)
    if (await throttle.mayMail('newsletter', email)) {
      await database.transaction((tx) => requestNewsletter(tx, email, clock.now()))
    }
    return SENT
  }

  serve(http, contract.subscribe, async ({ body, request }) => ({ message: await subscribe(body.email, request) }))

  timedRoute(http.app, 'GET', contract.NEWSLETTER_CONFIRM, undocumented, async (request, reply) => {
    const token = tokenIn(request)
    const state = await subscriptionState(database.db, token, clock.now())
    return state === 'unknown' ? show(reply, { shows: 'unknown' }, 404) : show(reply, { shows: state, token })
  })

  timedRoute(http.app, 'GET', contract.NEWSLETTER_UNSUBSCRIBE, undocumented, async (request, reply) => {
    const token = tokenIn(request)
    if (token === contract.TEST_TOKEN) return show(reply, { shows: 'test' })
    if (await members.memberOfUnsubscribeLink(database.db, token, tokenOf))
      return show(reply, { shows: 'agreed', token })
    if (await findUnsubscribeAddress(database.db, token, tokenOf)) return show(reply, { shows: 'subscribed', token })
    return show(reply, { shows: 'unknown-unsubscribe' }, 404)
  })

  await http.app.register(async (forms) => {
    parseForms(forms)
    timedRoute(forms, 'POST', contract.NEWSLETTER_CONFIRM, undocumented, async (request, reply) => {
      const token = tokenIn(request)
      const isKnown = await database.transaction((tx) => confirmNewsletter(tx, token, clock.now()))
      return isKnown ? show(reply, { shows: 'confirmed', token }) : show(reply, { shows: 'unknown' }, 404)
    })
    timedRoute(forms, 'POST', contract.NEWSLETTER_UNSUBSCRIBE, undocumented, async (request, reply) => {
      const token = tokenIn(request)
      if (token === contract.TEST_TOKEN) return show(reply, { shows: 'test' })
      const outcome = await database.transaction(async (tx) => {
        const address =
          (await members.memberOfUnsubscribeLink(tx, token, tokenOf)) ??
          (await findUnsubscribeAddress(tx, token, tokenOf))
        if (!address) return 'unknown-unsubscribe'
        return (await members.objectByAddress(tx, address, clock.now())) ? 'objected' : 'left'
      })
      return show(reply, { shows: outcome }, outcome === 'unknown-unsubscribe' ? 404 : 200)
    })
    timedRoute(forms, 'POST', contract.NEWSLETTER_UNSUBSCRIBE_FORM, undocumented, async (request, reply) => {
      const sent = contract.NewsletterForm.safeParse(request.body)
      if (!sent.success) return wrongAddress(reply, request, 'unsubscribe', sent.error)
      await throttle.countMail(request.ip)
      const { email } = sent.data
      // By email, so that people cannot unsubscribe each other.
      if (await throttle.mayMail('newsletter', email)) {
        await database.transaction((tx) => queueMail(tx, 'unsubscribe-link', { to: { email } }))
      }
      return show(reply, { shows: 'sent', message: LINK_SENT })
    })
    timedRoute(forms, 'POST', contract.NEWSLETTER_FORM, undocumented, async (request, reply) => {
      const sent = contract.NewsletterForm.safeParse(request.body)
      if (sent.success) return show(reply, { shows: 'sent', message: await subscribe(sent.data.email, request) })
      return wrongAddress(reply, request, 'subscribe', sent.error)
    })
  })
}

const tokenIn = ({ query }: FastifyRequest) => textIn(query, 'token')

/** A text field of a query or body; empty if it is missing. */
function textIn(sent: unknown, field: string): string {
  return z.object({ [field]: z.string() }).safeParse(sent).data?.[field] ?? ''
}

/** Parses HTML forms. The body of a mail program's POST adds nothing to its path. */
function parseForms(forms: FastifyInstance): void {
  forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  forms.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, _body, done) => done(null, {}))
}
