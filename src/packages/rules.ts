import { instantAt, today } from '#foundation/instants.ts'
import type { Pence } from '#foundation/money.ts'
import { studio } from '#studio.ts'

/** Cards cannot be charged less. Source: docs/studio-rules.md#packages */
export const MIN_PRICE_PENCE: Pence = 30

type Priced = {
  pricePence: Pence
  nextPricePence: Pence | null
  nextPriceFrom: string | null
  cameIntoForceAt: Temporal.Instant | null
}

/** A package with the price in force at `now`; the next price from its day on. Source: docs/studio-rules.md#packages */
export function inForce<P extends Priced>(sold: P, now: Temporal.Instant): P {
  const { nextPricePence, nextPriceFrom } = sold
  if (nextPricePence === null || nextPriceFrom === null || nextPriceFrom > today(now)) return sold
  const cameIntoForceAt = instantAt(nextPriceFrom, '00:00')
  return { ...sold, pricePence: nextPricePence, cameIntoForceAt, nextPricePence: null, nextPriceFrom: null }
}

/** Whether a payment that was started before a planned price came into force still keeps its own: for 30 minutes. */
export function isFormerPriceKept(cameIntoForceAt: Temporal.Instant | null, now: Temporal.Instant): boolean {
  if (!cameIntoForceAt) return false
  return Temporal.Instant.compare(now, cameIntoForceAt.add({ minutes: studio.policies.formerPriceMinutes })) < 0
}

type OnSale = { price: string; classCount: number; purchaseOncePerUser: boolean }

/** What one class costs on its own: the cheapest package of one class that members can buy repeatedly. */
export function priceOfOne(onSale: readonly OnSale[]): string | undefined {
  const single = onSale.filter(({ classCount, purchaseOncePerUser }) => classCount === 1 && !purchaseOncePerUser)
  return single.map(({ price }) => price).sort((a, b) => Number(a) - Number(b))[0]
}
