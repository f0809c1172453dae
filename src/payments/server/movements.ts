import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { vatIn } from '#facts/rules.ts'
import { loadVatByDay } from '#facts/server/facts.ts'
import { formatDate } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import type { Pence } from '#foundation/money.ts'
import { packages } from '#packages/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/serve.ts'
import { studio } from '#studio.ts'
import type { DeskMethod } from '../contract.ts'
import type { Period } from '../period-rules.ts'
import { disputes, paymentIntents, purchases, refunds } from '../tables.ts'
import { methodOf } from './purchases.ts'

/** One line of the accounts: a sale, or money returned for one. A voided sale moves nothing and keeps its number. */
export type Movement = {
  at: Temporal.Instant
  /** When it was bought: the VAT rate is of this day. */
  soldAt: Temporal.Instant
  kind: 'sale' | 'voided' | 'refund' | 'dispute'
  receiptNumber: number
  /** Null once the member is erased. */
  member: { name: string; email: string } | null
  packageName: string
  deskMethod: DeskMethod | null
  method: string | null
  grossPence: Pence
  /** What a policy refund kept. */
  feePence: Pence
  refundPence: Pence
}

/** From `from`, before `until`. */
type MovementQuery = { userId?: string; from?: Temporal.Instant; until?: Temporal.Instant }

/** Rows read at a time, so that the whole history is never in memory. */
const PAGE_SIZE = 2000

type Row = Omit<Movement, 'at' | 'soldAt' | 'member'> & {
  at: string
  soldAt: string
  key: string
  firstName: string | null
  lastName: string | null
  email: string | null
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
           ${purchases.receiptNumber} as "receiptNumber", ${purchases.deskMethod} as "deskMethod",
           ${paymentIntents.method} as method, ${packages.name} as "packageName",
           ${users.firstName} as "firstName", ${users.lastName} as "lastName", ${users.email} as email
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
    order by moved.at, moved.key limit ${PAGE_SIZE}`)
  return rows
}

function toMovement({ at, soldAt, key: _, firstName, lastName, email, method, ...row }: Row): Movement {
  return {
    ...row,
    at: Temporal.Instant.from(at),
    soldAt: Temporal.Instant.from(soldAt),
    member: email === null ? null : { name: `${firstName} ${lastName}`.trim(), email },
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
]

/** A period of days at the studio as instants: from the first, before the second. */
export function spanOf(period: Period): { from: Temporal.Instant; until: Temporal.Instant }
export function spanOf(period: Partial<Period>): { from?: Temporal.Instant; until?: Temporal.Instant }
export function spanOf({ from, to }: Partial<Period>) {
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(studio.timeZone).toInstant()
  return {
    ...(from && { from: startOf(Temporal.PlainDate.from(from)) }),
    ...(to && { until: startOf(Temporal.PlainDate.from(to).add({ days: 1 })) }),
  }
}

/** Sales and refunds of a period as CSV. Amounts are numbers, so that a minus is not escaped as a formula. */
export function purchasesFile(reader: Reader, period: Partial<Period>) {
  const money = (pounds: number) => pounds.toFixed(2)
  const content = stringify({ ...CSV, header: true, columns: COLUMNS, cast: { number: money } })
  // An error ends the response early, which the browser reports; the headers are already sent.
  pipeline(Readable.from(rowsOf(reader, period)), content, () => {})
  const named = [period.from, period.to].filter(Boolean).join('-to-')
  return { name: named ? `purchases-${named}.csv` : 'purchases.csv', content }
}

async function* rowsOf(reader: Reader, period: Partial<Period>) {
  const vatOf = await loadVatByDay(reader)
  for await (const line of movementsOf(reader, spanOf(period))) {
    const vat = vatOf(line.soldAt)
    const netPence = line.grossPence - line.refundPence
    yield [
      formatDate(studioDate(line.at).toString()),
      MOVEMENT_LABELS[line.kind],
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
