/**
 * Remembers what the site has acknowledged, and of what it was only asked: that may or may not have happened when the
 * answer was lost.
 */
export class Witness {
  readonly bookings = new Map<
    number,
    { userId: string; classId: number; state: 'booked' | 'cancelling' | 'cancelled' }
  >()
  /** Payment → the pass that purchase-package answered. */
  readonly purchases = new Map<string, { userId: string; passId: number }>()
  /** Payments that the sandbox said were made. */
  readonly paid = new Set<string>()
  /** Payments that purchase-package said were given back. */
  readonly givenBack = new Set<string>()
  /** How often each kind of request was acknowledged, was refused in words, or got no answer. */
  readonly acknowledged: Record<string, number> = {}
  refused = 0
  unanswered = 0
  /** What should never have been answered: a 5xx, a refusal that makes no sense. */
  readonly surprises: string[] = []

  count(kind: string): void {
    this.acknowledged[kind] = (this.acknowledged[kind] ?? 0) + 1
  }
}
