import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { formatMoney } from '#foundation/money.ts'
import { type Purchase, type PurchaseRefund, RefundForm } from '#payments/contract.ts'
import { NumberField } from '#ui/form-fields.tsx'
import { FormDialog } from '../dialog-form.tsx'
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
    <FormDialog
      title={isPart ? 'How many credits go with this refund?' : 'Has this been dealt with?'}
      description={
        isPart
          ? `${amount} for ${purchase.package.name} was refunded at the card provider. The pass holds ${purchase.creditsRemaining ?? 0} credits. Classes already booked stay booked.`
          : `The refund of ${amount} for ${purchase.package.name} did not arrive. If you have agreed another way with the member, say so here; to send it again, use the refund beside it.`
      }
      form={form}
      mutation={decide}
      submit={isPart ? 'Save decision' : 'Mark as dealt with'}
      onClose={onClose}
    >
      {isPart && <NumberField name="credits" label="Credits to take" min={0} max={purchase.creditsRemaining ?? 0} />}
    </FormDialog>
  )
}
