import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import type { Purchase } from '#payments/contract.ts'
import { paymentsApi } from '#payments/web/api.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange } from '../dialog-form.tsx'
import { CHANGED } from './refund-changes.ts'

/** Asks before a sale at the desk is taken back as recorded by mistake. */
export function VoidSaleDialog({
  purchase,
  user,
  onClose,
}: {
  purchase: Purchase
  user: NonNullable<Purchase['user']>
  onClose: () => void
}) {
  const remove = useAdminMutation({
    mutationFn: () => paymentsApi.voidSale.call({ params: { id: user.id, purchaseId: purchase.id } }),
    says: { success: 'Sale voided', failure: 'Failed to void the sale' },
    stale: CHANGED,
    onSuccess: onClose,
  })
  return (
    <ConfirmChange
      title="Void this sale?"
      text={`${purchase.package.name} for ${formatMoney(purchase.amount)}, recorded today for ${user.firstName} ${user.lastName}. For a sale recorded by mistake: the pass is taken back, the amount no longer counts as revenue, and they are told by email. The entry stays, marked as voided.`}
      keep="Keep"
      confirm="Void sale"
      mutation={remove}
      onClose={onClose}
    >
      <History subject={`purchase:${purchase.id}`} />
    </ConfirmChange>
  )
}
