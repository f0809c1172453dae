import { toDecimal } from '#foundation/money.ts'
import { packageNameOf } from '#payments/order-rules.ts'
import type { OrderLine } from '#payments/tables.ts'
import { newLines, pairRows, type Snapshot } from './snapshot.ts'
import type { World } from './world.ts'

const NOTICES = {
  inquiry: 'inquiry_opened',
  open: 'dispute_opened',
  won: 'dispute_won',
  lost: 'dispute_lost',
  closed: 'inquiry_closed',
} as const

/** What changed about money, as sentences like those of `notifications.ts`. */
export function moneyChanges(world: World, before: Snapshot, after: Snapshot): string[] {
  const nameOf = (userId: string | null | undefined) => world.members.find(({ id }) => id === userId)?.name ?? 'unknown'
  const partiesOf = (deal: { userId: string | null; lines: OrderLine[] } | undefined) => {
    return { name: nameOf(deal?.userId), sold: deal && packageNameOf(deal) }
  }
  const paymentOf = (id: string | null, purchaseId?: number | null) =>
    partiesOf(after.intents.find((row) => row.id === id) ?? after.purchases.find((row) => row.id === purchaseId))
  const sentences: string[] = []
  for (const { was, now } of pairRows(before.purchases, after.purchases)) {
    const { name, sold } = partiesOf(now)
    if (!was) sentences.push(`${name} has paid purchase ${now.id}`)
    if (now.voidedAt && !was?.voidedAt) sentences.push(`${name} is emailed that purchase ${now.id} of ${sold} was void`)
  }
  for (const { was, now } of pairRows(before.intents, after.intents)) {
    if (now.state !== 'refunded' || was?.state === 'refunded') continue
    const { name, sold } = paymentOf(now.id)
    for (const who of [name, 'the owner']) sentences.push(`${who} is emailed that a payment for ${sold} goes back`)
  }
  for (const { was, now } of pairRows(before.refunds, after.refunds)) {
    const { name, sold } = paymentOf(now.paymentIntentId, now.purchaseId)
    const pass = after.passes.find(({ purchaseId }) => purchaseId !== null && purchaseId === now.purchaseId)
    const left = pass && !pass.refundedAt
    const isOurs = now.origin !== 'provider'
    if (!was && now.purchaseId && (isOurs || now.status !== 'failed')) {
      sentences.push(`${name} is refunded £${toDecimal(now.amountPence)} of ${sold}`)
      if (!isOurs) {
        const purchase = after.purchases.find(({ id }) => id === now.purchaseId)
        const isWhole = purchase && purchase.refundedPence >= purchase.amountPence
        const withoutPass = isWhole ? 'refunded_there' : 'more_refunded_there'
        const kind = left ? 'partly_refunded_there' : withoutPass
        sentences.push(`the owner is emailed ${kind} of ${sold}`)
      }
    }
    // A refund may be decided, sent and refused in one step.
    if (was?.status !== 'failed' && now.status === 'failed') {
      const isBack = now.failure === 'refunded_at_the_provider' || now.failure === 'charge_already_refunded'
      sentences.push(`the owner is emailed ${isBack ? 'refund_not_needed' : 'refund_failed'} of ${sold}`)
      if (!isBack && (isOurs || was)) sentences.push(`${name} misses £${toDecimal(now.amountPence)} of ${sold}`)
    }
  }
  for (const { was, now } of pairRows(before.disputes, after.disputes)) {
    if (was?.status === now.status) continue
    const { name, sold } = paymentOf(now.paymentIntentId)
    sentences.push(`the owner is emailed ${NOTICES[now.status]} of ${sold}`)
    const passBefore = before.passes.find(({ purchaseId }) => purchaseId === now.purchaseId)
    const voucher = after.vouchers.find(({ purchaseId }) => purchaseId === now.purchaseId)
    const wasVoid = before.vouchers.some(({ id, voidedAt }) => id === voucher?.id && voidedAt)
    const hadPass = passBefore ? !passBefore.refundedAt : voucher && !voucher.redeemedAt && !wasVoid
    if (now.status === 'lost' && hadPass) sentences.push(`${name} has a pass-ended for ${sold}`)
  }
  const hasChanged = (was: Temporal.Instant | null | undefined, now: Temporal.Instant | null) =>
    was !== undefined && Boolean(was) !== Boolean(now)
  // A pass, perhaps of a member who redeemed a voucher and whose buyer has the money back.
  for (const { was, now } of pairRows(before.passes, after.passes)) {
    const sold = after.purchases.find(({ id }) => id === now.purchaseId)
    const words = `for ${sold ? packageNameOf(sold) : world.packages.find(({ id }) => id === now.packageId)?.name}`
    const holder = nameOf(now.userId)
    if (sold && sold.userId !== now.userId) {
      const taken = newLines(before, after).filter(({ passId, kind }) => passId === now.id && kind === 'refund')
      if (was && !was.refundedAt && now.refundedAt) sentences.push(`${holder} has a pass-ended ${words}`)
      else sentences.push(...taken.map(() => `${holder} got a mail called gift-credits-taken`))
    }
    if (hasChanged(was?.frozenAt, now.frozenAt) && !was?.refundedAt && !now.refundedAt)
      sentences.push(`${holder} has a pass-${now.frozenAt ? 'on' : 'off'}-hold ${words}`)
  }
  for (const { was, now } of pairRows(before.vouchers, after.vouchers)) {
    if (!hasChanged(was?.frozenAt, now.frozenAt) || now.voidedAt || now.redeemedAt) continue
    const { name, sold } = paymentOf(now.paymentIntentId, now.purchaseId)
    sentences.push(`${name} has a pass-${now.frozenAt ? 'on' : 'off'}-hold for ${sold}`)
  }
  return sentences
}
