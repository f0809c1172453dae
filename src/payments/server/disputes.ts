import { eq } from 'drizzle-orm'
import { freezePass, passOfPurchaseForUpdate, thawPass } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { freezeVoucherOf, thawVoucherOf } from '#vouchers/server/vouchers.ts'
import { isGift } from '../order-rules.ts'
import type { ProviderDispute, ProviderWarning } from '../provider-state.ts'
import { disputes, fraudWarnings } from '../tables.ts'
import { notifyHolder, notifyMember, notifyOwner, type Party } from './notices.ts'
import { disputesOf } from './queries.ts'
import type { LockedPayment } from './refunds.ts'

const NOTICES = {
  inquiry: 'inquiry_opened',
  open: 'dispute_opened',
  won: 'dispute_won',
  lost: 'dispute_lost',
  closed: 'inquiry_closed',
} as const

const isDecided = (status: ProviderDispute['status']) => status === 'won' || status === 'lost' || status === 'closed'

/** Updates our disputes about a (locked) payment from the provider's. Returns those that are new or changed status. */
export async function applyDisputes(
  tx: Tx,
  { party, purchase }: Pick<LockedPayment, 'party' | 'purchase'>,
  remote: readonly ProviderDispute[],
  now: Temporal.Instant,
): Promise<ProviderDispute[]> {
  const rows = await disputesOf(tx, party.intent.id)
  const changed: ProviderDispute[] = []
  for (const dispute of remote) {
    const row = rows.find(({ id }) => id === dispute.id)
    const { id, status, amount: amountPence, reason, openedAt, respondBy } = dispute
    if (row?.status === status) {
      const isSame = row.respondBy?.epochMilliseconds === respondBy?.epochMilliseconds
      if (!isSame) await tx.update(disputes).set({ respondBy }).where(eq(disputes.id, id))
      continue
    }
    const values = { status, amountPence, reason, openedAt, respondBy, decidedAt: isDecided(status) ? now : null }
    if (row) await tx.update(disputes).set(values).where(eq(disputes.id, id))
    else {
      const purchaseId = purchase?.id ?? null
      await tx.insert(disputes).values({ id, paymentIntentId: party.intent.id, purchaseId, ...values })
    }
    changed.push(dispute)
  }
  return changed
}

/**
 * Emails the owner about disputes that opened or were decided. Members are only emailed when something happens to their
 * pass or voucher: not without one, or while another dispute keeps it frozen.
 */
export async function notifyOfDisputes(
  tx: Tx,
  { party, hasPass, hasVoucher }: LockedPayment,
  changed: readonly ProviderDispute[],
  bookings: number,
): Promise<void> {
  if (changed.length === 0) return
  const isDisputed = await hasOpenDispute(tx, party)
  for (const { status, amount: amountPence, reason: detail, respondBy } of changed) {
    const until = isDecided(status) ? null : respondBy
    const isMemberNotified = party.member !== undefined && (hasPass || hasVoucher) && !(status === 'won' && isDisputed)
    const about = { amountPence, detail, respondBy: until, bookings, isMemberNotified, hasPass }
    await notifyOwner(tx, party, NOTICES[status], about)
  }
}

async function hasOpenDispute(tx: Tx, { intent }: Party): Promise<boolean> {
  return (await disputesOf(tx, intent.id)).some(({ status }) => status === 'open')
}

/** Freezes the pass or voucher while a dispute is open, thaws it when none is, and emails the member. */
export async function freezeOrThawPass(
  tx: Tx,
  { party, purchase }: LockedPayment,
  { isEnded, now }: { isEnded: boolean; now: Temporal.Instant },
): Promise<void> {
  const pass = purchase && (await passOfPurchaseForUpdate(tx, purchase.id))
  const isDisputed = await hasOpenDispute(tx, party)
  const mail = isDisputed ? 'pass-on-hold' : 'pass-off-hold'
  if (purchase && isGift(party.intent)) {
    const hasChanged = await (isDisputed ? freezeVoucherOf : thawVoucherOf)(tx, purchase.id, now)
    if (hasChanged && !isEnded) await notifyMember(tx, party, mail, { isVoucher: true })
  }
  if (!pass) return
  if (isDisputed === Boolean(pass.frozenAt)) return
  await (isDisputed ? freezePass : thawPass)(tx, pass, now)
  if (!pass.refundedAt && !isEnded) await notifyHolder(tx, party, pass, mail)
}

/** Saves the card network's fraud warnings and emails the owner once: money refunded now is not disputed later. */
export async function applyWarnings(tx: Tx, party: Party, remote: readonly ProviderWarning[]): Promise<void> {
  for (const { id, kind, warnedAt } of remote) {
    const [added] = await tx
      .insert(fraudWarnings)
      .values({ id, paymentIntentId: party.intent.id, kind, warnedAt })
      .onConflictDoNothing()
      .returning({ id: fraudWarnings.id })
    const { paidPence, amountPence } = party.intent
    if (added) await notifyOwner(tx, party, 'fraud_warning', { amountPence: paidPence ?? amountPence, detail: kind })
  }
}
