import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { vatIn } from '#facts/rules.ts'
import { vatByDay } from '#facts/server/facts.ts'
import { formatDate } from '#foundation/dates.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/csv.ts'
import { type Movement, movementsOf } from './movements.ts'

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
export function spanOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
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
