import type { ProviderRefund } from '../provider-state.ts'
import type { RefundRow } from '../tables.ts'

type Match = (row: RefundRow, refund: ProviderRefund) => boolean

const byProviderId: Match = (row, refund) => row.providerId === refund.id
const byReference: Match = (row, refund) =>
  !row.providerId && row.reference === refund.ours && row.amountPence === refund.amount

/**
 * Whether a refund there may be ours from before it carried our reference: then it said its purchase, or nothing when a
 * payment was given back. One that is only decided was perhaps sent by then.
 */
const byOldMarks: Match = (row, refund) => {
  if (row.providerId || row.status === 'failed' || refund.ours !== null) return false
  if (row.amountPence !== refund.amount) return false
  if (refund.ofPurchase !== null) return row.origin === 'rule' && row.purchaseId === refund.ofPurchase
  return row.origin === 'given_back' || row.status !== 'decided'
}

/** Which of our refunds of a payment the provider's are, each at most once; the surest signs first. */
export function matchRefunds(
  rows: readonly RefundRow[],
  remote: readonly ProviderRefund[],
): ReadonlyMap<ProviderRefund, RefundRow> {
  const found = new Map<ProviderRefund, RefundRow>()
  const taken = new Set<RefundRow>()
  // One that failed is taken for an old one of ours only when no other can be it.
  const inOrder = [...remote].sort((a, b) => Number(a.status === 'failed') - Number(b.status === 'failed'))
  for (const match of [byProviderId, byReference, byOldMarks]) {
    for (const refund of inOrder) {
      const row = found.has(refund) ? undefined : rows.find((one) => !taken.has(one) && match(one, refund))
      if (!row) continue
      found.set(refund, row)
      taken.add(row)
    }
  }
  return found
}

/** The provider's refund that a decided one of ours has become already. */
export function alreadyMade(row: RefundRow, remote: readonly ProviderRefund[]): ProviderRefund | undefined {
  return (
    remote.find((refund) => byReference(row, refund)) ??
    remote.find((refund) => refund.status !== 'failed' && byOldMarks(row, refund))
  )
}
