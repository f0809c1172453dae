/** What the sandbox answered to a confirmation, said the way the checkout needs it. */
export type Confirmation =
  | { outcome: 'paid'; paymentIntentId: string }
  | { outcome: 'underway'; paymentIntentId: string }
  | { outcome: 'bank'; url: string }
  | { outcome: 'declined'; reason: string | undefined }

/** Who pays. */
type Payer = { name: string; email: string | undefined }
export type Card = Payer & { number: string; expMonth: string; expYear: string; cvc: string }
/** A test account, of which the bank sends the money after a while. */
export type Debit = Payer & { account: string }

/** Confirms a sandbox payment as a browser does with Stripe: form-encoded, with key and client secret. */
export async function confirmWithSandbox(
  {
    paymentIntentId,
    clientSecret,
    key,
    returnUrl,
  }: { paymentIntentId: string; clientSecret: string; key: string; returnUrl: string },
  paidWith: Card | Debit,
): Promise<Confirmation> {
  const response = await fetch(`/sandbox/stripe/v1/payment_intents/${encodeURIComponent(paymentIntentId)}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      key,
      client_secret: clientSecret,
      return_url: returnUrl,
      ...('number' in paidWith ? cardFields(paidWith) : debitFields(paidWith)),
      'payment_method_data[billing_details][name]': paidWith.name,
      ...(paidWith.email && { 'payment_method_data[billing_details][email]': paidWith.email }),
    }),
  })
  // As good as no answer: the payment may have been made.
  if (response.status >= 500) throw new Error(`the sandbox answered ${response.status}`)
  const answer: Answer = await response.json()
  if (answer.status === 'succeeded') return { outcome: 'paid', paymentIntentId: answer.id ?? paymentIntentId }
  // Paid in another tab meanwhile: one payment, whoever confirmed it first.
  if (answer.error?.payment_intent?.status === 'succeeded') return { outcome: 'paid', paymentIntentId }
  if (answer.status === 'processing') return { outcome: 'underway', paymentIntentId: answer.id ?? paymentIntentId }
  const url = answer.next_action?.redirect_to_url?.url
  if (answer.status === 'requires_action' && url) return { outcome: 'bank', url }
  return { outcome: 'declined', reason: answer.error?.message }
}

function cardFields(card: Card): Record<string, string> {
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number.replace(/\s/g, ''),
    'payment_method_data[card][exp_month]': card.expMonth,
    'payment_method_data[card][exp_year]': card.expYear,
    'payment_method_data[card][cvc]': card.cvc,
  }
}

function debitFields({ account }: Debit): Record<string, string> {
  return {
    'payment_method_data[type]': 'bacs_debit',
    'payment_method_data[bacs_debit][sort_code]': '108800',
    'payment_method_data[bacs_debit][account_number]': account,
  }
}

type Answer = {
  id?: string
  status?: string
  next_action?: { redirect_to_url?: { url?: string } }
  error?: { message?: string; payment_intent?: { status?: string } }
}
