/** The page on which a bank authenticates a cardholder: HTML without scripts, opened with the client secret. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { paymentOf } from './call.ts'
import { StripeRefusal } from './errors.ts'
import { callFrom, type HttpOptions } from './http.ts'
import { authenticate } from './payment-intents.ts'
import type { PaymentIntent } from './shapes.ts'
import { inTransaction } from './store.ts'

type Authentication = { intent: PaymentIntent; returnUrl: string | null }

export function addThreeDSecure(app: FastifyInstance, options: HttpOptions): void {
  const url = '/3d-secure/:id'
  const logLevel = 'silent'
  app.get(url, { logLevel, errorHandler: unknownPayment }, async (request, reply) => {
    const call = callFrom(app, request, options.now())
    const { intent, behind } = await inTransaction(options.pool, (tx) => paymentOf({ ...call, tx, isServer: false }))
    const authentication = { intent, returnUrl: behind.returnUrl }
    const page =
      intent.status === 'requires_action'
        ? questionPage(intent, `${app.prefix}/3d-secure/${intent.id}`)
        : resultPage(authentication)
    return show(reply, 200, page, authentication.returnUrl)
  })
  app.post(url, { logLevel, errorHandler: unknownPayment }, async (request, reply) => {
    const call = callFrom(app, request, options.now())
    const authentication = await inTransaction(options.pool, (tx) => authenticate({ ...call, tx, isServer: false }))
    options.onChange()
    const back = returnAddress(authentication)
    if (!back) return show(reply, 200, resultPage(authentication), null)
    return reply.headers(headersFor(authentication.returnUrl)).redirect(back, 303)
  })
}

function unknownPayment(error: unknown, _request: unknown, reply: FastifyReply): FastifyReply {
  if (!(error instanceof StripeRefusal)) throw error
  return show(
    reply,
    404,
    '<h1>Not found</h1>\n<p>This payment does not exist, or the link to it is incomplete.</p>',
    null,
  )
}

const show = (reply: FastifyReply, status: number, content: string, returnUrl: string | null) =>
  reply.code(status).headers(headersFor(returnUrl)).send(page(content))

/** `form-action` covers redirects too, so it includes the origin of `returnUrl`. */
function headersFor(returnUrl: string | null): Record<string, string> {
  const target = returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'content-security-policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'self'`,
    'x-robots-tag': 'noindex',
  }
}

function questionPage(intent: PaymentIntent, action: string): string {
  const amount = new Intl.NumberFormat('en-GB', { style: 'currency', currency: intent.currency }).format(
    intent.amount / 100,
  )
  return `<h1>Confirm it is you</h1>
<p>Your bank asks you to confirm a payment of <strong>${amount}</strong>.</p>
<form method="post" action="${action}">
<input type="hidden" name="client_secret" value="${intent.client_secret}">
<button name="outcome" value="succeeded">Complete authentication</button>
<button class="quiet" name="outcome" value="failed">Fail authentication</button>
</form>`
}

function resultPage(authentication: Authentication): string {
  const paid = authentication.intent.status === 'succeeded'
  const back = returnAddress(authentication)
  return `<h1>${paid ? 'Payment confirmed' : 'Payment not confirmed'}</h1>
<p>${paid ? 'Your bank has confirmed the payment.' : 'There is nothing to confirm. The payment was not made.'}</p>
${back ? `<p><a class="button" href="${escaped(back)}">Go back</a></p>` : '<p>You can close this page.</p>'}`
}

/** `returnUrl` with the parameters that Stripe appends. */
function returnAddress({ intent, returnUrl }: Authentication): string | undefined {
  if (returnUrl === null) return undefined
  const url = new URL(returnUrl)
  url.searchParams.set('payment_intent', intent.id)
  url.searchParams.set('payment_intent_client_secret', intent.client_secret)
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  return url.href
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (content: string) => `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your bank · payment sandbox</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="sandbox">This is a payment sandbox. No bank is contacted and no money moves.</p>
${content}
</main>
</body>
</html>
`

const STYLE = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:#FBF8F3;color:#2B2722;font:400 1rem/1.6 ui-sans-serif,system-ui,sans-serif}
main{width:100%;max-width:28rem}
.sandbox{margin:0 0 2rem;font-size:.875rem}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;font-weight:600}
p{margin:0 0 1rem}
form{display:grid;gap:.75rem;margin-top:1.5rem}
button,a.button{display:block;width:100%;min-height:48px;padding:.75rem 1rem;border:1px solid #363B2D;border-radius:6px;background:#363B2D;color:#FBF8F3;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button.quiet{background:transparent;color:#363B2D}
button:hover,a.button:hover{text-decoration:underline}
:focus-visible{outline:3px solid #363B2D;outline-offset:3px}
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
