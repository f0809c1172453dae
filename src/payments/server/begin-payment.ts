import type { User } from '#accounts/contract.ts'
import { type BlockStatus, refuseBlocked } from '#accounts/server/accounts.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { commonRefusals, Refusal, refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { isFormerPriceKept } from '#packages/rules.ts'
import { findPackage } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { hasPassFor } from '#passes/server/passes.ts'
import { type Database, type Reader, violates } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import type { Gift } from '#vouchers/contract.ts'
import { refuseGift, reserveVoucher } from '#vouchers/server/vouchers.ts'
import { codeRefusals } from '../code-refusals.ts'
import { paymentRefusals } from '../contract.ts'
import { isSameRecipient, type Order, orderOf, totalRefusal } from '../order-rules.ts'
import { isPayable, isPrice, nextPollAt } from '../rules.ts'
import { type PaymentIntentRow, type PromotionCodeRow, paymentIntents } from '../tables.ts'
import { keepReserved, reservationsOf, reservedCode, takeUse, usableCode } from './codes.ts'
import { refuseIfPaid } from './confirm-order.ts'
import type { Provider } from './provider.ts'
import { findIntent, paymentsSoFar } from './queries.ts'
import { syncPayment } from './sync-payment.ts'

/**
 * Starts the payment of an order, or resumes its open payment. An order is a member, package, amount, code and
 * recipient: another one has its own payment. An order keeps a planned price, and the price with a code that has since
 * ended, for 30 minutes. No transaction is open while the provider is called: concurrent calls get the same payment
 * through the idempotency key of their attempt.
 */
export async function startOrResumePayment(
  database: Database,
  { provider, vault }: { provider: Provider; vault: Vault },
  member: User & BlockStatus,
  order: { packageId: number; amount: number | string; code?: string | undefined; gift?: Gift | undefined },
  now: Temporal.Instant,
): Promise<{ clientSecret: string; paymentIntentId: string }> {
  const { db } = database
  const { gift } = order
  const isVoucher = gift !== undefined
  const [found, { attempts, unsettled }, { name: studioName }] = await Promise.all([
    findPackage(db, order.packageId, now),
    paymentsSoFar(db, member.id, order.packageId),
    currentFacts(db),
  ])
  const bought = found ?? refuse(packageRefusals.package_not_found)
  refuseBlocked(member)
  if (!bought.isActive) refuse(paymentRefusals.package_not_on_sale)
  if (gift) refuseGift(bought, gift, now)
  const alike = unsettled.filter(({ code, gift: to }) => code === (order.code ?? null) && isSameRecipient(to, gift))
  const open = alike.find(({ payment }) => isPrice(order.amount, payment.amountPence))?.payment
  const use = { packageId: bought.id, userId: member.id }
  const reserved = order.code && open ? await reservedCode(db, open.id, now) : undefined
  const usable = order.code
    ? await usableCode(db, { code: order.code, ...use }, now).catch(unless(reserved))
    : undefined
  const code = usable ?? reserved
  const current = orderOf(bought, code, isVoucher)
  const mayKeep = reserved !== undefined || (!order.code && isFormerPriceKept(bought.cameIntoForceAt, now))
  const totalPence = mayKeep && open ? open.amountPence : current.totalPence
  if (totalPence === 0) refuse(codeRefusals.nothing_to_pay)
  const tooLow = totalRefusal(totalPence)
  if (tooLow) refuse(tooLow)
  if (!isPrice(order.amount, totalPence)) refuse(paymentRefusals.price_changed)
  if (!gift) await refuseIfHeld(db, member, bought)

  const end = async (payment: PaymentIntentRow) => {
    await syncPayment(database, provider, payment.id, now, { full: false, isPriceOver: true })
    // The member has just paid: don't start a second payment without asking.
    refuseIfPaid((await findIntent(db, payment.id)) ?? payment)
  }
  if (open) {
    const known = await provider.find(open.id)
    const isSameCode = reserved !== undefined || (usable?.id ?? null) === open.promotionCodeId
    if (known && isPayable(known.status) && isSameCode) {
      if (usable) await keepReserved(db, open.id, now)
      return secretOf(known)
    }
    await end(open)
    if (!gift) await refuseIfHeld(db, member, bought)
  }

  // Only an open payment keeps its former price.
  if (current.totalPence !== totalPence) refuse(paymentRefusals.price_changed)
  const outdated = unsettled.filter((other) => bought.purchaseOncePerUser || alike.includes(other))
  for (const { payment } of outdated) if (payment !== open) await end(payment)
  if (code) await cancelOtherReservations(database, provider, { code, userId: member.id }, now)
  const paid = { package: bought, amountPence: totalPence, code: code?.code, gift }
  const intent = await provider.create({ userId: member.id, ...paid, attempt: attempts, studioName })
  const saved = { userId: member.id, bought, order: current, code }
  try {
    if (!code && !gift) await saveIntent(db, intent.id, saved, now)
    else
      await database.transaction(async (tx) => {
        if (!(await saveIntent(tx, intent.id, saved, now))) return
        if (code) await takeUse(tx, { code, ...use }, { paymentIntentId: intent.id }, now)
        const { classCount, validityMonths } = bought
        const terms = { amountPence: totalPence, classCount, validityMonths }
        const sold = { paymentIntentId: intent.id, buyerId: member.id, bought, terms }
        if (gift) await reserveVoucher(tx, vault, { ...sold, gift }, now)
      })
  } catch (error) {
    // The account has just been deleted. Without the client secret this intent cannot be paid.
    if (violates(error, 'payment_intents_user_id_fkey')) refuse(commonRefusals.unauthorized)
    throw error
  }
  return secretOf(intent)
}

/** For a code that is refused now, while an open payment has it reserved. */
const unless = (reserved: PromotionCodeRow | undefined) => (error: unknown) => {
  if (reserved && error instanceof Refusal) return undefined
  throw error
}

/** Cancels the member's unpaid payments that have this code reserved, if it makes the order free. */
export async function releaseCodeForFreeOrder(
  database: Database,
  provider: Provider,
  wanted: { code: string; packageId: number; userId: string },
  now: Temporal.Instant,
): Promise<void> {
  const bought = await findPackage(database.db, wanted.packageId, now)
  const code = await usableCode(database.db, wanted, now).catch((error) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!bought || !code || orderOf(bought, code).totalPence > 0) return
  await cancelOtherReservations(database, provider, { code, userId: wanted.userId }, now)
}

/** A code that can be used once belongs to the member's latest order. One that was paid first is honoured. */
async function cancelOtherReservations(
  database: Database,
  provider: Provider,
  { code, userId }: { code: PromotionCodeRow; userId: string },
  now: Temporal.Instant,
): Promise<void> {
  const isForOneUse =
    code.oncePerMember || code.firstPurchaseOnly || (code.maxUses !== null && code.uses >= code.maxUses)
  if (!isForOneUse) return
  for (const id of await reservationsOf(database.db, { code, userId })) {
    await syncPayment(database, provider, id, now, { full: false, isPriceOver: true })
  }
}

/**
 * Records what a payment is for, and at which price; the second of two calls for one payment changes nothing.
 *
 * @returns whether it was new
 */
export async function saveIntent(
  writer: Reader,
  id: string,
  {
    userId,
    bought,
    order = orderOf(bought),
    code,
  }: { userId: string; bought: PackageRow; order?: Order; code?: PromotionCodeRow },
  now: Temporal.Instant,
): Promise<boolean> {
  const { id: packageId, classCount, validityMonths } = bought
  const saved = await writer
    .insert(paymentIntents)
    .values({
      id,
      userId,
      packageId,
      amountPence: order.totalPence,
      classCount,
      validityMonths,
      state: 'open',
      nextPollAt: nextPollAt('open', now, now),
      createdAt: now,
      promotionCodeId: code?.id ?? null,
      lines: order.lines,
    })
    .onConflictDoNothing()
    .returning({ id: paymentIntents.id })
  return saved.length > 0
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
