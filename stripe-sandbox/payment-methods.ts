/** Payment methods: made by a request, found again, attached to an intent. */
import type Stripe from 'stripe'
import { debitFromData } from './bank-debits.ts'
import { type Answer, assertServer, type Call } from './call.ts'
import { type Method, methodFromData, methodFromTestName } from './cards.ts'
import { invalidRequest, noSuch } from './errors.ts'
import type { Parameters } from './parameters.ts'
import { findMethod, insertMethod, type Tx } from './store.ts'

export async function createPaymentMethod(tx: Tx, call: Call): Promise<Answer> {
  const method = methodDescribed(call.params, call.now)
  await insertMethod(tx, method)
  return { status: 200, body: method.object }
}

export async function retrievePaymentMethod(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const method = await findMethod(tx, call.id)
  if (!method) throw noSuch('PaymentMethod', call.id, 'payment_method')
  return { status: 200, body: method.object }
}

/** The payment method a request names or describes; a new one is stored. */
export async function methodIn(tx: Tx, call: Call): Promise<Method | undefined> {
  const { params } = call
  const id = params.text('payment_method')
  const data = params.branch('payment_method_data')
  if (id !== undefined && data) {
    throw invalidRequest('You may only specify one of these parameters: payment_method, payment_method_data.')
  }
  const made = id === undefined ? data && methodDescribed(data, call.now) : methodFromTestName(id, call.now)
  if (made) {
    await insertMethod(tx, made)
    return made
  }
  if (id === undefined) return undefined
  const found = await findMethod(tx, id)
  if (!found) throw noSuch('PaymentMethod', id, 'payment_method', 400)
  return found
}

function methodDescribed(data: Parameters, now: Date): Method {
  return data.text('type') === 'bacs_debit' ? debitFromData(data, now) : methodFromData(data, now)
}

export async function attachedMethod(tx: Tx, intent: Stripe.PaymentIntent): Promise<Method | undefined> {
  return typeof intent.payment_method === 'string' ? findMethod(tx, intent.payment_method) : undefined
}
