import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import { type Purchase, RefundForm } from '#payments/contract.ts'
import { NumberField, TextArea, TextField } from '#ui/form-fields.tsx'
import { FormDialog } from '../dialog-form.tsx'
import { CoolingOffNote } from './cooling-off-note.tsx'
import { useRefundPurchase } from './refund-changes.ts'
import { GIVE_BACK } from './refund-dialog.tsx'

/** A refund beside the rule: any part of what is left, with a reason and as many credits as the owner says. */
export function OtherRefundDialog({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { user, refund, creditsRemaining, deskMethod } = purchase
  const form = useForm<z.input<typeof RefundForm>, unknown, z.output<typeof RefundForm>>({
    resolver: zodResolver(RefundForm),
    defaultValues: { amount: refund.most, reason: '', credits: 0 },
  })
  const send = useRefundPurchase(purchase, onClose)
  const buyer = user ? `, bought by ${user.firstName} ${user.lastName}` : ''
  return (
    <FormDialog
      title="Another refund"
      description={`${purchase.package.name}${buyer}. At most ${formatMoney(refund.most)} can be refunded. If all of it is refunded, the pass ends and its booked classes are cancelled; if less, you choose how many credits to take.${deskMethod ? ` ${GIVE_BACK[deskMethod]}` : ''}`}
      form={form}
      mutation={send}
      submit="Refund"
      danger
      cancel="Keep"
      onClose={onClose}
      before={<CoolingOffNote purchase={purchase} />}
      after={<History subject={`purchase:${purchase.id}`} />}
    >
      <TextField name="amount" label="Amount (£)" inputMode="decimal" />
      <TextArea name="reason" label="Reason" help="For your records; the member does not see it." />
      {Boolean(creditsRemaining) && (
        <NumberField
          name="credits"
          label="Credits to take"
          help={`The pass holds ${creditsRemaining}.`}
          min={0}
          max={creditsRemaining ?? 0}
        />
      )}
    </FormDialog>
  )
}
