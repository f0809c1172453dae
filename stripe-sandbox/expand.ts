import { invalidRequest } from './errors.ts'
import type { Parameters } from './parameters.ts'
import { findCharge, findIntent, findMethod, refundsOfCharge, type Tx } from './store.ts'

type Shown = Record<string, unknown>

const mostLevels = 4

/** What `expand[]` can put in place of an id, by `object` and field. Everything else in the sandbox is never set. */
const loaders: Record<string, (tx: Tx, id: string, owner: Shown) => Promise<unknown>> = {
  'payment_intent.latest_charge': findCharge,
  'payment_intent.payment_method': async (tx, id) => (await findMethod(tx, id))?.object,
  'charge.payment_intent': async (tx, id) => (await findIntent(tx, id))?.intent,
  'charge.refunds': async (tx, _id, owner) => ({
    object: 'list',
    url: `/v1/charges/${owner.id}/refunds`,
    has_more: false,
    data: await refundsOfCharge(tx, String(owner.id)),
  }),
  'dispute.charge': findCharge,
  'dispute.payment_intent': async (tx, id) => (await findIntent(tx, id))?.intent,
  'radar.early_fraud_warning.charge': findCharge,
  'refund.charge': findCharge,
  'refund.payment_intent': async (tx, id) => (await findIntent(tx, id))?.intent,
}

/** A copy of `object` with every `expand[]` of the request applied: `latest_charge`, `data.latest_charge.refunds`. */
export async function expandAll(tx: Tx, object: object, params: Parameters): Promise<object> {
  const copy = structuredClone(object) as Shown
  for (const path of params.list('expand') ?? []) {
    const fields = path.split('.')
    if (fields.length > mostLevels) {
      throw invalidRequest(`You cannot expand more than ${mostLevels} levels of a property. Property: ${path}`, {
        param: 'expand',
      })
    }
    await expandAt(tx, copy, fields, path)
  }
  return copy
}

async function expandAt(tx: Tx, owner: Shown, fields: string[], path: string): Promise<void> {
  const [field, ...rest] = fields
  if (field === undefined) return
  if (Array.isArray(owner[field])) {
    for (const item of owner[field] as Shown[]) await expandAt(tx, item, rest, path)
    return
  }
  const loader = loaders[`${owner.object}.${field}`]
  const value = owner[field]
  if (!loader && !(field in owner && value === null)) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  }
  if (loader && (typeof value === 'string' || field === 'refunds'))
    owner[field] = await loader(tx, String(value), owner)
  const expanded = owner[field]
  if (typeof expanded === 'object' && expanded !== null) await expandAt(tx, expanded as Shown, rest, path)
}
