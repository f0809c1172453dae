import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import type { Reader } from '#platform/database/database.ts'
import { paymentIntents, refunds } from '../tables.ts'

/** How many payments are begun and not paid (`open`), and how many are on their way (`processing`). */
export async function openPayments(reader: Reader): Promise<{ open: number; processing: number }> {
  const rows = await reader
    .select({ state: paymentIntents.state, payments: count() })
    .from(paymentIntents)
    .where(inArray(paymentIntents.state, ['open', 'processing']))
    .groupBy(paymentIntents.state)
  const paymentsIn = (state: string) => rows.find((row) => row.state === state)?.payments ?? 0
  return { open: paymentsIn('open'), processing: paymentsIn('processing') }
}

/** How many refunds the provider does not have yet (`unsent`), and how many failed there and nobody has answered (`failed`). */
export async function troubledRefunds(reader: Reader): Promise<{ unsent: number; failed: number }> {
  const [unsent, failed] = await Promise.all([
    reader.$count(refunds, eq(refunds.status, 'decided')),
    reader.$count(refunds, and(eq(refunds.status, 'failed'), isNull(refunds.answeredAt))),
  ])
  return { unsent, failed }
}
