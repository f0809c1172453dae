/** The page on which the card holder's bank would ask. Finished HTML without a script. */
import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { inWords } from './amounts.ts'

const style = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:#FBF8F3;color:#2B2722;font:400 1rem/1.6 ui-sans-serif,system-ui,sans-serif}
main{width:100%;max-width:28rem}
.sandbox{margin:0 0 2rem;font-size:.875rem}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;font-weight:600}
p{margin:0 0 1rem}
.amount{font-variant-numeric:tabular-nums}
form{display:grid;gap:.75rem;margin-top:1.5rem}
button,a.button{display:block;width:100%;min-height:48px;padding:.75rem 1rem;border:1px solid #363B2D;border-radius:6px;background:#363B2D;color:#FBF8F3;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button.quiet{background:transparent;color:#363B2D}
button:hover,a.button:hover{text-decoration:underline}
:focus-visible{outline:3px solid #363B2D;outline-offset:3px}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * The headers of these pages. The form may be sent only here, and from here be redirected only to `returnUrl`
 * (browsers hold `form-action` against redirects too).
 */
export function pageHeaders(returnUrl: string | null): Record<string, string> {
  const target = returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'self'`,
    'x-robots-tag': 'noindex',
  }
}

/** Asks; `action` is the page's own path. */
export function questionPage(intent: Stripe.PaymentIntent, action: string): string {
  return page(
    'Confirm it is you',
    `<h1>Confirm it is you</h1>
<p>Your bank asks you to confirm a payment of <strong class="amount">${escaped(inWords(intent.amount, intent.currency))}</strong>.</p>
<form method="post" action="${escaped(action)}">
<input type="hidden" name="client_secret" value="${escaped(intent.client_secret ?? '')}">
<button name="outcome" value="succeeded">Complete authentication</button>
<button class="quiet" name="outcome" value="failed">Fail authentication</button>
</form>`,
  )
}

/** Shown when nothing is asked any more, with the way back if there is one. */
export function answeredPage(intent: Stripe.PaymentIntent, backTo: string | null): string {
  const paid = intent.status === 'succeeded'
  const back =
    backTo === null
      ? '<p>You can close this page.</p>'
      : `<p><a class="button" href="${escaped(backTo)}">Go back</a></p>`
  return page(
    paid ? 'Payment confirmed' : 'Payment not confirmed',
    `<h1>${paid ? 'Payment confirmed' : 'Payment not confirmed'}</h1>
<p>${paid ? 'Your bank has confirmed the payment.' : 'There is nothing to confirm any more. The payment was not made.'}</p>
${back}`,
  )
}

export function unknownPage(): string {
  return page('Not found', '<h1>Not found</h1>\n<p>This payment does not exist, or the link to it is incomplete.</p>')
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · payment sandbox</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="sandbox">This is a payment sandbox. No bank is asked and no money moves.</p>
${content}
</main>
</body>
</html>
`
}

/** Where the browser goes when the question is answered, with what Stripe appends; `null` when nobody said where. */
export function wayBack(intent: Stripe.PaymentIntent, returnUrl: string | null): string | null {
  if (returnUrl === null) return null
  const url = new URL(returnUrl)
  url.searchParams.set('payment_intent', intent.id)
  url.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '')
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  return url.href
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
