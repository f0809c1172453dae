import { defined } from '#foundation/collections.ts'
import type { Pence } from '#foundation/money.ts'
import type { RefusalDefinition } from '#foundation/refusal.ts'
import { MIN_PRICE_PENCE } from '#packages/rules.ts'
import { codeRefusals } from './code-refusals.ts'
import type { OrderLine, PromotionCodeRow } from './tables.ts'

export type Order = { lines: OrderLine[]; totalPence: Pence }

/**
 * The lines of an order and their total. A percentage is rounded in the member's favour, and an order never costs less
 * than nothing. Source: docs/studio-rules.md#promotion-codes
 */
export function orderOf(
  sold: { name: string; pricePence: Pence },
  code?: Pick<PromotionCodeRow, 'code' | 'kind' | 'value'>,
  isGift = false,
): Order {
  const line: OrderLine = { kind: isGift ? 'voucher' : 'package', label: sold.name, amountPence: sold.pricePence }
  if (!code) return { lines: [line], totalPence: sold.pricePence }
  const off = code.kind === 'amount' ? code.value : Math.ceil((sold.pricePence * code.value) / 100)
  const discountPence = Math.min(off, sold.pricePence)
  const label = code.kind === 'percent' ? `Code ${code.code}, ${code.value}% off` : `Code ${code.code}`
  const discount: OrderLine = { kind: 'discount', label, amountPence: -discountPence }
  return { lines: [line, discount], totalPence: sold.pricePence - discountPence }
}

/** The price of what is sold, before any discount. */
export const listPence = ({ lines }: { lines: readonly OrderLine[] }): Pence => defined(lines[0]).amountPence

/** Whether an order at the checkout buys a gift voucher instead of a pass. */
export function isGift({ lines }: { lines: readonly OrderLine[] }): boolean {
  return lines.some(({ kind }) => kind === 'voucher')
}

/** The name of what an order is for, as sold. */
export const packageNameOf = ({ lines }: { lines: readonly OrderLine[] }) => defined(lines[0]).label

/** A line in words. */
export const lineWords = ({ kind, label }: OrderLine) => (kind === 'voucher' ? `Gift voucher: ${label}` : label)

type Recipient = { recipientName: string; recipientEmail?: string | null | undefined }

/** Whether two orders are for the same person, or neither is a gift. */
export function isSameRecipient(one: Recipient | null | undefined, other: Recipient | null | undefined): boolean {
  if (!one || !other) return !one && !other
  const emailOf = ({ recipientEmail }: Recipient) => recipientEmail?.toLowerCase() ?? null
  return one.recipientName === other.recipientName && emailOf(one) === emailOf(other)
}

/** Why an order cannot be paid: a card cannot be charged a few pence. Nothing to pay is fine. */
export function totalRefusal(totalPence: Pence): RefusalDefinition | undefined {
  return totalPence > 0 && totalPence < MIN_PRICE_PENCE ? codeRefusals.total_too_low : undefined
}

type UsableCode = Pick<
  PromotionCodeRow,
  'endedAt' | 'fromDay' | 'untilDay' | 'packageIds' | 'maxUses' | 'uses' | 'oncePerMember' | 'firstPurchaseOnly'
>

/**
 * Why a member cannot use a code for a package on a London day.
 * Source: docs/studio-rules.md#promotion-codes
 *
 * @param member what is on record: whether they have used this code, and whether they have bought anything
 */
export function codeRefusal(
  code: UsableCode,
  { packageId, day, member }: { packageId: number; day: string; member: { hasUsed: boolean; hasBought: boolean } },
): RefusalDefinition | undefined {
  if (code.endedAt || (code.untilDay !== null && day > code.untilDay)) return codeRefusals.code_ended
  if (code.fromDay !== null && day < code.fromDay) return codeRefusals.code_not_started
  if (code.packageIds && !code.packageIds.includes(packageId)) return codeRefusals.code_not_for_package
  if (code.oncePerMember && member.hasUsed) return codeRefusals.code_already_used
  if (code.firstPurchaseOnly && member.hasBought) return codeRefusals.code_for_first_purchase
  if (code.maxUses !== null && code.uses >= code.maxUses) return codeRefusals.code_used_up
  return undefined
}
