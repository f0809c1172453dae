import type { User } from '#accounts/contract.ts'
import { refuseBlocked, type Standing } from '#accounts/server/accounts.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { findPackage, toPackage } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { holdsPassFor } from '#passes/server/passes.ts'
import { type Database, type Reader, violates } from '#platform/database/database.ts'
import { paymentRefusals } from '../contract.ts'
import { isPayable, isPrice, nextLookAt } from '../rules.ts'
import { paymentIntents } from '../tables.ts'
import { forgetBeginRequest } from './begin-requests.ts'
import type { Provider } from './provider.ts'
import { attemptsOf, findIntent, unsettledIntentOf } from './queries.ts'
import { syncPayment } from './sync-payment.ts'

export type Order = { packageId: number; amount: number | string }

/**
 * Begins the payment of a package, or takes up the one that is still open at this price. No transaction is held
 * while the provider answers: two calls at once reach one payment by the idempotency key of their attempt.
 */
export async function beginPayment(
  database: Database,
  provider: Provider,
  member: User & Standing,
  order: Order,
  now: Temporal.Instant,
): Promise<{ clientSecret: string; paymentIntentId: string }> {
  const { db } = database
  const bought = (await findPackage(db, order.packageId)) ?? refuse(packageRefusals.package_not_found)
  refuseBlocked(member)
  if (!bought.isActive) refuse(paymentRefusals.package_not_on_sale)
  if (!isPrice(order.amount, bought.pricePence)) refuse(paymentRefusals.price_changed)
  await refuseSecondOfOnce(db, member, bought)

  // Counted before looking for an open one: a call that runs beside this one then is found, or makes the same attempt.
  const attempt = await attemptsOf(db, member.id, bought.id)
  const open = await unsettledIntentOf(db, member.id, bought.id)
  if (open) {
    const known = await provider.look(open.id)
    if (known && isPayable(known.status) && open.amountPence === bought.pricePence) {
      if (open.beginRequestedAt) await forgetBeginRequest(db, open.id)
      return secretOf(known)
    }
    // Paid in another tab, closed at the provider, or at another price than now.
    if (known && isPayable(known.status)) await provider.abandon(open.id)
    await syncPayment(database, provider, open.id, now, { whole: false })
    if (known?.status === 'processing') refuse(paymentRefusals.payment_processing)
    // What the member has just paid for is there now: a second payment is not begun behind their back.
    if ((await findIntent(db, open.id))?.state === 'purchased') refuse(paymentRefusals.payment_already_completed)
    await refuseSecondOfOnce(db, member, bought)
  }

  const intent = await provider.begin({ userId: member.id, package: toPackage(bought), attempt })
  await rememberIntent(db, intent.id, { userId: member.id, bought }, now).catch((error) => {
    // The account was deleted meanwhile; nobody can pay what nobody is told the secret of.
    if (violates(error, 'payment_intents_user_id_fkey')) refuse(commonRefusals.unauthorized)
    throw error
  })
  return secretOf(intent)
}

/** Keeps what a payment is for, and at which price. Two calls that reached one payment keep it once. */
export async function rememberIntent(
  writer: Reader,
  id: string,
  { userId, bought }: { userId: string; bought: PackageRow },
  now: Temporal.Instant,
): Promise<void> {
  const { id: packageId, pricePence: amountPence, classCount, validityMonths } = bought
  const asked = { nextLookAt: nextLookAt('open', now, now), createdAt: now }
  await writer
    .insert(paymentIntents)
    .values({ id, userId, packageId, amountPence, classCount, validityMonths, state: 'open', ...asked })
    .onConflictDoNothing()
}

function secretOf(intent: { id: string; client_secret: string | null }) {
  if (!intent.client_secret) refuse(paymentRefusals.payment_provider_unreachable)
  return { clientSecret: intent.client_secret, paymentIntentId: intent.id }
}

async function refuseSecondOfOnce(reader: Reader, member: User, bought: PackageRow): Promise<void> {
  if (bought.purchaseOncePerUser && (await holdsPassFor(reader, member.id, bought.id))) {
    refuse(paymentRefusals.package_already_held)
  }
}
