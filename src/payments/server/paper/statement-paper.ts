import type { StudioFacts, Vat } from '#facts/contract.ts'
import { vatIn } from '#facts/rules.ts'
import { keysOf, many } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import { formatMoney, toDecimal } from '#foundation/money.ts'
import { VOUCHER_FIGURES } from '#vouchers/rules.ts'
import type { VoucherSums } from '#vouchers/server/vouchers.ts'
import { DESK_METHODS } from '../../contract.ts'
import { type Period, periodName, periodWith } from '../../period-rules.ts'
import { MOVEMENT_LABELS, type Movement } from '../movements.ts'
import { Paper } from './paper.ts'

const pounds = (pence: number) => formatMoney(toDecimal(pence))

type Sum = { sales: number; grossPence: number; refundPence: number; vatPence: number }
const NOTHING: Sum = { sales: 0, grossPence: 0, refundPence: 0, vatPence: 0 }

/** Totals by payment method (card payments are `Online`), and overall. */
export function sumsOf(lines: readonly Movement[], vatOf: (line: Movement) => number) {
  const byMethod = new Map<string, Sum>()
  for (const line of lines) {
    for (const name of [line.deskMethod ? DESK_METHODS[line.deskMethod] : 'Online', 'All']) {
      const sum = byMethod.get(name) ?? NOTHING
      byMethod.set(name, {
        sales: sum.sales + (line.kind === 'sale' ? 1 : 0),
        grossPence: sum.grossPence + line.grossPence,
        refundPence: sum.refundPence + line.refundPence,
        vatPence: sum.vatPence + vatOf(line),
      })
    }
  }
  const all = byMethod.get('All') ?? NOTHING
  byMethod.delete('All')
  return { byMethod: [...byMethod], all }
}

const SUMS = [
  { head: 'Paid by', share: 0.3 },
  { head: 'Sales', share: 0.1, numeric: true },
  { head: 'Gross', share: 0.15, numeric: true },
  { head: 'Given back', share: 0.15, numeric: true },
  { head: 'Net', share: 0.15, numeric: true },
  { head: 'VAT in it', share: 0.15, numeric: true },
]
const sumRow = (name: string, { sales, grossPence, refundPence, vatPence }: Sum) => [
  name,
  String(sales),
  pounds(grossPence),
  pounds(refundPence),
  pounds(grossPence - refundPence),
  pounds(vatPence),
]

const LINES = [
  { head: 'Date', share: 0.13 },
  { head: 'No.', share: 0.08, numeric: true },
  { head: 'What', share: 0.14 },
  { head: 'Member and package', share: 0.33 },
  { head: 'Paid by', share: 0.18 },
  { head: 'Amount', share: 0.14, numeric: true },
]
const whatOf = ({ packageName, voucher }: Movement) =>
  voucher ? `${packageName} (gift voucher …${voucher.lastFour})` : packageName
const lineRow = (line: Movement) => [
  formatDate(studioDate(line.at).toString()),
  String(line.receiptNumber),
  MOVEMENT_LABELS[line.kind],
  // A sale with a discount names it.
  [line.member?.name, whatOf(line), ...(line.kind === 'sale' ? line.lines.slice(1) : []).map(({ label }) => label)]
    .filter(Boolean)
    .join(', '),
  line.method ?? '',
  pounds(line.grossPence - line.refundPence),
]

/** The card provider's fees in words; unknown ones are never counted as nothing. */
export function cardFeesLine(lines: readonly Movement[]): string {
  const byCard = lines.filter(({ isByCard }) => isByCard)
  const feePence = byCard.reduce((sum, { card }) => sum + (card?.feePence ?? 0), 0)
  const unknown = byCard.filter(({ card }) => !card).length
  const known = `Card fees: ${pounds(feePence)}`
  return unknown === 0
    ? `${known}.`
    : `${known}; for ${many(unknown, 'line')} of ${byCard.length} by card they are not known yet.`
}

const VOUCHERS = [
  { head: 'Gift vouchers', share: 0.6 },
  { head: 'Number', share: 0.2, numeric: true },
  { head: 'Paid for them', share: 0.2, numeric: true },
]

/** Why redeemed and expired vouchers are in none of the totals. */
const VOUCHER_VAT =
  'Each gift voucher is for one pass, so it is a single-purpose voucher: it is a sale, with its VAT, on the day it is sold. Redeeming it is no sale, and an expired one changes no VAT.'

/** The sales and refunds of a period as PDF: totals, then every line. @param of.member only theirs */
export async function statementPaper(
  lines: readonly Movement[],
  {
    period,
    facts,
    vat,
    vatAt,
    member,
    vouchers,
  }: {
    period: Period
    facts: StudioFacts
    /** As named in the letterhead. */
    vat: Vat | null
    vatAt: (at: Temporal.Instant) => Vat | null
    member?: { name: string; email: string }
    /** Gift vouchers by state in the period. */
    vouchers?: VoucherSums
  },
) {
  const title = `Statement for ${periodName(period).replace('Tax year', 'the tax year')}`
  const paper = await Paper.open(title, facts, vat)
  if (member) paper.line(`${member.name}, ${member.email}`)
  paper.gap(10)
  const vatOf = ({ soldAt, grossPence, refundPence }: Movement) => vatIn(grossPence - refundPence, vatAt(soldAt))
  const { byMethod, all } = sumsOf(lines, vatOf)
  await paper.table(
    SUMS,
    byMethod.map(([name, sum]) => sumRow(name, sum)),
  )
  paper.total(SUMS, sumRow('All', all))
  if (lines.length > 0) await paper.table(LINES, lines.values().map(lineRow))
  else paper.line('Nothing was bought or refunded in this period.')
  if (vouchers && Object.values(vouchers).some(({ count }) => count > 0)) {
    await paper.table(
      VOUCHERS,
      keysOf(VOUCHER_FIGURES).map((figure) => {
        const { count, pence } = vouchers[figure]
        return [VOUCHER_FIGURES[figure], String(count), pounds(pence)]
      }),
    )
    paper.line(VOUCHER_VAT, { soft: true })
  }
  if (!member) paper.line(cardFeesLine(lines), { soft: true })
  paper.line('Sales count on the day of the sale, refunds on the day they were decided or given back by hand.', {
    soft: true,
  })
  paper.end()
  const { from, to } = period
  const isMonth = periodWith(Temporal.PlainDate.from(from), 'month').to === to && from.endsWith('-01')
  return { name: `statement-${isMonth ? from.slice(0, 7) : `${from}-to-${to}`}.pdf`, content: paper.content }
}
