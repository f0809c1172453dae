import { eq } from 'drizzle-orm'
import { recipient } from '../../accounts/server/accounts.ts'
import { type UserRow, users } from '../../accounts/tables.ts'
import { toPounds } from '../../foundation/money.ts'
import { refuse } from '../../foundation/refusal.ts'
import { queueMail } from '../../messages/server/messages.ts'
import { packageOnRecord } from '../../packages/server/packages.ts'
import type { PackageRow } from '../../packages/tables.ts'
import { grantPass, holdsPassFor } from '../../passes/server/passes.ts'
import type { Tx } from '../../server/database/database.ts'
import { studio } from '../../studio.ts'
import { paymentRefusals } from '../contract.ts'
import { type PaidIntent, paysFor } from '../rules.ts'
import { type PaymentIntentRow, paymentIntents, purchases } from '../tables.ts'
import { intentForUpdate, passIdOfIntent } from './queries.ts'

/** What became of a payment that succeeded. */
export type Activation =
  | { outcome: 'activated' | 'was_active'; passId: number }
  /** It could not become a purchase; all of it is on its way back. */
  | { outcome: 'given_back' }

/**
 * Turns a payment that the provider says succeeded into a purchase with its pass, exactly once however many ask:
 * they wait for each other at the payment's row. Money that cannot become a pass (the package can be bought once and
 * is already held, or the member is gone) is given back in full.
 *
 * @param paid the intent as the provider tells it now
 * @throws a refusal when we do not know the payment, or it is not this amount, currency, member and package
 */
export async function activatePurchase(
  tx: Tx,
  intentId: string,
  paid: PaidIntent,
  now: Temporal.Instant,
): Promise<Activation> {
  const intent = (await intentForUpdate(tx, intentId)) ?? refuse(paymentRefusals.intent_not_found)
  if (intent.state === 'refunded') return { outcome: 'given_back' }
  if (intent.state === 'purchased') return { outcome: 'was_active', passId: await passOfPurchase(tx, intent) }
  if (!paysFor(paid, intent)) refuse(paymentRefusals.payment_differs)

  const member = intent.userId ? await memberForUpdate(tx, intent.userId) : undefined
  const bought = await packageOnRecord(tx, intent.packageId)
  if (!member || (bought.purchaseOncePerUser && (await holdsPassFor(tx, member.id, bought.id)))) {
    await giveBack(tx, intent, { member, bought }, now)
    return { outcome: 'given_back' }
  }
  const passId = await recordPurchase(tx, intent, { member, bought }, now)
  return { outcome: 'activated', passId }
}

async function recordPurchase(
  tx: Tx,
  intent: PaymentIntentRow,
  { member, bought }: { member: UserRow; bought: PackageRow },
  now: Temporal.Instant,
): Promise<number> {
  await tx.update(paymentIntents).set({ state: 'purchased', settledAt: now }).where(eq(paymentIntents.id, intent.id))
  const [purchase] = await tx
    .insert(purchases)
    .values({
      paymentIntentId: intent.id,
      userId: member.id,
      packageId: bought.id,
      amountPence: intent.amountPence,
      purchasedAt: now,
    })
    .returning({ id: purchases.id })
  const purchaseId = (purchase as { id: number }).id
  const pass = await grantPass(
    tx,
    {
      userId: member.id,
      packageId: bought.id,
      credits: intent.classCount,
      validityMonths: intent.validityMonths,
      cause: { purchaseId },
    },
    now,
  )
  await queueMail(tx, 'receipt', {
    to: recipient(member),
    packageName: bought.name,
    classCount: intent.classCount,
    amount: toPounds(intent.amountPence),
    paidAt: now.toString(),
    expiresAt: pass.expiresAt.toString(),
    purchaseId,
  })
  return pass.id
}

async function giveBack(
  tx: Tx,
  intent: PaymentIntentRow,
  { member, bought }: { member: UserRow | undefined; bought: PackageRow },
  now: Temporal.Instant,
): Promise<void> {
  await tx.update(paymentIntents).set({ state: 'refunded', settledAt: now }).where(eq(paymentIntents.id, intent.id))
  await tx.enqueue('return-payment', { paymentIntentId: intent.id })
  const returned = { packageName: bought.name, amount: toPounds(intent.amountPence) }
  if (member) await queueMail(tx, 'payment-returned', { to: recipient(member), ...returned })
  await queueMail(tx, 'payment-returned-notice', {
    to: { email: studio.ownerEmail, firstName: studio.instructor.name },
    member: member ? { name: `${member.firstName} ${member.lastName}`, email: member.email } : null,
    ...returned,
  })
}

async function passOfPurchase(tx: Tx, intent: PaymentIntentRow): Promise<number> {
  return (await passIdOfIntent(tx, intent.id)) ?? refuse(paymentRefusals.intent_not_found)
}

/** Locks the member: of two payments for a package that can be bought once, the second sees the first one's pass. */
async function memberForUpdate(tx: Tx, id: string): Promise<UserRow | undefined> {
  const [member] = await tx.select().from(users).where(eq(users.id, id)).for('no key update')
  return member
}
