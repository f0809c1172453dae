import type { User } from '#accounts/contract.ts'
import { type BlockStatus, refuseBlocked } from '#accounts/server/accounts.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { isFormerPriceKept } from '#packages/rules.ts'
import { findPackage, toPackage } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { hasPassFor } from '#passes/server/passes.ts'
import { type Database, type Reader, violates } from '#platform/database/database.ts'
import { paymentRefusals } from '../contract.ts'
import { isPayable, isPrice, nextPollAt } from '../rules.ts'
import { paymentIntents } from '../tables.ts'
import { forgetBeginRequest } from './begin-requests.ts'
import type { Provider } from './provider.ts'
import { attemptsOf, findIntent, unsettledIntentOf } from './queries.ts'
import { syncPayment } from './sync-payment.ts'

/**
 * Starts the payment of a package, or resumes an open payment at this price; one that was started before a planned price came
 * into force can be resumed at its own price for 30 minutes. No transaction is open while the provider
 * is called: concurrent calls get the same payment through the idempotency key of their attempt.
 */
export async function startOrResumePayment(
  database: Database,
  provider: Provider,
  member: User & BlockStatus,
  order: { packageId: number; amount: number | string },
  now: Temporal.Instant,
): Promise<{ clientSecret: string; paymentIntentId: string }> {
  const { db } = database
  const bought = (await findPackage(db, order.packageId, now)) ?? refuse(packageRefusals.package_not_found)
  refuseBlocked(member)
  if (!bought.isActive) refuse(paymentRefusals.package_not_on_sale)
  // Counted before looking for an open one: a concurrent call is then either found or makes the same attempt.
  const attempt = await attemptsOf(db, member.id, bought.id)
  const open = await unsettledIntentOf(db, member.id, bought.id)
  const mayKeep = isFormerPriceKept(bought.cameIntoForceAt, now)
  const pricePence = mayKeep && open && isPrice(order.amount, open.amountPence) ? open.amountPence : bought.pricePence
  if (!isPrice(order.amount, pricePence)) refuse(paymentRefusals.price_changed)
  await refuseIfHeld(db, member, bought)

  if (open) {
    const known = await provider.find(open.id)
    if (known && isPayable(known.status) && open.amountPence === pricePence) {
      if (open.beginRequestedAt) await forgetBeginRequest(db, open.id)
      return secretOf(known)
    }
    // Paid in another tab, closed at the provider, or started at another price.
    if (known && isPayable(known.status)) await provider.cancel(open.id)
    await syncPayment(database, provider, open.id, now, { full: false })
    if (known?.status === 'processing') refuse(paymentRefusals.payment_processing)
    // The member has just paid: don't start a second payment without asking.
    if ((await findIntent(db, open.id))?.state === 'purchased') refuse(paymentRefusals.payment_already_completed)
    await refuseIfHeld(db, member, bought)
  }

  // Only an open payment keeps the former price.
  if (pricePence !== bought.pricePence) refuse(paymentRefusals.price_changed)
  const { name: studioName } = await currentFacts(db)
  const intent = await provider.create({ userId: member.id, package: toPackage(bought), attempt, studioName })
  await saveIntent(db, intent.id, { userId: member.id, bought }, now).catch((error) => {
    // The account has just been deleted. Without the client secret this intent cannot be paid.
    if (violates(error, 'payment_intents_user_id_fkey')) refuse(commonRefusals.unauthorized)
    throw error
  })
  return secretOf(intent)
}

/** Records what a payment is for, and at which price; the second of two calls for one payment changes nothing. */
export async function saveIntent(
  writer: Reader,
  id: string,
  { userId, bought }: { userId: string; bought: PackageRow },
  now: Temporal.Instant,
): Promise<void> {
  const { id: packageId, pricePence: amountPence, classCount, validityMonths } = bought
  const dates = { nextPollAt: nextPollAt('open', now, now), createdAt: now }
  await writer
    .insert(paymentIntents)
    .values({ id, userId, packageId, amountPence, classCount, validityMonths, state: 'open', ...dates })
    .onConflictDoNothing()
}

function secretOf(intent: { id: string; client_secret: string | null }) {
  if (!intent.client_secret) refuse(paymentRefusals.payment_provider_unreachable)
  return { clientSecret: intent.client_secret, paymentIntentId: intent.id }
}

async function refuseIfHeld(reader: Reader, member: User, bought: PackageRow): Promise<void> {
  if (bought.purchaseOncePerUser && (await hasPassFor(reader, member.id, bought.id))) {
    refuse(paymentRefusals.package_already_held)
  }
}
