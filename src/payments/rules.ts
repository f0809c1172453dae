import { type Pence, toPence } from '../foundation/money.ts'

/** The currency of everything: pounds sterling, as the provider writes it. */
export const CURRENCY = 'gbp'

/** Whether what a caller thinks a package costs (pounds, number or text) is exactly its price. */
export function isPrice(amount: string | number, price: Pence): boolean {
  // More than two decimals is no amount of money, whatever it rounds to.
  return /^\d+(\.\d{1,2}0*)?$/.test(String(amount)) && toPence(Number(amount).toFixed(2)) === price
}

/** What the provider says of a payment, as far as it matters here. */
export type PaidIntent = {
  status: string
  amount_received: number
  currency: string
  metadata: Record<string, string>
}

/** Whether the provider collected exactly what was asked, for this member and package. */
export function paysFor(
  paid: PaidIntent,
  asked: { amountPence: Pence; userId: string | null; packageId: number },
): boolean {
  return (
    paid.status === 'succeeded' &&
    paid.amount_received === asked.amountPence &&
    paid.currency === CURRENCY &&
    (asked.userId === null || paid.metadata.userId === asked.userId) &&
    paid.metadata.packageId === String(asked.packageId)
  )
}

/** Whether a payment can still be made with this intent, or is just being made. */
export function isPayable(status: string): boolean {
  return ['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing'].includes(status)
}
