import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { fullName } from '#accounts/rules.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { BY_HAND_METHODS, type Purchase, type PurchaseDispute, type PurchaseRefund } from '#payments/contract.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { Badge } from '#ui/badge.tsx'
import { buttonClass } from '#ui/button.tsx'
import { More } from '#ui/more.tsx'
import { PagedView, useFirstFew, usePaging } from '#ui/pager.tsx'
import { type Column, RowButton, Rows } from '#ui/rows.tsx'
import { type OpenDialog, useDialog } from '#ui/use-dialog.ts'
import { RecordSaleDialog } from '../users/credit-dialogs.tsx'
import { MemberLink, RECORD_SALE } from '../users/member-details.tsx'
import {
  DecideRefundDialog,
  OtherRefundDialog,
  PaidAnotherWayDialog,
  RefundDialog,
  VoidSaleDialog,
} from './refund-dialogs.tsx'
import { SalesHead } from './sales-head.tsx'

const SHOWN = [
  ['', 'All purchases'],
  ['true', 'Need your decision'],
] as const

export function Purchases() {
  const paging = usePaging()
  const { search, params } = paging
  const [query] = useSearchParams()
  const attention = query.get('attention') === 'true' ? 'true' : undefined
  const { firstFew, rowClass } = useFirstFew()
  const purchases = useQuery(staffPaymentsApi.listPurchases.pageOptions({ query: { ...params, attention } }))
  return (
    <>
      <SalesHead
        of="purchases"
        paging={paging}
        filter={['attention', attention, SHOWN]}
        sell={RECORD_SALE}
        Sale={RecordSaleDialog}
      />
      <PagedView
        query={purchases}
        failed="The purchases could not be loaded."
        paging={paging}
        empty={attention ? 'Nothing needs your decision' : 'No purchases yet'}
        noMatches={search && `No purchases match “${search}”.`}
        firstFew={firstFew}
      >
        {(rows) => <PurchaseRows purchases={rows} rowClass={rowClass} />}
      </PagedView>
    </>
  )
}

/** Purchases with their status and actions. `ofOne`: they are all by one member. */
export function PurchaseRows({
  purchases,
  ofOne = false,
  rowClass = () => '',
}: {
  purchases: Purchase[]
  ofOne?: boolean
  rowClass?: (index: number) => string
}) {
  const { dialog, open } = useDialog()
  return (
    <>
      <Rows
        label="Purchases"
        rows={purchases}
        keyOf={({ id }) => id}
        rowClass={rowClass}
        groupOf={!ofOne && purchases[0]?.needsDecision ? groupOf : undefined}
        columns={ofOne ? COLUMNS.slice(1) : COLUMNS}
        actions={(purchase) => <Decide purchase={purchase} open={open} />}
        menu={(purchase) => <PurchaseMenu purchase={purchase} open={open} />}
      />
      {dialog}
    </>
  )
}

const groupOf = ({ needsDecision }: Purchase) => ({
  key: String(needsDecision),
  heading: needsDecision ? 'Needs your decision' : 'Other sales',
})

const COLUMNS: readonly Column<Purchase>[] = [
  {
    head: 'Member',
    cell: ({ user }) =>
      user ? (
        <MemberLink id={user.id}>{fullName(user)}</MemberLink>
      ) : (
        <span className="text-ink-mute">Deleted member</span>
      ),
  },
  {
    head: 'Package',
    // Next to long statuses the column stays as wide as the longest word of a name.
    cell: (purchase) => (
      <span className="wrap-break-word">
        {purchase.isVoucher && 'Gift voucher: '}
        {purchase.package.name}
      </span>
    ),
    place: 'max-lg:basis-full',
  },
  {
    head: 'Date',
    cell: ({ purchasedAt }) => <span className="whitespace-nowrap">{formatInstantDate(purchasedAt)}</span>,
  },
  { head: 'Paid', cell: Paid, numeric: true },
  {
    head: 'Status',
    cell: (purchase) => <PurchaseStatus {...purchase} />,
    aside: true,
    // The first badge is next to the name; its note, and further badges, are lines of the row.
    place:
      'max-lg:contents max-lg:[&>span:last-child]:contents max-lg:[&_.badge]:max-w-[52%] max-lg:[&_.badge]:whitespace-normal',
  },
]

function Paid({ amount, method, note }: Purchase) {
  const small = 'text-fine/snug text-ink-mute lg:block'
  return (
    <>
      {formatMoney(amount)}
      {method && <span className={small}> {method}</span>}
      {note && <span className={`${small} wrap-anywhere whitespace-normal`}> {note}</span>}
    </>
  )
}

type ActionProps = { purchase: Purchase; open: OpenDialog }

const nameOf = ({ package: sold, receiptNumber, user }: Purchase) =>
  `${sold.name} of ${user ? fullName(user) : 'a deleted user'}, receipt ${receiptNumber}`

function Decide({ purchase, open }: ActionProps) {
  const undecided = purchase.refunds.find(({ decision }) => decision)
  const disputed = purchase.disputes.find(({ status }) => status === 'open' || status === 'inquiry')
  return (
    <>
      {disputed && (
        <a
          href={`https://dashboard.stripe.com/disputes/${disputed.id}`}
          target="_blank"
          rel="noreferrer"
          aria-label={`Answer at Stripe about ${nameOf(purchase)}`}
          className={buttonClass({ variant: 'secondary', small: true }, 'row-decision')}
        >
          Answer at Stripe
        </a>
      )}
      {undecided && (
        <RowButton
          label="Decide"
          className="row-decision"
          name={`Decide about ${nameOf(purchase)}`}
          onClick={() => open(DecideRefundDialog, { purchase, refund: undecided })}
        />
      )}
    </>
  )
}

/** The receipt, the refund under the policy or why there is none, and what she may do besides. */
function PurchaseMenu({ purchase, open }: ActionProps) {
  const { id, receiptNumber, refund, refunds, user } = purchase
  const which = nameOf(purchase)
  const mayRefund = Number(refund.most) > 0
  return (
    <More
      of={which}
      note={
        !refund.amount && refunds.length === 0 && !purchase.voidedAt
          ? `${mayRefund ? 'Under the refund policy: ' : ''}${refund.reason}`
          : undefined
      }
      items={[
        {
          label: `Receipt ${receiptNumber}`,
          href: `/api/admin/purchases/${id}/receipt.pdf`,
          opens: 'download',
        },
        refund.amount !== null && {
          label: 'Refund',
          name: `Refund ${which}`,
          onSelect: () => open(RefundDialog, { purchase }),
        },
        purchase.mayVoid &&
          user && { label: 'Void', name: `Void ${which}`, onSelect: () => open(VoidSaleDialog, { purchase, user }) },
        mayRefund && {
          label: 'Other refund',
          name: `Other refund for ${which}`,
          onSelect: () => open(OtherRefundDialog, { purchase }),
        },
        mayRefund && {
          label: 'Paid another way',
          name: `Paid another way for ${which}`,
          onSelect: () => open(PaidAnotherWayDialog, { purchase }),
        },
      ]}
    />
  )
}

const DISPUTES: Record<PurchaseDispute['status'], { tone: 'warn' | 'err' | 'ok' | 'sand'; words: string }> = {
  inquiry: { tone: 'warn', words: 'The bank has a question' },
  open: { tone: 'err', words: 'Disputed, pass on hold' },
  won: { tone: 'ok', words: 'Dispute won' },
  lost: { tone: 'err', words: 'Dispute lost' },
  closed: { tone: 'sand', words: 'Bank’s question closed' },
}

/** Refunds, disputes and warnings of a payment, in words. */
function PurchaseStatus({ refunds, disputes, warnings, refundedAmount, voidedAt }: Purchase) {
  const isTouched = disputes.some(({ status }) => status !== 'won' && status !== 'closed')
  return (
    <span className="flex flex-col items-start gap-1.5 max-lg:contents">
      {voidedAt && <Badge tone="sand">Voided</Badge>}
      {!voidedAt && !refundedAmount && !isTouched && <Badge tone="ok">Paid</Badge>}
      {refunds.map((refund) => (
        <Refund key={refund.id} refund={refund} />
      ))}
      {disputes.map(({ id, status, respondBy, reason }) => (
        <Line key={id} note={status === 'open' || status === 'inquiry' ? until(reason, respondBy) : reason}>
          <Badge tone={DISPUTES[status].tone}>{DISPUTES[status].words}</Badge>
        </Line>
      ))}
      {warnings.map(({ kind, warnedAt }) => (
        <Line key={warnedAt} note={kind}>
          <Badge tone="warn">Early fraud warning</Badge>
        </Line>
      ))}
    </span>
  )
}

const until = (reason: string, respondBy: string | null) =>
  respondBy ? `Reason: ${reason}. Send evidence by ${formatInstantDate(respondBy)}.` : reason

const ON_ITS_WAY: Record<PurchaseRefund['status'], string> = {
  decided: 'Refund on its way',
  pending: 'Refund on its way',
  succeeded: 'Refunded',
  failed: 'Refund failed',
}

function Refund({ refund }: { refund: PurchaseRefund }) {
  const { status, amount, origin, reason, creditsTaken, decision, method } = refund
  const credits = creditsTaken ? `${creditsTaken} ${creditsTaken === 1 ? 'credit' : 'credits'} taken` : null
  const notes = [
    origin === 'provider' && 'made at the card provider',
    method && BY_HAND_METHODS[method],
    reason,
    origin === 'rule' ? null : credits,
    decision && 'needs your decision',
  ].filter(Boolean)
  return (
    <Line note={notes.join('; ')}>
      <Badge tone={status === 'failed' ? 'err' : 'info'}>
        {ON_ITS_WAY[status]} {formatMoney(amount)}
      </Badge>
    </Line>
  )
}

const NOTE =
  'mt-0.5 block text-fine/snug text-ink-mute first-letter:uppercase max-lg:order-2 max-lg:min-w-[55%] max-lg:flex-1 lg:max-w-60'

function Line({ note, children }: { note: string; children: ReactNode }) {
  return (
    <span className="max-lg:order-2 max-lg:basis-full max-lg:first:contents">
      {children}
      {note && <span className={NOTE}>{note}</span>}
    </span>
  )
}
