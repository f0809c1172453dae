import { z } from 'zod'
import type { Call, Operation } from './call.ts'
import { read, Text, Whole } from './forms.ts'
import type { StripeObject } from './shapes.ts'
import { belongingTo } from './store.ts'

const OfPayment = z.strictObject({ payment_intent: Text, limit: Whole.default(10) })

/** Objects of one payment, newest first. */
const list =
  (kind: StripeObject['object'], url: string): Operation =>
  async ({ tx, form }: Call) => {
    const { payment_intent, limit } = read(OfPayment, form)
    const all = await belongingTo(tx, kind, payment_intent)
    return { object: 'list', url, has_more: all.length > limit, data: all.slice(0, limit) }
  }

export const listRefunds = list('refund', '/v1/refunds')
export const listDisputes = list('dispute', '/v1/disputes')
export const listWarnings = list('radar.early_fraud_warning', '/v1/radar/early_fraud_warnings')
