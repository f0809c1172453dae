import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import type { DeskMethod, Purchase } from '#payments/contract.ts'
import { studio } from '#studio.ts'
import { ConfirmChange } from '../dialog-form.tsx'
import { CoolingOffNote } from './cooling-off-note.tsx'
import { useRefundPurchase } from './refund-changes.ts'

/** What the owner does with the money of a sale at the desk; only that it was done is recorded. */
export const GIVE_BACK: Record<DeskMethod, string> = {
  cash: 'Give the money back in cash: this records that you have.',
  bank_transfer: 'Send the money back by bank transfer: this records that you have.',
  card_reader: 'Refund the money on the card reader: this records that you have.',
  other: 'Give the money back the way it was paid: this records that you have.',
}

/** Asks before a refund, with what goes back and what is kept. */
export function RefundDialog({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { user, amount, refund, deskMethod } = purchase
  const way = deskMethod ? GIVE_BACK[deskMethod] : 'The money goes back to the card or account it came from.'
  const remove = useRefundPurchase(purchase, onClose)
  const facts = [
    ['Paid', amount],
    [`Processing fee (${studio.policies.refundFeePercent}%)`, refund.fee ?? '0'],
    ['Refund', refund.amount ?? '0'],
  ] as const
  return (
    <ConfirmChange
      title="Refund this purchase?"
      text={`${purchase.package.name}${user ? `, bought by ${user.firstName} ${user.lastName}` : ''}. The pass is taken back and the member is told by email. ${way}`}
      keep="Keep"
      confirm={`Refund ${formatMoney(refund.amount ?? '0')}`}
      mutation={{ ...remove, mutate: () => remove.mutate(undefined) }}
      onClose={onClose}
    >
      <dl className="mt-6 grid gap-2 rounded-row bg-linen p-4">
        {facts.map(([term, pounds]) => (
          <div
            key={term}
            className="flex justify-between gap-4 last:border-t last:border-line last:pt-2 last:font-medium"
          >
            <dt>{term}</dt>
            <dd className="tabular-nums">{formatMoney(pounds)}</dd>
          </div>
        ))}
      </dl>
      <CoolingOffNote purchase={purchase} />
      {purchase.cancellableUntil && (
        <p className="mt-3 text-[0.9375rem]/[1.5] text-ink-soft">
          If they use this right, no fee may be kept: choose “Other refund” instead.
        </p>
      )}
      <History subject={`purchase:${purchase.id}`} />
    </ConfirmChange>
  )
}
