/**
 * Records what the site has acknowledged, and requests whose outcome is unknown.
 */
export class Witness {
  readonly bookings = new Map<
    number,
    { userId: string; classId: number; state: 'booked' | 'cancelling' | 'cancelled' }
  >()
  /** Payment → the pass that purchase-package returned. */
  readonly purchases = new Map<string, { userId: string; passId: number }>()
  /** Payments that the sandbox confirmed. */
  readonly paid = new Set<string>()
  /** Payments that purchase-package refunded. */
  readonly givenBack = new Set<string>()
  /** Number of acknowledged requests by kind. */
  readonly acknowledged: Record<string, number> = {}
  refused = 0
  unanswered = 0
  /** Responses that should never happen. */
  readonly surprises: string[] = []

  count(kind: string): void {
    this.acknowledged[kind] = (this.acknowledged[kind] ?? 0) + 1
  }
}
