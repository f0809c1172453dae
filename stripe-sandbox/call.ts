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
  /** Whether the caller has the secret key. A browser has the publishable key and one payment's client secret. */
  isServer: boolean
  /** The sandbox's address, as the caller reached it. */
  baseUrl: string
}

/** Returns one of Stripe's objects. `{ error }` becomes a 402 whose changes are committed. */
export type Operation = (call: Call) => Promise<object>
export type Payment = { intent: PaymentIntent; behind: Behind }

/** The payment in the path, if the caller may see it. */
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

/** The same, locked until the transaction ends. */
export async function paymentForUpdate(call: Call): Promise<Payment> {
  await lockPaymentOf(call.tx, call.id)
  return await paymentOf(call)
}

/** The payment as the caller may see it, with its charge if `expand` names it. */
export async function shown({ tx, form, isServer }: Call, intent: PaymentIntent): Promise<object> {
  if (!isServer) return forBrowser(intent)
  if (!form.expand || !intent.latest_charge) return intent
  return { ...intent, latest_charge: (await find(tx, 'charge', intent.latest_charge))?.object }
}

/** The refusal of a step that the status of the payment does not allow. */
export function unexpectedState({ isServer }: Call, intent: PaymentIntent, step: string): StripeRefusal {
  return invalidRequest(`You cannot ${step} this PaymentIntent because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: isServer ? intent : forBrowser(intent),
  })
}
