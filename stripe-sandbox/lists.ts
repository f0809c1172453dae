import type { Answer, Call } from './call.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { expandAll } from './expand.ts'
import type { Tx } from './store.ts'

type Listable = 'payment_intents' | 'refunds' | 'events' | 'disputes' | 'early_fraud_warnings'

const kinds: Record<Listable, string> = {
  payment_intents: 'payment_intent',
  refunds: 'refund',
  events: 'event',
  disputes: 'dispute',
  early_fraud_warnings: 'early_fraud_warning',
}
const mostPerPage = 100
const usualPerPage = 10
const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** One more condition of a list: an SQL expression before the placeholder of its value. */
export interface Condition {
  sql: string
  value: unknown
}

/** Newest first, in Stripe's pages: `limit`, `starting_after`, `ending_before`, `created`. */
export async function listOf(tx: Tx, call: Call, table: Listable, more: Condition[] = []): Promise<Answer> {
  const { params } = call
  const limit = params.integer('limit') ?? usualPerPage
  if (limit < 1 || limit > mostPerPage) {
    throw invalidRequest(`Invalid integer: limit must be between 1 and ${mostPerPage}.`, {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  }
  const [after, before] = [params.text('starting_after'), params.text('ending_before')]
  if (after !== undefined && before !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: starting_after, ending_before.')
  }
  const conditions = [...more, ...createdConditions(call)]
  if (after !== undefined) conditions.push({ sql: 'seq <', value: await seqOf(tx, table, after, 'starting_after') })
  if (before !== undefined) conditions.push({ sql: 'seq >', value: await seqOf(tx, table, before, 'ending_before') })
  const where = conditions.map((condition, at) => `${condition.sql} $${at + 2}`).join(' and ') || 'true'
  const column = table === 'events' ? 'body::json' : 'object'
  const order = before === undefined ? 'desc' : 'asc'
  const { rows } = await tx.query<{ object: object }>(
    `select ${column} as object from sandbox.${table} where ${where} order by seq ${order} limit $1`,
    [limit + 1, ...conditions.map((condition) => condition.value)],
  )
  const page = rows.slice(0, limit).map((row) => row.object)
  if (before !== undefined) page.reverse()
  const list = {
    object: 'list',
    url: table === 'early_fraud_warnings' ? `/v1/radar/${table}` : `/v1/${table}`,
    has_more: rows.length > limit,
    data: page,
  }
  return { status: 200, body: await expandAll(tx, list, params) }
}

/** `created=1700000000`, or `created[gte]=…` and its like. */
function createdConditions({ params }: Call): Condition[] {
  if (typeof params.form.created === 'string') return [{ sql: 'created =', value: params.integer('created') }]
  const range = params.branch('created')
  if (!range) return []
  range.allowOnly(new Set(Object.keys(comparisons)))
  return Object.entries(comparisons)
    .filter(([key]) => range.has(key))
    .map(([key, operator]) => ({ sql: `created ${operator}`, value: range.integer(key) }))
}

async function seqOf(tx: Tx, table: Listable, id: string, param: string): Promise<string> {
  const { rows } = await tx.query<{ seq: string }>(`select seq from sandbox.${table} where id = $1`, [id])
  const [found] = rows
  if (!found) throw noSuch(kinds[table], id, param, 400)
  return found.seq
}
