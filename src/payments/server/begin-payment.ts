import type { User } from '#accounts/contract.ts'
import { type BlockStatus, refuseBlocked } from '#accounts/server/accounts.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { commonRefusals, Refusal, refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { isFormerPriceKept } from '#packages/rules.ts'
import { findPackage, toPackage } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { hasPassFor } from '#passes/server/passes.ts'
import { type Database, type Reader, violates } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import type { Gift } from '#vouchers/contract.ts'
import { changeReservedVoucher, refuseGift, reserveVoucher } from '#vouchers/server/vouchers.ts'
import { codeRefusals } from '../code-refusals.ts'
import { paymentRefusals } from '../contract.ts'
import { type Order, orderOf, totalRefusal } from '../order-rules.ts'
import { isPayable, isPrice, nextPollAt } from '../rules.ts'
import { type PromotionCodeRow, paymentIntents } from '../tables.ts'
import { forgetBeginRequest } from './begin-requests.ts'
import { reservationsOf, reservedCode, takeUse, usableCode } from './codes.ts'
import type { Provider } from './provider.ts'
import { findIntent, paymentsSoFar } from './queries.ts'
import { syncPayment } from './sync-payment.ts'

/**
 * Starts the payment of a package, or resumes an open payment at this price; one that was started before a planned
 * price came into force, or with a code that has since ended, can be resumed at its own price for 30 minutes. No
 * transaction is open while the provider is called: concurrent calls get the same payment through the idempotency key
 * of their attempt. A gift has its own payment, and resuming it changes who gets the voucher.
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
  const [found, { attempts, open }, { name: studioName }] = await Promise.all([
    findPackage(db, order.packageId, now),
    paymentsSoFar(db, member.id, { packageId: order.packageId, isVoucher }),
    currentFacts(db),
  ])
  const bought = found ?? refuse(packageRefusals.package_not_found)
  refuseBlocked(member)
  if (!bought.isActive) refuse(paymentRefusals.package_not_on_sale)
  if (gift) refuseGift(bought, gift, now)
  const reserved = open?.promotionCodeId ? await reservedCode(db, open.id, now) : undefined
  const isReserved = reserved !== undefined && reserved.code === order.code
  const use = { packageId: bought.id, userId: member.id }
  const newCode = order.code && !isReserved ? await usableCode(db, { code: order.code, ...use }, now) : undefined
  const usedCode = isReserved ? reserved : newCode
  const current = orderOf(bought, usedCode, isVoucher)
  const mayKeep = isReserved || (!order.code && !reserved && isFormerPriceKept(bought.cameIntoForceAt, now))
  const totalPence = mayKeep && open && isPrice(order.amount, open.amountPence) ? open.amountPence : current.totalPence
  if (totalPence === 0) refuse(codeRefusals.nothing_to_pay)
  const tooLow = totalRefusal(totalPence)
  if (tooLow) refuse(tooLow)
  if (!isPrice(order.amount, totalPence)) refuse(paymentRefusals.price_changed)
  if (!gift) await refuseIfHeld(db, member, bought)

  if (open) {
    const known = await provider.find(open.id)
    const isSameOrder = open.amountPence === totalPence && (isReserved || (!order.code && !open.promotionCodeId))
    if (known && isPayable(known.status) && isSameOrder) {
      if (open.beginRequestedAt) await forgetBeginRequest(db, open.id)
      if (gift) await changeReservedVoucher(db, { paymentIntentId: open.id, gift }, now)
      return secretOf(known)
    }
    // Paid in another tab, closed at the provider, or started at another price.
    if (known && isPayable(known.status)) await provider.cancel(open.id)
    await syncPayment(database, provider, open.id, now, { full: false })
    if (known?.status === 'processing') refuse(paymentRefusals.payment_processing)
    // The member has just paid: don't start a second payment without asking.
    if ((await findIntent(db, open.id))?.state === 'purchased')
      refuse(gift ? paymentRefusals.voucher_already_paid : paymentRefusals.payment_already_completed)
    if (!gift) await refuseIfHeld(db, member, bought)
  }

  // Only an open payment keeps its former price.
  if (current.totalPence !== totalPence) refuse(paymentRefusals.price_changed)
  if (usedCode) await cancelOtherReservations(database, provider, { code: usedCode, userId: member.id }, now)
  const paid = { package: toPackage(bought), amountPence: totalPence, code: usedCode?.code, isVoucher }
  const intent = await provider.create({ userId: member.id, ...paid, attempt: attempts, studioName })
  const saved = { userId: member.id, bought, order: current, code: usedCode }
  try {
    if (!usedCode && !gift) await saveIntent(db, intent.id, saved, now)
    else
      await database.transaction(async (tx) => {
        const isNew = await saveIntent(tx, intent.id, saved, now)
        if (isNew && usedCode) await takeUse(tx, { code: usedCode, ...use }, { paymentIntentId: intent.id }, now)
        if (!gift) return
        const { classCount, validityMonths } = bought
        const terms = { amountPence: totalPence, classCount, validityMonths }
        const reserved = { paymentIntentId: intent.id, buyerId: member.id, bought, terms, gift }
        await (isNew ? reserveVoucher(tx, vault, reserved, now) : changeReservedVoucher(tx, reserved, now))
      })
  } catch (error) {
    // The account has just been deleted. Without the client secret this intent cannot be paid.
    if (violates(error, 'payment_intents_user_id_fkey')) refuse(commonRefusals.unauthorized)
    throw error
  }
  return secretOf(intent)
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

/** A code that can be used once is reserved by the member's last checkout. One that was paid first is honoured. */
async function cancelOtherReservations(
  database: Database,
  provider: Provider,
  { code, userId }: { code: PromotionCodeRow; userId: string },
  now: Temporal.Instant,
): Promise<void> {
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
