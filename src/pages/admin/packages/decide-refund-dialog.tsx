import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { call } from '../../../foundation/call.ts'
import { formatMoney } from '../../../foundation/money.ts'
import { analyticsKey } from '../../../insights/web/figures.ts'
import { usersKey } from '../../../insights/web/users.ts'
import { passesKey } from '../../../passes/web/passes.ts'
import { type decideRefund, type Purchase, type PurchaseRefund, RefundForm } from '../../../payments/contract.ts'
import { purchasesKey } from '../../../payments/web/purchases.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { Refused } from '../fresh-version.tsx'

const CreditsForm = RefundForm.pick({ credits: true })

/** The owner says what follows from a refund: how many credits go with it, or that one that failed is dealt with. */
export function DecideRefundDialog({
  purchase,
  refund,
  onClose,
}: {
  purchase: Purchase
  refund: PurchaseRefund
  onClose: () => void
}) {
  const isPart = refund.decision === 'credits'
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(CreditsForm),
    defaultValues: { credits: 0 },
  })
  const decide = useAdminMutation({
    mutationFn: (body: { credits?: number }) =>
      call<typeof decideRefund>(
        { method: 'POST', path: '/api/admin/refunds/:id/decide' },
        { params: { id: refund.id }, body },
      ),
    says: { success: 'Decision saved', failure: 'Failed to save the decision' },
    stale: [purchasesKey, usersKey, passesKey, analyticsKey],
    onSuccess: onClose,
  })
  const amount = formatMoney(refund.amount)
  return (
    <Dialog
      open
      onClose={onClose}
      title={isPart ? 'How many credits go with this refund?' : 'Has this been dealt with?'}
      description={
        isPart
          ? `${amount} for ${purchase.package.name} was refunded at the card provider. The pass holds ${purchase.creditsRemaining ?? 0} credits. Classes already booked stay booked.`
          : `The refund of ${amount} for ${purchase.package.name} did not arrive. If you have agreed on another way with the member, say so here; to send it again, use the refund beside it.`
      }
    >
      <form noValidate onSubmit={handleSubmit((sent) => decide.mutate(isPart ? sent : {}))} className="mt-6 grid gap-5">
        {isPart && (
          <TextField
            label="Credits to take"
            type="number"
            inputMode="numeric"
            min={0}
            max={purchase.creditsRemaining ?? 0}
            error={formState.errors.credits?.message}
            {...register('credits', { valueAsNumber: true })}
          />
        )}
        <Refused refusal={decide.refusal} />
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={decide.isPending}>
            {isPart ? 'Save decision' : 'Mark as dealt with'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
