import { fullName } from '#accounts/rules.ts'
import type { StudioFacts, Vat } from '#facts/contract.ts'
import { vatIn } from '#facts/rules.ts'
import { many } from '#foundation/collections.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney, toDecimal } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import { BY_HAND_METHODS } from '../../contract.ts'
import { lineWords } from '../../order-rules.ts'
import type { PurchaseRow, RefundRow } from '../../tables.ts'
import { Paper } from './paper.ts'

export type ReceiptOf = {
  purchase: PurchaseRow
  method: string | null
  refunds: readonly RefundRow[]
}

const { coolingOffDays } = studio.policies
const pounds = (pence: number) => formatMoney(toDecimal(pence))

/** The texts of a receipt, as of the day of the sale. */
export function receiptWords({ purchase, method, refunds }: ReceiptOf, vat: Vat | null) {
  const { buyer, amountPence, lostPence, receiptNumber, purchasedAt, voidedAt, beginRequestedAt } = purchase
  const classes = many(purchase.classCount, 'class', 'classes')
  const until = voidedAt ? '' : `, valid until ${formatInstantDate(purchase.validUntil.toString())}`
  const sent = refunds.filter(({ status }) => status !== 'failed')
  const refundedPence = sent.reduce((sum, refund) => sum + refund.amountPence, 0)
  const left = Math.max(0, amountPence - refundedPence)
  // What goes back beyond that is the studio's loss.
  const takenBackPence = Math.min(lostPence, left)
  const facts: [string, string][] = [
    ['Receipt number', String(receiptNumber)],
    ['Date', formatInstantDate(purchasedAt.toString())],
    ['For', buyer ? `${fullName(buyer)}, ${buyer.contact}` : 'A former member'],
    ...(method ? [['Paid with', method] as [string, string]] : []),
    ...(beginRequestedAt
      ? [
          [
            `Within ${coolingOffDays} days`,
            `Asked on ${formatInstantDate(beginRequestedAt.toString())} to begin before they are over`,
          ] as [string, string],
        ]
      : []),
    ...(voidedAt ? [['Void since', formatInstantDate(voidedAt.toString())] as [string, string]] : []),
  ]
  const lines: [string, string][] = [
    ...purchase.lines.map((line): [string, string] => [
      line.kind === 'discount' ? line.label : `${lineWords(line)}, ${classes}${until}`,
      pounds(line.amountPence),
    ]),
    ...sent.map((refund): [string, string] => [
      `Refunded on ${formatInstantDate(refund.createdAt.toString())}${refund.method ? `, ${BY_HAND_METHODS[refund.method].toLowerCase()}` : ''}`,
      pounds(-refund.amountPence),
    ]),
    ...(takenBackPence > 0 ? [['Taken back by your bank', pounds(-takenBackPence)] as [string, string]] : []),
  ]
  const net = left - takenBackPence
  const vatText = vat
    ? `This includes VAT at ${vat.rate}%: ${pounds(vatIn(net, vat))}.`
    : 'No VAT is charged: the studio is not registered for VAT.'
  return {
    title: voidedAt ? `Receipt ${receiptNumber} (void)` : `Receipt ${receiptNumber}`,
    facts,
    lines,
    total: [net < amountPence ? 'Paid, less what was refunded' : 'Paid', pounds(voidedAt ? 0 : net)] as const,
    note: voidedAt ? 'This sale was recorded by mistake and voided on the same day.' : vatText,
  }
}

const COLUMNS = [
  { head: 'What', share: 0.75 },
  { head: 'Amount', share: 0.25, numeric: true },
]

/** A receipt as PDF. @param facts the studio's, as of the day of the sale like `vat` */
export async function receiptPaper(of: ReceiptOf, facts: StudioFacts, vat: Vat | null) {
  const { title, facts: terms, lines, total, note } = receiptWords(of, vat)
  const paper = await Paper.open(title, facts, vat)
  paper.facts(terms)
  await paper.table(COLUMNS, lines)
  paper.total(COLUMNS, total)
  paper.line(note, { soft: true })
  paper.end()
  return { name: `receipt-${of.purchase.receiptNumber}.pdf`, content: paper.content }
}
