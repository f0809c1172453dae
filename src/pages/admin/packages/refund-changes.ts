import { useState } from 'react'
import type { z } from 'zod'
import { newKey } from '#foundation/lost-answers.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import { passQueries } from '#passes/web/passes.ts'
import type { PurchaseRefund, RefundForm } from '#payments/contract.ts'
import { paymentsApi } from '#payments/web/api.ts'
import { useAdminMutation } from '../admin-mutation.ts'

/** Money that goes back moves purchases, passes and every figure made of them. */
export const CHANGED = [paymentsApi.listPurchases, ...memberQueries, ...passQueries, insightsApi.getAnalytics]

/** Refunds a purchase: by the rule where nothing is said of the refund, or as the owner says. */
export function useRefundPurchase({ id }: { id: number }, onDone: () => void) {
  // An opened dialog is one refund, however often its answer is lost.
  const [key] = useState(newKey)
  const refundOnce = (refund: z.output<typeof RefundForm> | undefined) =>
    paymentsApi.refundPurchase.call({ params: { id }, body: refund ?? {}, key })
  return useAdminMutation({
    mutationFn: refundOnce,
    lookAgain: refundOnce,
    says: { success: 'Purchase refunded', failure: 'Failed to refund purchase' },
    stale: CHANGED,
    onSuccess: onDone,
  })
}

/** Says what follows from a refund that was made at the provider, or that one which failed is dealt with. */
export function useDecideRefund({ id, decision }: Pick<PurchaseRefund, 'id' | 'decision'>, onDone: () => void) {
  return useAdminMutation({
    mutationFn: (sent: { credits: number }) =>
      paymentsApi.decideRefund.call({ params: { id }, body: decision === 'credits' ? sent : {} }),
    says: { success: 'Decision saved', failure: 'Failed to save the decision' },
    stale: CHANGED,
    onSuccess: onDone,
  })
}
