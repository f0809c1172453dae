import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { vatIn } from '#facts/rules.ts'
import { vatByDay } from '#facts/server/facts.ts'
import { formatDate } from '#foundation/dates.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import type { Pence } from '#foundation/money.ts'
import { packages } from '#packages/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/serve.ts'
import type { DeskMethod } from '../contract.ts'
import { disputes, paymentIntents, purchases, refunds } from '../tables.ts'
import { methodOf } from './purchases.ts'

/** One line of the books: a sale, or money that went back for one. A voided sale moves nothing and keeps its number. */
export type Movement = {
  at: Temporal.Instant
  /** When what it is about was bought: its VAT is that of this day. */
  soldAt: Temporal.Instant
  kind: 'sale' | 'voided' | 'refund' | 'dispute'
  receiptNumber: number
  /** Null once the member is erased. */
  member: { name: string; email: string } | null
  packageName: string
  deskMethod: DeskMethod | null
  /** In words; null where the provider does not say. */
  method: string | null
  grossPence: Pence
  /** What a refund by the rule kept. */
  feePence: Pence
  refundPence: Pence
}

/** Whose, and of which instants: from the first one on, before the second. */
type MovementQuery = { userId?: string; from?: Temporal.Instant; until?: Temporal.Instant }

/** Read this many at a time: a studio's whole history never stands in memory. */
const A_PAGE = 2000

type Row = {
  at: string
  sold: string
  key: string
  kind: Movement['kind']
  number: number
  first: string | null
  last: string | null
  email: string | null
  package: string
  desk: DeskMethod | null
  method: string | null
  gross: number
  fee: number
  refund: number
}

/** The lines of a period, the oldest first, page by page. Refunds that failed went nowhere. */
export async function* movementsOf(reader: Reader, query: MovementQuery): AsyncGenerator<Movement> {
  let after: Row | undefined
  do {
    const rows = await pageOf(reader, query, after)
    for (const row of rows) yield toMovement(row)
    after = rows.length < A_PAGE ? undefined : rows.at(-1)
  } while (after)
}

async function pageOf(reader: Reader, { userId, from, until }: MovementQuery, after: Row | undefined): Promise<Row[]> {
  const { rows } = await reader.execute<Row>(sql`
    select moved.at::text as at, ${purchases.purchasedAt}::text as sold, moved.key, moved.kind, moved.gross, moved.fee, moved.refund,
           ${purchases.receiptNumber} as number, ${purchases.deskMethod} as desk, ${paymentIntents.method} as method,
           ${packages.name} as package, ${users.firstName} as first, ${users.lastName} as last, ${users.email} as email
      from (
        select ${purchases.purchasedAt} as at, '1-' || ${purchases.id} as key, ${purchases.id} as purchase_id,
               case when ${purchases.voidedAt} is null then 'sale' else 'voided' end as kind,
               case when ${purchases.voidedAt} is null then ${purchases.amountPence} else 0 end as gross,
               0 as fee, 0 as refund
          from ${purchases}
        union all
        select ${refunds.createdAt}, '2-' || ${refunds.id}, ${refunds.purchaseId}, 'refund', 0,
               case when ${refunds.origin} = 'rule' then ${purchases.amountPence} - ${refunds.amountPence} else 0 end,
               ${refunds.amountPence}
          from ${refunds} join ${purchases} on ${purchases.id} = ${refunds.purchaseId}
         where ${refunds.status} <> 'failed'
        union all
        select ${disputes.decidedAt}, '3-' || ${disputes.id}, ${disputes.purchaseId}, 'dispute', 0, 0, ${disputes.amountPence}
          from ${disputes} where ${disputes.status} = 'lost' and ${disputes.purchaseId} is not null
      ) as moved
      join ${purchases} on ${purchases.id} = moved.purchase_id
      join ${packages} on ${packages.id} = ${purchases.packageId}
      left join ${paymentIntents} on ${paymentIntents.id} = ${purchases.paymentIntentId}
      left join ${users} on ${users.id} = ${purchases.userId}
     where true
       ${from ? sql`and moved.at >= ${from.toString()}::timestamptz` : sql``}
       ${until ? sql`and moved.at < ${until.toString()}::timestamptz` : sql``}
       ${userId === undefined ? sql`` : sql`and ${purchases.userId} = ${userId}`}
       ${after ? sql`and (moved.at, moved.key) > (${after.at}::timestamptz, ${after.key})` : sql``}
     order by moved.at, moved.key limit ${A_PAGE}`)
  return rows
}

function toMovement({
  at,
  sold,
  kind,
  number,
  first,
  last,
  email,
  desk,
  method,
  gross,
  fee,
  refund,
  ...row
}: Row): Movement {
  return {
    at: Temporal.Instant.from(at),
    soldAt: Temporal.Instant.from(sold),
    kind,
    receiptNumber: number,
    member: email === null ? null : { name: `${first} ${last}`.trim(), email },
    packageName: row.package,
    deskMethod: desk,
    method: methodOf({ deskMethod: desk }, method),
    grossPence: gross,
    feePence: fee,
    refundPence: refund,
  }
}

export const KINDS: Record<Movement['kind'], string> = {
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
]

/** The instants at which a period of London days begins, and the day after it. */
function spanOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  const begins = from && endOfDay(Temporal.PlainDate.from(from).subtract({ days: 1 })).add({ seconds: 1 })
  const ends = to && endOfDay(Temporal.PlainDate.from(to)).add({ seconds: 1 })
  return { ...(begins && { from: begins }), ...(ends && { until: ends }) }
}

/** Sales and refunds of a period for the accountant's spreadsheet. Amounts are numbers, so that a minus stays one. */
export function purchasesFile(reader: Reader, period: { from?: string | undefined; to?: string | undefined }) {
  const money = (pounds: number) => pounds.toFixed(2)
  const content = stringify({ ...CSV, header: true, columns: COLUMNS, cast: { number: money } })
  // A fault ends the answer in the middle, which a browser reports; there is nobody else to tell.
  pipeline(Readable.from(rowsOf(reader, period)), content, () => {})
  const named = [period.from, period.to].filter(Boolean).join('-to-')
  return { name: named ? `purchases-${named}.csv` : 'purchases.csv', content }
}

async function* rowsOf(reader: Reader, period: Parameters<typeof spanOf>[0]) {
  const vatOf = await vatByDay(reader)
  for await (const line of movementsOf(reader, spanOf(period))) {
    const vat = vatOf(line.soldAt)
    const netPence = line.grossPence - line.refundPence
    yield [
      formatDate(studioDate(line.at).toString()),
      KINDS[line.kind],
      String(line.receiptNumber),
      line.member?.name ?? '',
      line.member?.email ?? '',
      line.packageName,
      line.method ?? '',
      ...[line.grossPence, line.feePence, line.refundPence, netPence, vatIn(netPence, vat)].map((pence) => pence / 100),
      vat ? `${vat.rate}%` : 'not registered',
    ]
  }
}
