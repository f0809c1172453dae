import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { sql } from 'drizzle-orm'
import { fullName } from '#accounts/rules.ts'
import { vatIn } from '#facts/rules.ts'
import { loadVatByDay } from '#facts/server/facts.ts'
import { formatDate } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import type { Pence } from '#foundation/money.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/serve.ts'
import { studio } from '#studio.ts'
import { type Dated, STATE_WORDS, stateOf } from '#vouchers/rules.ts'
import { vouchers } from '#vouchers/tables.ts'
import type { DeskMethod } from '../contract.ts'
import { packageNameOf } from '../order-rules.ts'
import type { Period } from '../period-rules.ts'
import {
  type Buyer,
  balanceChanges,
  disputes,
  type OrderLine,
  paymentIntents,
  payouts,
  purchases,
  refunds,
} from '../tables.ts'
import { methodOf } from './purchases.ts'

/** One line of the accounts: a sale, or money returned for one. A voided sale moves nothing and keeps its number. */
export type Movement = {
  at: Temporal.Instant
  /** When it was bought: the VAT rate is of this day. */
  soldAt: Temporal.Instant
  kind: 'sale' | 'voided' | 'refund' | 'dispute'
  receiptNumber: number
  /** Null once the member is erased. */
  member: { name: string; contact: string } | null
  packageName: string
  /** The voucher that was bought instead of a pass, with its last four letters. */
  voucher: (Dated & { lastFour: string }) | null
  /** Of a sale: what adds up to its amount. */
  lines: readonly OrderLine[]
  deskMethod: DeskMethod | null
  method: string | null
  grossPence: Pence
  /** What a policy refund kept. */
  feePence: Pence
  refundPence: Pence
  /** Whether the card provider moved the money. */
  isByCard: boolean
  /** The card provider's fee, what is left, and the payout it is in; null until the provider has reported it. */
  card: { feePence: Pence; netPence: Pence; payout: { id: string; arrivesOn: string } | null } | null
}

/** From `from`, before `until`. */
type MovementQuery = { userId?: string; from?: Temporal.Instant; until?: Temporal.Instant }

/** Rows read at a time, so that the whole history is never in memory. */
const PAGE_SIZE = 2000

type Row = Omit<Movement, 'at' | 'soldAt' | 'member' | 'packageName' | 'card' | 'voucher'> & {
  at: string
  soldAt: string
  key: string
  buyer: Buyer | null
  cardFeePence: number | null
  cardNetPence: number | null
  payoutId: string | null
  payoutArrivesOn: string | null
  voucher:
    | ({ lastFour: string; expiresAt: string } & Record<'redeemedAt' | 'voidedAt' | 'frozenAt', string | null>)
    | null
}

/** The lines of a period, oldest first, page by page. Failed refunds are left out. */
export async function* movementsOf(reader: Reader, query: MovementQuery): AsyncGenerator<Movement> {
  let after: Row | undefined
  do {
    const rows = await pageOf(reader, query, after)
    for (const row of rows) yield toMovement(row)
    after = rows.length < PAGE_SIZE ? undefined : rows.at(-1)
  } while (after)
}

async function pageOf(reader: Reader, { userId, from, until }: MovementQuery, after: Row | undefined): Promise<Row[]> {
  const { rows } = await reader.execute<Row>(sql`
    select moved.at::text as at, ${purchases.purchasedAt}::text as "soldAt", moved.key, moved.kind,
           moved.gross as "grossPence", moved.fee as "feePence", moved.refund as "refundPence",
           ${purchases.receiptNumber} as "receiptNumber", coalesce(moved.method, ${purchases.deskMethod}) as "deskMethod",
           ${paymentIntents.method} as method, ${purchases.lines} as lines, ${purchases.buyer} as buyer,
           case when ${vouchers.id} is not null then json_build_object('lastFour', ${vouchers.lastFour},
             'redeemedAt', ${vouchers.redeemedAt}, 'voidedAt', ${vouchers.voidedAt}, 'frozenAt', ${vouchers.frozenAt},
             'expiresAt', ${vouchers.expiresAt}) end as voucher,
           ${IS_BY_CARD} as "isByCard", card.fee as "cardFeePence", card.net as "cardNetPence",
           ${payouts.id} as "payoutId", ${payouts.arrivesOn}::text as "payoutArrivesOn"
      from ${MOVED}
      left join ${paymentIntents} on ${paymentIntents.id} = ${purchases.paymentIntentId}
      left join ${vouchers} on ${vouchers.purchaseId} = ${purchases.id}
      left join ${payouts} on ${payouts.id} = card.payout_id
     where ${isWithin({ from, until })}
       ${userId === undefined ? sql`` : sql`and ${purchases.userId} = ${userId}`}
       ${after ? sql`and (moved.at, moved.key) > (${after.at}::timestamptz, ${after.key})` : sql``}
    order by moved.at, moved.key limit ${PAGE_SIZE}`)
  return rows
}

const isWithin = ({ from, until }: MovementQuery) => sql`true
       ${from ? sql`and moved.at >= ${from.toString()}::timestamptz` : sql``}
       ${until ? sql`and moved.at < ${until.toString()}::timestamptz` : sql``}`

const IS_BY_CARD = sql`(${purchases.paymentIntentId} is not null and moved.method is null)`

/** Every movement, `moved`, with its purchase and what the card provider booked for it, `card`. */
const MOVED = sql`(
        select ${purchases.purchasedAt} as at, '1-' || ${purchases.id} as key, ${purchases.id} as purchase_id,
               case when ${purchases.voidedAt} is null then 'sale' else 'voided' end as kind, null as source,
               case when ${purchases.voidedAt} is null then ${purchases.amountPence} else 0 end as gross,
               0 as fee, 0 as refund, null as method
          from ${purchases}
        union all
        select ${refunds.createdAt}, '2-' || ${refunds.id}, ${refunds.purchaseId}, 'refund', ${refunds.providerId}, 0,
               case when ${refunds.origin} = 'rule' then ${purchases.amountPence} - ${refunds.amountPence} else 0 end,
               ${refunds.amountPence}, ${refunds.method}
          from ${refunds} join ${purchases} on ${purchases.id} = ${refunds.purchaseId}
         where ${refunds.status} <> 'failed'
        union all
        select ${disputes.decidedAt}, '3-' || ${disputes.id}, ${disputes.purchaseId}, 'dispute', ${disputes.id}, 0, 0,
               ${disputes.amountPence}, null
          from ${disputes} where ${disputes.status} = 'lost' and ${disputes.purchaseId} is not null
      ) as moved
      join ${purchases} on ${purchases.id} = moved.purchase_id
      left join lateral (
        select sum(booked.fee_pence)::int as fee, sum(booked.net_pence)::int as net, max(booked.payout_id) as payout_id
          from (
            select fee_pence, net_pence, payout_id from ${balanceChanges}
             where moved.kind = 'sale' and kind = 'charge' and payment_intent_id = ${purchases.paymentIntentId}
            union all
            select fee_pence, net_pence, payout_id from ${balanceChanges} where source_id = moved.source
          ) as booked
      ) as card on true`

/** The card fees of a period, and how many of its movements by card have none that is known yet. */
export async function cardFeesOf(reader: Reader, period: Period) {
  const { rows } = await reader.execute<{ feesPence: number; lines: number; notKnown: number }>(sql`
    select coalesce(sum(card.fee), 0)::int as "feesPence", count(*)::int as lines,
           (count(*) filter (where card.fee is null))::int as "notKnown"
      from ${MOVED} where ${isWithin(spanOf(period))} and ${IS_BY_CARD}`)
  return rows[0] ?? { feesPence: 0, lines: 0, notKnown: 0 }
}

const instantOf = (text: string | null) => (text === null ? null : Temporal.Instant.from(text))

function toMovement({ at, soldAt, voucher, key: _, buyer, method, ...rest }: Row): Movement {
  const { cardFeePence: feePence, cardNetPence: netPence, payoutId: id, payoutArrivesOn: arrivesOn, ...row } = rest
  const payout = id !== null && arrivesOn !== null ? { id, arrivesOn } : null
  return {
    card: feePence === null || netPence === null ? null : { feePence, netPence, payout },
    ...row,
    at: Temporal.Instant.from(at),
    soldAt: Temporal.Instant.from(soldAt),
    voucher: voucher && {
      lastFour: voucher.lastFour,
      redeemedAt: instantOf(voucher.redeemedAt),
      voidedAt: instantOf(voucher.voidedAt),
      frozenAt: instantOf(voucher.frozenAt),
      expiresAt: Temporal.Instant.from(voucher.expiresAt),
    },
    member: buyer && { name: fullName(buyer), contact: buyer.contact },
    packageName: packageNameOf(row),
    method: methodOf(row, method),
  }
}

export const MOVEMENT_LABELS: Record<Movement['kind'], string> = {
  sale: 'Sale',
  voided: 'Voided sale',
  refund: 'Refund',
  dispute: 'Lost dispute',
}
const COLUMNS = [
  'Date',
  'Type',
  'Receipt number',
  'Member',
  'Email',
  'Package',
  'Paid by',
  'Gross (£)',
  'Fee kept (£)',
  'Refund (£)',
  'Net (£)',
  'VAT (£)',
  'VAT rate',
  'Card fee (£)',
  'Net of card fee (£)',
  'Payout date',
  'Payout',
  'Price (£)',
  'Discount (£)',
  'Discount for',
  'Gift voucher',
  'Voucher state',
  'Voucher redeemed',
  'Voucher valid until',
]

const NOT_KNOWN = 'not known yet'

/** Desk sales have no card fee. */
function cardCells({ isByCard, card }: Movement): (string | number)[] {
  if (!isByCard) return ['', '', '', '']
  if (!card) return [NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN]
  const { payout } = card
  const paidOut = payout ? [formatDate(payout.arrivesOn), payout.id] : [NOT_KNOWN, NOT_KNOWN]
  return [card.feePence / 100, card.netPence / 100, ...paidOut]
}

/** Of a sale with a discount: the price before it, and what it was for. */
function discountCells({ kind, lines }: Movement): (string | number)[] {
  const [sold, ...discounts] = lines
  if (kind !== 'sale' || !sold || discounts.length === 0) return ['', '', '']
  const off = discounts.reduce((sum, { amountPence }) => sum + amountPence, 0)
  return [sold.amountPence / 100, off / 100, discounts.map(({ label }) => label).join('; ')]
}

/** For a line about a gift voucher: its state now. */
function voucherCells({ voucher }: Movement, now: Temporal.Instant): string[] {
  if (!voucher) return ['', '', '', '']
  const dayOf = (at: Temporal.Instant | null) => (at ? formatDate(studioDate(at).toString()) : '')
  // The dots keep a spreadsheet from reading 2E34 as a number.
  return [
    `…${voucher.lastFour}`,
    STATE_WORDS[stateOf(voucher, now)],
    dayOf(voucher.redeemedAt),
    dayOf(voucher.expiresAt),
  ]
}

/** A period of days at the studio as instants: from the first, before the second. */
export function spanOf(period: Period): { from: Temporal.Instant; until: Temporal.Instant }
export function spanOf(period: Partial<Period>): { from?: Temporal.Instant; until?: Temporal.Instant }
export function spanOf({ from, to }: Partial<Period>) {
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(studio.timeZone).toInstant()
  return {
    from: from ? startOf(Temporal.PlainDate.from(from)) : undefined,
    until: to ? startOf(Temporal.PlainDate.from(to).add({ days: 1 })) : undefined,
  }
}

/** Sales and refunds of a period as CSV. Amounts are numbers, so that a minus is not escaped as a formula. */
export function purchasesFile(reader: Reader, period: Partial<Period>, now: Temporal.Instant) {
  const money = (pounds: number) => pounds.toFixed(2)
  const content = stringify({ ...CSV, header: true, columns: COLUMNS, cast: { number: money } })
  // An error ends the response early, which the browser reports; the headers are already sent.
  pipeline(Readable.from(rowsOf(reader, period, now)), content, () => {})
  const named = [period.from, period.to].filter(Boolean).join('-to-')
  return { name: named ? `purchases-${named}.csv` : 'purchases.csv', content }
}

async function* rowsOf(reader: Reader, period: Partial<Period>, now: Temporal.Instant) {
  const vatOf = await loadVatByDay(reader)
  for await (const line of movementsOf(reader, spanOf(period))) {
    const vat = vatOf(line.soldAt)
    const netPence = line.grossPence - line.refundPence
    yield [
      formatDate(studioDate(line.at).toString()),
      MOVEMENT_LABELS[line.kind],
      String(line.receiptNumber),
      line.member?.name ?? '',
      line.member?.contact ?? '',
      line.packageName,
      line.method ?? '',
      ...[line.grossPence, line.feePence, line.refundPence, netPence, vatIn(netPence, vat)].map((pence) => pence / 100),
      vat ? `${vat.rate}%` : 'not registered',
      ...cardCells(line),
      ...discountCells(line),
      ...voucherCells(line, now),
    ]
  }
}
