/** The sandbox's rows. Every function runs inside the transaction it is given. */
import type pg from 'pg'
import type Stripe from 'stripe'
import type { Method } from './cards.ts'
import type { Aftermath, Authentication, DeclineName } from './test-cards.ts'

export type Tx = pg.PoolClient

/** Runs `work` in one transaction on one connection of the pool. */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await pool.connect()
  let broken: Error | undefined
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    return result
  } catch (error) {
    await tx.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    tx.release(broken)
  }
}

export interface StoredIntent {
  intent: Stripe.PaymentIntent
  /** Where the browser goes after 3-D Secure, from the last confirmation. */
  returnUrl: string | null
}

export async function insertIntent(tx: Tx, intent: Stripe.PaymentIntent): Promise<void> {
  await tx.query('insert into sandbox.payment_intents (id, created, object) values ($1, $2, $3)', [
    intent.id,
    intent.created,
    JSON.stringify(intent),
  ])
}

export async function saveIntent(tx: Tx, intent: Stripe.PaymentIntent, returnUrl: string | null): Promise<void> {
  await tx.query('update sandbox.payment_intents set object = $2, return_url = $3 where id = $1', [
    intent.id,
    JSON.stringify(intent),
    returnUrl,
  ])
}

export async function findIntent(tx: Tx, id: string): Promise<StoredIntent | undefined> {
  return oneIntent(tx, id, '')
}

/** Holds the row until the transaction ends: of two confirmations at once the second sees what the first did. */
export async function findIntentForUpdate(tx: Tx, id: string): Promise<StoredIntent | undefined> {
  return oneIntent(tx, id, 'for update')
}

async function oneIntent(tx: Tx, id: string, lock: '' | 'for update'): Promise<StoredIntent | undefined> {
  const { rows } = await tx.query<{ object: Stripe.PaymentIntent; return_url: string | null }>(
    `select object, return_url from sandbox.payment_intents where id = $1 ${lock}`,
    [id],
  )
  return rows[0] && { intent: rows[0].object, returnUrl: rows[0].return_url }
}

export async function insertMethod(tx: Tx, method: Method): Promise<void> {
  await tx.query(
    'insert into sandbox.payment_methods (id, created, object, authentication, decline, aftermath) values ($1, $2, $3, $4, $5, $6)',
    [
      method.object.id,
      method.object.created,
      JSON.stringify(method.object),
      method.authentication,
      method.decline,
      method.aftermath,
    ],
  )
}

export async function findMethod(tx: Tx, id: string): Promise<Method | undefined> {
  const { rows } = await tx.query<{
    object: Stripe.PaymentMethod
    authentication: Authentication
    decline: DeclineName | null
    aftermath: Aftermath | null
  }>('select object, authentication, decline, aftermath from sandbox.payment_methods where id = $1', [id])
  return rows[0]
}

export async function insertCharge(tx: Tx, charge: Stripe.Charge, intentId: string): Promise<void> {
  await tx.query(
    'insert into sandbox.charges (id, created, payment_intent, paid, object) values ($1, $2, $3, $4, $5)',
    [charge.id, charge.created, intentId, charge.paid, JSON.stringify(charge)],
  )
}

export async function saveCharge(tx: Tx, charge: Stripe.Charge): Promise<void> {
  await tx.query('update sandbox.charges set object = $2, paid = $3 where id = $1', [
    charge.id,
    JSON.stringify(charge),
    charge.paid,
  ])
}

export async function findCharge(tx: Tx, id: string): Promise<Stripe.Charge | undefined> {
  return one<Stripe.Charge>(tx, 'select object from sandbox.charges where id = $1', [id])
}

/** The charge that paid the intent, held until the transaction ends. */
export async function findPaidChargeForUpdate(tx: Tx, intentId: string): Promise<Stripe.Charge | undefined> {
  return one<Stripe.Charge>(tx, 'select object from sandbox.charges where payment_intent = $1 and paid for update', [
    intentId,
  ])
}

export async function insertRefund(tx: Tx, refund: Stripe.Refund, charge: Stripe.Charge): Promise<void> {
  await tx.query(
    'insert into sandbox.refunds (id, created, payment_intent, charge, object) values ($1, $2, $3, $4, $5)',
    [refund.id, refund.created, charge.payment_intent, charge.id, JSON.stringify(refund)],
  )
}

export async function findRefund(tx: Tx, id: string): Promise<Stripe.Refund | undefined> {
  return one<Stripe.Refund>(tx, 'select object from sandbox.refunds where id = $1', [id])
}

export async function refundsOfCharge(tx: Tx, chargeId: string): Promise<Stripe.Refund[]> {
  const { rows } = await tx.query<{ object: Stripe.Refund }>(
    'select object from sandbox.refunds where charge = $1 order by seq desc',
    [chargeId],
  )
  return rows.map((row) => row.object)
}

export async function findRefundForUpdate(tx: Tx, id: string): Promise<Stripe.Refund | undefined> {
  return one<Stripe.Refund>(tx, 'select object from sandbox.refunds where id = $1 for update', [id])
}

export async function saveRefund(tx: Tx, refund: Stripe.Refund): Promise<void> {
  await tx.query('update sandbox.refunds set object = $2 where id = $1', [refund.id, JSON.stringify(refund)])
}

export async function insertDispute(tx: Tx, dispute: Stripe.Dispute): Promise<void> {
  await tx.query(
    'insert into sandbox.disputes (id, created, payment_intent, charge, object) values ($1, $2, $3, $4, $5)',
    [dispute.id, dispute.created, dispute.payment_intent, dispute.charge, JSON.stringify(dispute)],
  )
}

export async function saveDispute(tx: Tx, dispute: Stripe.Dispute): Promise<void> {
  await tx.query('update sandbox.disputes set object = $2 where id = $1', [dispute.id, JSON.stringify(dispute)])
}

export async function findDispute(tx: Tx, id: string): Promise<Stripe.Dispute | undefined> {
  return one<Stripe.Dispute>(tx, 'select object from sandbox.disputes where id = $1', [id])
}

export async function findDisputeForUpdate(tx: Tx, id: string): Promise<Stripe.Dispute | undefined> {
  return one<Stripe.Dispute>(tx, 'select object from sandbox.disputes where id = $1 for update', [id])
}

/** The last dispute about a charge. */
export async function disputeOfCharge(tx: Tx, chargeId: string): Promise<Stripe.Dispute | undefined> {
  return one<Stripe.Dispute>(tx, 'select object from sandbox.disputes where charge = $1 order by seq desc limit 1', [
    chargeId,
  ])
}

export async function insertWarning(tx: Tx, warning: Stripe.Radar.EarlyFraudWarning): Promise<void> {
  await tx.query(
    'insert into sandbox.early_fraud_warnings (id, created, payment_intent, charge, object) values ($1, $2, $3, $4, $5)',
    [warning.id, warning.created, warning.payment_intent, warning.charge, JSON.stringify(warning)],
  )
}

export async function findWarning(tx: Tx, id: string): Promise<Stripe.Radar.EarlyFraudWarning | undefined> {
  return one<Stripe.Radar.EarlyFraudWarning>(tx, 'select object from sandbox.early_fraud_warnings where id = $1', [id])
}

/** Something that happens by itself after a while: a debit arrives, a refund fails. */
export interface Later {
  what: 'debit' | 'refund'
  id: string
}

export async function insertLater(tx: Tx, { what, id }: Later): Promise<void> {
  await tx.query('insert into sandbox.later (what, id) values ($1, $2)', [what, id])
}

/** Takes what is due, so that it happens once. */
export async function takeLater(tx: Tx): Promise<Later[]> {
  const { rows } = await tx.query<Later>(
    `delete from sandbox.later where seq in (
       select seq from sandbox.later where due_at <= clock_timestamp() order by seq limit 10 for update skip locked
     ) returning what, id`,
  )
  return rows
}

export async function forgetLater(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from sandbox.later where id = $1', [id])
}

export async function findEvent(tx: Tx, id: string): Promise<Stripe.Event | undefined> {
  return one<Stripe.Event>(tx, 'select body::json as object from sandbox.events where id = $1', [id])
}

async function one<T>(tx: Tx, sql: string, values: unknown[]): Promise<T | undefined> {
  const { rows } = await tx.query<{ object: T }>(sql, values)
  return rows[0]?.object
}
