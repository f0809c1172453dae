import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { formatMoney } from '#foundation/money.ts'
import { type Purchase, type PurchaseRefund, RefundForm } from '#payments/contract.ts'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { DialogForm } from '../dialog-form.tsx'
import { useDecideRefund } from './refund-changes.ts'

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
  const form = useForm({ resolver: zodResolver(CreditsForm), defaultValues: { credits: 0 } })
  const decide = useDecideRefund(refund, onClose)
  const amount = formatMoney(refund.amount)
  return (
    <Dialog
      open
      onClose={onClose}
      title={isPart ? 'How many credits go with this refund?' : 'Has this been dealt with?'}
      description={
        isPart
          ? `${amount} for ${purchase.package.name} was refunded at the card provider. The pass holds ${purchase.creditsRemaining ?? 0} credits. Classes already booked stay booked.`
          : `The refund of ${amount} for ${purchase.package.name} did not arrive. If you have agreed another way with the member, say so here; to send it again, use the refund beside it.`
      }
    >
      <DialogForm
        form={form}
        mutation={decide}
        submit={isPart ? 'Save decision' : 'Mark as dealt with'}
        onClose={onClose}
      >
        {isPart && (
          <TextField
            label="Credits to take"
            type="number"
            inputMode="numeric"
            min={0}
            max={purchase.creditsRemaining ?? 0}
            error={form.formState.errors.credits?.message}
            {...form.register('credits', { valueAsNumber: true })}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}
