import type { ProviderRefund } from '../provider-state.ts'
import type { RefundRow } from '../tables.ts'

type Match = (row: RefundRow, refund: ProviderRefund) => boolean

const byProviderId: Match = (row, refund) => row.providerId === refund.id
const byNumber: Match = (row, refund) => !row.providerId && row.id === refund.ours

/**
 * Whether a refund there may be ours from before it carried our number: then it said its purchase, or nothing when a
 * payment was given back. One that is only decided was perhaps sent by then.
 */
const byOldMarks: Match = (row, refund) => {
  if (row.providerId || row.status === 'failed' || refund.ours !== null) return false
  if (refund.ofPurchase !== null) return row.origin === 'rule' && row.purchaseId === refund.ofPurchase
  return row.amountPence === refund.amount && (row.origin === 'given_back' || row.status !== 'decided')
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
  for (const match of [byProviderId, byNumber, byOldMarks]) {
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
    remote.find((refund) => byNumber(row, refund)) ??
    remote.find((refund) => refund.status !== 'failed' && byOldMarks(row, refund))
  )
}
