import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import { type Purchase, RefundForm } from '#payments/contract.ts'
import { Dialog } from '#ui/dialog.tsx'
import { TextArea, TextField } from '#ui/field.tsx'
import { DialogForm } from '../dialog-form.tsx'
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
  const { errors } = form.formState
  const buyer = user ? `, bought by ${user.firstName} ${user.lastName}` : ''
  return (
    <Dialog
      open
      onClose={onClose}
      title="Another refund"
      description={`${purchase.package.name}${buyer}. At most ${formatMoney(refund.most)} can be refunded. If all of it is refunded, the pass ends and its booked classes are cancelled; if less, you choose how many credits to take.${deskMethod ? ` ${GIVE_BACK[deskMethod]}` : ''}`}
    >
      <CoolingOffNote purchase={purchase} />
      <DialogForm form={form} mutation={send} submit="Refund" danger cancel="Keep" onClose={onClose}>
        <TextField label="Amount (£)" inputMode="decimal" error={errors.amount?.message} {...form.register('amount')} />
        <TextArea
          label="Reason"
          help="For your records; the member does not see it."
          error={errors.reason?.message}
          {...form.register('reason')}
        />
        {Boolean(creditsRemaining) && (
          <TextField
            label="Credits to take"
            help={`The pass holds ${creditsRemaining}.`}
            type="number"
            inputMode="numeric"
            min={0}
            max={creditsRemaining ?? 0}
            error={errors.credits?.message}
            {...form.register('credits', { valueAsNumber: true })}
          />
        )}
      </DialogForm>
      <History subject={`purchase:${purchase.id}`} />
    </Dialog>
  )
}
