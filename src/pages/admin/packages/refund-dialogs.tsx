import { useState } from 'react'
import { fullName } from '#accounts/rules.ts'
import { many } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate, today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import {
  BY_HAND_METHODS,
  type DeskMethod,
  type Purchase,
  type PurchaseRefund,
  RefundByHandForm,
  RefundForm,
} from '#payments/contract.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { studio } from '#studio.ts'
import { RadioCards } from '#ui/choices.tsx'
import { SelectField } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { NumberField, TextArea, TextField } from '#ui/form-fields.tsx'
import { present } from '#ui/use-now.ts'
import { ChangeDialog, ConfirmChange } from '../dialog-form.tsx'
import { notificationText } from '../messages/notification-text.ts'

const REFUNDED = { success: 'Purchase refunded', failure: 'Failed to refund purchase' }

/** How the owner returns the money of a sale at the desk; we only record it. */
const GIVE_BACK: Record<DeskMethod, string> = {
  cash: 'Give the money back in cash. This only records that you have.',
  bank_transfer: 'Send the money back by bank transfer. This only records that you have.',
  card_reader: 'Refund the money on the card reader. This only records that you have.',
  other: 'Give the money back the way it was paid. This only records that you have.',
}

export function RefundDialog({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { user, amount, refund, deskMethod, cancellableUntil } = purchase
  const [isCancellation, setCancellation] = useState(false)
  const back = isCancellation ? amount : (refund.amount ?? '0')
  const way = deskMethod ? GIVE_BACK[deskMethod] : 'The money goes back to the card or account it came from.'
  const facts = [
    ['Paid', amount],
    [`Processing fee (${studio.policies.refundFeePercent}%)`, isCancellation ? '0' : (refund.fee ?? '0')],
    ['Refund', back],
  ] as const
  return (
    <ConfirmChange
      title="Refund this purchase?"
      text={`${purchase.package.name}${buyerOf(purchase)}. The pass ends. ${user ? `${newsForBuyer(user)} ` : ''}${way}`}
      keep="Keep"
      confirm={`Refund ${formatMoney(back)}`}
      mutationFn={() => staffPaymentsApi.refundPurchase.call({ params: { id: purchase.id }, body: { isCancellation } })}
      toasts={REFUNDED}
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
      {cancellableUntil && Number(refund.fee) > 0 && (
        <div className="mt-4">
          <RadioCards
            label="Why is it refunded?"
            name="why"
            options={WHY}
            checkedValue={isCancellation ? 'law' : 'policy'}
            onChange={({ target }) => setCancellation(target.value === 'law')}
          />
          <p className="mt-2 text-small/normal text-ink-soft">
            A member who cancels within {studio.policies.coolingOffDays} days of buying pays no fee; your policy keeps
            it.
          </p>
        </div>
      )}
      <History subject={`purchase:${purchase.id}`} />
    </ConfirmChange>
  )
}

const WHY = [
  ['policy', 'Under your refund policy'],
  ['law', 'They use their right to cancel'],
] as const

type Buyer = NonNullable<Purchase['user']>
const newsForBuyer = ({ firstName, isByPhone }: Buyer) =>
  notificationText({ firstName, email: isByPhone ? null : undefined })

const buyerOf = ({ user }: Purchase) => (user ? `, bought by ${fullName(user)}` : '')

/** A refund outside the policy: any part of what is left, with a reason and the credits to take. */
export function OtherRefundDialog({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { refund, creditsRemaining, deskMethod } = purchase
  return (
    <ChangeDialog
      title="Another refund"
      description={`${purchase.package.name}${buyerOf(purchase)}. At most ${formatMoney(refund.most)} can be refunded. If all of it is refunded, the pass ends and its booked classes are cancelled; if less, you choose how many credits to take.${deskMethod ? ` ${GIVE_BACK[deskMethod]}` : ''}`}
      schema={RefundForm}
      values={{ amount: refund.most, reason: '', credits: 0 }}
      mutationFn={(body) => staffPaymentsApi.refundPurchase.call({ params: { id: purchase.id }, body })}
      toasts={REFUNDED}
      submit="Refund"
      danger
      cancel="Keep"
      onClose={onClose}
      before={<CoolingOffNote purchase={purchase} />}
      after={<History subject={`purchase:${purchase.id}`} />}
    >
      <TextField name="amount" label="Amount (£)" inputMode="decimal" />
      <TextArea name="reason" label="Reason" help="For your records; the member does not see it." />
      <CreditsField creditsRemaining={creditsRemaining} />
    </ChangeDialog>
  )
}

/** Records money that was given back by hand, in cash or by bank transfer. */
export function PaidAnotherWayDialog({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { id, refund, refunds, creditsRemaining } = purchase
  const now = today(present())
  const failed = refunds.find(({ decision }) => decision === 'failed')
  return (
    <ChangeDialog
      title="Paid another way"
      description={`${purchase.package.name}${buyerOf(purchase)}. Records money that you have given back yourself; nothing is sent to a card. At most ${formatMoney(refund.most)}. If all of it is refunded, the pass ends and its booked classes are cancelled.`}
      schema={RefundByHandForm}
      values={{
        method: 'bank_transfer',
        amount: failed?.amount ?? refund.most,
        paidOn: now,
        reason: failed ? 'The refund did not arrive' : '',
        credits: 0,
      }}
      mutationFn={(body) => staffPaymentsApi.refundByHand.call({ params: { id }, body })}
      toasts={{ success: 'Refund recorded', failure: 'Failed to record the refund' }}
      submit="Record refund"
      cancel="Keep"
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField name="method" label="How" options={Object.entries(BY_HAND_METHODS)} />
        <TextField name="amount" label="Amount (£)" inputMode="decimal" />
      </div>
      <DateField name="paidOn" label="Paid on" max={now} />
      <TextArea name="reason" label="Reason" help="For your records; the member does not see it." />
      <CreditsField creditsRemaining={creditsRemaining} />
    </ChangeDialog>
  )
}

function CreditsField({ creditsRemaining }: Pick<Purchase, 'creditsRemaining'>) {
  if (!creditsRemaining) return null
  const help = `The pass has ${many(creditsRemaining, 'credit')} left.`
  return <NumberField name="credits" label="Credits to take" help={help} min={0} max={creditsRemaining} />
}

type DecideProps = { purchase: Purchase; refund: PurchaseRefund; onClose: () => void }

const CreditsForm = RefundForm.pick({ credits: true })

/** Settles a refund made at the provider: how many credits to take, or that a failed one has been dealt with. */
export function DecideRefundDialog({ purchase, refund, onClose }: DecideProps) {
  const isPart = refund.decision === 'credits'
  const amount = formatMoney(refund.amount)
  return (
    <ChangeDialog
      title={isPart ? 'How many credits go with this refund?' : 'Has this been dealt with?'}
      description={
        isPart
          ? `${amount} for ${purchase.package.name} was refunded at the card provider. The pass has ${many(purchase.creditsRemaining ?? 0, 'credit')} left. Classes already booked stay booked.`
          : `The refund of ${amount} for ${purchase.package.name} did not arrive. If nothing more is to be paid, mark it here. To send it again, use Refund next to the purchase; if you have paid it yourself, use Paid another way.`
      }
      schema={CreditsForm}
      values={{ credits: 0 }}
      mutationFn={(sent) => staffPaymentsApi.decideRefund.call({ params: { id: refund.id }, body: isPart ? sent : {} })}
      toasts={{ success: 'Decision saved', failure: 'Failed to save the decision' }}
      submit={isPart ? 'Save decision' : 'Mark as dealt with'}
      onClose={onClose}
    >
      {isPart && <NumberField name="credits" label="Credits to take" min={0} max={purchase.creditsRemaining ?? 0} />}
    </ChangeDialog>
  )
}

type VoidProps = { purchase: Purchase; user: Buyer; onClose: () => void }

export function VoidSaleDialog({ purchase, user, onClose }: VoidProps) {
  return (
    <ConfirmChange
      title="Void this sale?"
      text={`${purchase.package.name} for ${formatMoney(purchase.amount)}, recorded today for ${fullName(user)}. For a sale recorded by mistake: the pass ends and the amount no longer counts as revenue. ${newsForBuyer(user)} The entry stays, marked as voided.`}
      keep="Keep"
      confirm="Void sale"
      mutationFn={() => staffPaymentsApi.voidSale.call({ params: { id: user.id, purchaseId: purchase.id } })}
      toasts={{ success: 'Sale voided', failure: 'Failed to void the sale' }}
      onClose={onClose}
    >
      <History subject={`purchase:${purchase.id}`} />
    </ConfirmChange>
  )
}

/** The statutory right to cancel, while it applies. */
function CoolingOffNote({ purchase: { cancellableUntil, beginRequestedAt } }: { purchase: Purchase }) {
  if (!cancellableUntil) return null
  return (
    <p className="mt-4 rounded-row bg-info-tint px-4 py-3 text-small/normal text-info">
      The law lets the member cancel this purchase until {formatDate(cancellableUntil)}.{' '}
      {beginRequestedAt
        ? `They asked on ${formatInstantDate(beginRequestedAt)} to start before that, so by law they pay for the classes they have taken, in proportion, and get the rest back.`
        : 'They have not asked to start before that, so by law all of it is refunded, even if they have taken classes.'}
    </p>
  )
}
