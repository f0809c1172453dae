import type { Pence } from '#foundation/money.ts'

/** Cards cannot be charged less. Source: docs/studio-rules.md#packages */
export const LEAST_PRICE: Pence = 30

/** Whether a package may be saved: it costs at least {@link LEAST_PRICE}, or is hidden and keeps its older, lower price. */
export function mayBeSaved(before: { pricePence: Pence }, after: { pricePence: Pence; isActive: boolean }): boolean {
  if (after.pricePence >= LEAST_PRICE) return true
  return !after.isActive && after.pricePence === before.pricePence
}
