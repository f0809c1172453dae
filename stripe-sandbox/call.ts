/** One request to the sandbox, and who sent it. */
import { invalidRequest, noSuch, type StripeRefusal } from './errors.ts'
import type { Form } from './forms.ts'
import { forBrowser } from './objects.ts'
import type { PaymentIntent } from './shapes.ts'
import { type Behind, find, lockPaymentOf, type Tx } from './store.ts'

export type Call = {
  tx: Tx
  now: Date
  /** The id in the path. */
  id: string
  form: Form
  /** Holds the secret key; a browser holds at most the publishable key and one payment's client secret. */
  isServer: boolean
  /** The sandbox's own address, as the caller reached it. */
  baseUrl: string
}

/** Answers an object of Stripe's; `{ error }` is told with 402 and what was done stays done. */
export type Operation = (call: Call) => Promise<object>
export type Payment = { intent: PaymentIntent; behind: Behind }

/** The payment of the path, for who may see it. */
export async function paymentOf({ tx, id, form, isServer }: Call): Promise<Payment> {
  const row = await find(tx, 'payment_intent', id)
  if (!row) throw noSuch('payment_intent', id)
  if (!isServer && form.client_secret !== row.object.client_secret) {
    throw invalidRequest('The client_secret provided does not match the client_secret of this PaymentIntent.', {
      param: 'client_secret',
    })
  }
  return { intent: row.object, behind: row.behind ?? { method: null, returnUrl: null } }
}

/** The same, held until the transaction ends: of two confirmations at once the second sees what the first did. */
export async function paymentForUpdate(call: Call): Promise<Payment> {
  await lockPaymentOf(call.tx, call.id)
  return await paymentOf(call)
}

/** A payment as its caller may see it, with its charge where `expand` asks for it. */
export async function shown({ tx, form, isServer }: Call, intent: PaymentIntent): Promise<object> {
  if (!isServer) return forBrowser(intent)
  if (!form.expand || !intent.latest_charge) return intent
  return { ...intent, latest_charge: (await find(tx, 'charge', intent.latest_charge))?.object }
}

/** Refuses because of the state the payment is in, and shows it. */
export function unexpectedState({ isServer }: Call, intent: PaymentIntent, step: string): StripeRefusal {
  return invalidRequest(`You cannot ${step} this PaymentIntent because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: isServer ? intent : forBrowser(intent),
  })
}
