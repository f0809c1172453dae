import { toDecimal } from '#foundation/money.ts'
import { pairRows, type Snapshot } from './snapshot.ts'
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
  const partiesOf = (deal: { userId: string | null; packageId: number } | undefined) => {
    const sold = world.packages.find((row) => row.id === deal?.packageId)?.name
    return { name: world.members.find((member) => member.id === deal?.userId)?.name ?? 'unknown', sold }
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
    if (now.status === 'lost' && passBefore && !passBefore.refundedAt)
      sentences.push(`${name} has a pass-ended for ${sold}`)
  }
  // The member who redeemed a voucher whose money goes back to its buyer.
  for (const { was, now } of pairRows(before.passes, after.passes)) {
    const voucher = after.vouchers.find(({ passId }) => passId === now.id)
    if (!voucher || voucher.buyerId === now.userId || was?.refundedAt || !now.refundedAt) continue
    const { name, sold } = partiesOf(now)
    sentences.push(`${name} has a pass-ended for ${sold}`)
  }
  return [...sentences, ...holds(world, before, after)]
}

function holds(world: World, before: Snapshot, after: Snapshot): string[] {
  return pairRows(before.passes, after.passes).flatMap(({ was, now }) => {
    if (!was || was.refundedAt || now.refundedAt || Boolean(was.frozenAt) === Boolean(now.frozenAt)) return []
    const name = world.members.find(({ id }) => id === now.userId)?.name
    const sold = world.packages.find(({ id }) => id === now.packageId)?.name
    return [`${name} has a pass-${now.frozenAt ? 'on' : 'off'}-hold for ${sold}`]
  })
}
