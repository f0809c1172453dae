import type { ReactNode } from 'react'

import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { Badge } from '#ui/badge.tsx'
import type { Purchase, PurchaseDispute, PurchaseRefund } from '../contract.ts'

const DISPUTES: Record<PurchaseDispute['status'], { tone: 'warn' | 'err' | 'ok' | 'sand'; words: string }> = {
  inquiry: { tone: 'warn', words: 'The bank has a question' },
  open: { tone: 'err', words: 'Disputed, pass on hold' },
  won: { tone: 'ok', words: 'Dispute won' },
  lost: { tone: 'err', words: 'Dispute lost' },
  closed: { tone: 'sand', words: 'Bank’s question closed' },
}

/** Refunds, disputes and warnings of a payment, in words. */
export function PurchaseStatus({ refunds, disputes, warnings, refundedAmount, voidedAt }: Purchase) {
  const isTouched = disputes.some(({ status }) => status !== 'won' && status !== 'closed')
  return (
    <span className="flex flex-col items-start gap-1.5 max-md:items-end max-md:text-right">
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
  const { status, amount, origin, reason, creditsTaken, decision } = refund
  const credits = creditsTaken ? `${creditsTaken} ${creditsTaken === 1 ? 'credit' : 'credits'} taken` : null
  const notes = [
    origin === 'provider' && 'made at the card provider',
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

function Line({ note, children }: { note: string; children: ReactNode }) {
  return (
    <span>
      {children}
      {note && <span className="mt-0.5 block max-w-60 text-[0.8125rem]/[1.4] text-ink-mute">{note}</span>}
    </span>
  )
}
