/**
 * The payment this tab has asked the provider to make and not heard about: it outlives a reload, so that what was
 * paid meanwhile is activated instead of being offered a second time. Holds an id, no card.
 */
const KEY = 'payment-underway'

export type Underway = { packageId: number; paymentIntentId: string }

export function paymentUnderway(packageId: number): Underway | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return kept?.packageId === packageId && typeof kept.paymentIntentId === 'string' ? kept : undefined
  } catch {
    return undefined
  }
}

export function keepUnderway(payment: Underway): void {
  sessionStorage.setItem(KEY, JSON.stringify(payment))
}

export function dropUnderway(): void {
  sessionStorage.removeItem(KEY)
}
