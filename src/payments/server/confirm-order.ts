import { eq } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import type { Database } from '#platform/database/database.ts'
import type { Gift } from '#vouchers/contract.ts'
import { changeReservedVoucher } from '#vouchers/server/vouchers.ts'
import { paymentRefusals } from '../contract.ts'
import { isGift } from '../order-rules.ts'
import { isBeingPaid } from '../rules.ts'
import { type PaymentIntentRow, paymentIntents } from '../tables.ts'
import type { Provider } from './provider.ts'
import { findIntent, intentForUpdate } from './queries.ts'
import { syncPayment } from './sync-payment.ts'

/** A payment as one tab shows it. */
type Shown = { id: string; userId: string; tab?: string | undefined }

/** Stores what was typed and ticked when the button was pressed. Until the payment fails, no tab can change it. */
export async function confirmOrder(
  database: Database,
  provider: Provider,
  {
    id,
    userId,
    tab,
    ...typed
  }: Required<Shown> & { isBeginRequested: boolean; gift?: Pick<Gift, 'message' | 'sendOn'> | null },
  now: Temporal.Instant,
): Promise<void> {
  const seen = await paymentOf(database, { id, userId })
  await refuseOtherTabs(provider, seen, tab, now)
  await database.transaction(async (tx) => {
    const intent = (await intentForUpdate(tx, id)) ?? refuse(paymentRefusals.payment_not_found)
    refuseIfPaid(intent)
    if (intent.state !== 'open') refuse(paymentRefusals.payment_ended)
    const isAnother = pressOf(intent) !== pressOf(seen)
    if (isAnother && intent.confirmedBy !== tab) refuse(paymentRefusals.payment_confirmed_elsewhere)
    const isRequested = typed.isBeginRequested && !isGift(intent)
    const pressed = { confirmedAt: now, confirmedBy: tab, beginRequestedAt: isRequested ? now : null }
    await tx.update(paymentIntents).set(pressed).where(eq(paymentIntents.id, id))
    if (typed.gift) await changeReservedVoucher(tx, { paymentIntentId: id, gift: typed.gift }, now)
  })
}

/** Ends an unpaid order, unless another tab is paying for it: cancels its payment and frees its code. */
export async function endOrder(
  database: Database,
  provider: Provider,
  { id, userId, tab }: Shown,
  now: Temporal.Instant,
): Promise<void> {
  await refuseOtherTabs(provider, await paymentOf(database, { id, userId }), tab, now)
  await syncPayment(database, provider, id, now, { full: false, isPriceOver: true })
  refuseIfPaid(await paymentOf(database, { id, userId }))
}

/** The last press, to tell whether there was another. */
const pressOf = ({ confirmedAt, confirmedBy }: PaymentIntentRow) => `${confirmedBy} ${confirmedAt}`

async function paymentOf({ db }: Database, { id, userId }: Omit<Shown, 'tab'>): Promise<PaymentIntentRow> {
  const intent = await findIntent(db, id)
  return intent?.userId === userId ? intent : refuse(paymentRefusals.payment_not_found)
}

async function refuseOtherTabs(
  provider: Provider,
  { id, state, confirmedAt, confirmedBy }: PaymentIntentRow,
  tab: string | undefined,
  now: Temporal.Instant,
): Promise<void> {
  if (state !== 'open' || !confirmedAt || confirmedBy === tab) return
  const known = await provider.find(id)
  if (known && isBeingPaid(confirmedAt, known, now)) refuse(paymentRefusals.payment_confirmed_elsewhere)
}

/** Refuses what would pay for an order again. */
export function refuseIfPaid(intent: PaymentIntentRow): void {
  if (intent.state === 'processing') refuse(paymentRefusals.payment_processing)
  if (intent.state !== 'purchased') return
  refuse(isGift(intent) ? paymentRefusals.voucher_already_paid : paymentRefusals.payment_already_completed)
}
