import type { Pence } from '#foundation/money.ts'

/** Cards cannot be charged less. Source: docs/studio-rules.md#packages */
export const MIN_PRICE_PENCE: Pence = 30

/** Whether a package costs at least {@link MIN_PRICE_PENCE}, or is hidden and keeps an older, lower price. */
export function mayBeSaved(before: { pricePence: Pence }, after: { pricePence: Pence; isActive: boolean }): boolean {
  if (after.pricePence >= MIN_PRICE_PENCE) return true
  return !after.isActive && after.pricePence === before.pricePence
}
