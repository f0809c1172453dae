import type { Pence } from '#foundation/money.ts'

/** The least a package costs: no card can be charged with less. Source: docs/studio-rules.md#packages */
export const LEAST_PRICE: Pence = 30

/**
 * Whether a package may be saved as it is `after` the save: it costs at least {@link LEAST_PRICE}, or is hidden and
 * keeps the price that it had before there was a least.
 */
export function mayBeSaved(before: { pricePence: Pence }, after: { pricePence: Pence; isActive: boolean }): boolean {
  if (after.pricePence >= LEAST_PRICE) return true
  return !after.isActive && after.pricePence === before.pricePence
}
