import { inArray, lt, sql } from 'drizzle-orm'
import { findUser } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { isOutdated, placesToOffer, stillTrue } from '#booking/server/booking.ts'
import { failingOwnCalendar } from '#calendar/server/calendar.ts'
import { ownerOf } from '#facts/rules.ts'
import { currentFacts, isConfirmed } from '#facts/server/facts.ts'
import { studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import {
  callsToMake,
  dropUndelivered,
  endCall,
  queueMail,
  resendUndelivered,
  textsToCheck,
  undeliveredByAddress,
} from '#messages/server/messages.ts'
import {
  countPurchases,
  failedReturns,
  feesKept,
  mismatchedPayments,
  retryUnreadPayments,
  sendRefundAgain,
  unreadPayments,
  unsentRefunds,
} from '#payments/server/payments.ts'
import { lastBackup } from '#platform/database/backup/records.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { DiskSpace } from '#platform/disk.ts'
import { queueStates, retryNow } from '#platform/jobs/job-tables.ts'
import { confirmRetention, heldRetention, openDataComplaints } from '#privacy/server/privacy.ts'
import { frequentViolations } from '#security/server/security.ts'
import { type Action, type AttentionItem, attentionRefusals, type Kind } from '../contract.ts'
import { isBackupOld, isLate, isNearlyFull, latePaymentsSince } from '../rules.ts'
import { attentionDone, attentionMail } from '../tables.ts'
import { lastCheckoutCheck } from './check-checkout.ts'
import { recentIncidents } from './failures.ts'
import * as items from './items.ts'

/** The state outside the database. */
type World = { now: Temporal.Instant; disk: DiskSpace | undefined; mode: 'demo' | 'live' }

/** Everything that needs the owner now, without items marked as done; what affects everyone comes first. */
export async function attentionNow(tx: Tx, { now, disk, mode }: World): Promise<AttentionItem[]> {
  const due = latePaymentsSince(now)
  // Sent together, without waiting for each other's answers.
  const reads = [
    lastBackup(tx).then((backup) => (isBackupOld(backup, now) ? [items.backupOld(backup)] : [])),
    heldRetention(tx).then((held) => (held ? [items.retentionHeld(held)] : [])),
    openDataComplaints(tx).then((open) => open.map((complaint) => items.dataComplaint(complaint, now))),
    queueStates(tx).then((queues) => [
      ...queues.filter(isLate).map((state) => items.lateQueue(state, now)),
      ...queues.filter(({ failed }) => failed > 0).map(items.failedQueue),
    ]),
    unreadPayments(tx, due).then((unread) => (unread ? [items.unreadPayments(unread)] : [])),
    unsentRefunds(tx, due).then((unsent) => unsent.map(items.unsentRefund)),
    failedReturns(tx).then((failed) => failed.map(items.failedReturn)),
    mismatchedPayments(tx).then((mismatched) => mismatched.map(items.mismatchedPayment)),
    countPurchases(tx, { attention: true }).then(({ total }) => (total > 0 ? [items.undecidedPurchases(total)] : [])),
    undeliveredByAddress(tx).then((undelivered) => undelivered.map(items.undelivered)),
    placeItems(tx, now),
    recentIncidents(tx, now).then((incidents) => incidents.map(items.failing)),
    lastCheckoutCheck(tx).then((checkout) => (checkout?.findings.length ? [items.checkoutDiffers(checkout)] : [])),
    textItems(tx, now),
    callItems(tx, now),
    feesKept(tx).then((fees) => fees.map(items.feeKept)),
    failingOwnCalendar(tx, now).then((calendar) => (calendar ? [items.ownCalendarUnread(calendar)] : [])),
    frequentViolations(tx).then((frequent) => frequent.map(items.blockedContent)),
    isLegalMissing(tx, mode).then((isMissing) => (isMissing ? [items.legalMissing()] : [])),
  ]
  const [done, ...found] = await Promise.all([
    tx.select({ kind: attentionDone.kind, about: attentionDone.about }).from(attentionDone),
    ...reads,
  ])
  const all = [...(disk && isNearlyFull(disk) ? [items.nearlyFull(disk)] : []), ...found.flat()]
  return all.filter((item) => !done.some(({ kind, about }) => kind === item.kind && about === item.about))
}

/** The law asks for these details once the site is public. */
async function isLegalMissing(reader: Reader, mode: World['mode']): Promise<boolean> {
  return mode === 'live' && (await currentFacts(reader)).legal === null && (await isConfirmed(reader, 'live'))
}

async function placeItems(reader: Reader, now: Temporal.Instant): Promise<AttentionItem[]> {
  const places = await placesToOffer(reader, now)
  return await Promise.all(
    places.map(async (place) =>
      items.placeToOffer(place, (await findUser(reader, place.member.userId))?.phone ?? null),
    ),
  )
}

async function callItems(reader: Reader, now: Temporal.Instant): Promise<AttentionItem[]> {
  const calls = await callsToMake(reader, { isOutdated, stillTrue, now })
  if (calls.length === 0) return []
  const ids = [...new Set(calls.map(({ userId }) => userId))]
  const members = await reader.select().from(users).where(inArray(users.id, ids))
  const memberOf = new Map(members.map((row) => [row.id, row]))
  return calls.flatMap((call) => {
    const member = memberOf.get(call.userId)
    if (!member) return []
    const { firstName, lastName, phone } = member
    return [items.callMember(call, { name: `${firstName} ${lastName}`.trim(), phone: phone ?? '' })]
  })
}

async function textItems(reader: Reader, now: Temporal.Instant): Promise<AttentionItem[]> {
  const all = await textsToCheck(reader, now)
  if (all.length === 0) return []
  const ids = [...new Set(all.flatMap(({ userId }) => userId ?? []))]
  const members = await reader.select().from(users).where(inArray(users.id, ids))
  const nameOf = new Map(members.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`.trim()]))
  const over = all.filter(({ state }) => state === 'over_limit')
  return [
    ...all
      .filter((text) => text.state !== 'over_limit')
      .map((text) => items.textFailed(text, nameOf.get(text.userId ?? '') ?? 'a former member')),
    ...(over[0] ? [items.textsUsedUp(over.length, over[0].createdAt)] : []),
  ]
}

type ItemRef = { kind: Kind; about: string }

/** Marks an item as done. Refuses an item that no longer exists, or that only its cause can remove. */
export async function markDone(tx: Tx, admin: { id: string }, ref: ItemRef, world: World): Promise<void> {
  const { kind, about } = await requireItem(tx, 'done', ref, world)
  if (kind === 'mail_undelivered') await dropUndelivered(tx, about)
  else if (kind === 'call_member') await endCall(tx, Number(about))
  else {
    const done = { kind, about, adminId: admin.id, doneAt: world.now }
    await tx.insert(attentionDone).values(done).onConflictDoNothing()
  }
  await recordAdminChange(tx, admin, { action: 'marked_done', subject: { kind: 'attention', id: kind } }, world.now)
}

/** Sends emails or a refund again, or makes late jobs due now. Refuses an item that has gone or has no such action. */
export async function sendAgain(tx: Tx, admin: { id: string }, ref: ItemRef, world: World): Promise<void> {
  const { kind, about } = await requireItem(tx, 'send_again', ref, world)
  if (kind === 'mail_undelivered') await resendUndelivered(tx, about)
  else if (kind === 'refund_unsent') await sendRefundAgain(tx, Number(about))
  else if (kind === 'payment_unread') await retryUnreadPayments(tx, world.now)
  else for (const { queue } of await queueStates(tx)) if (queue === about) await retryNow(tx, queue)
  await recordAdminChange(tx, admin, { action: 'sent_again', subject: { kind: 'attention', id: kind } }, world.now)
}

/** Runs the data retention that was held back. Refuses when it is no longer held. */
export async function confirm(tx: Tx, admin: { id: string }, ref: ItemRef, world: World): Promise<void> {
  const { kind } = await requireItem(tx, 'confirm', ref, world)
  await confirmRetention(tx, world.now)
  await recordAdminChange(tx, admin, { action: 'confirmed', subject: { kind: 'attention', id: kind } }, world.now)
}

async function requireItem(tx: Tx, action: Action, { kind, about }: ItemRef, world: World): Promise<AttentionItem> {
  const item = (await attentionNow(tx, world)).find((one) => one.kind === kind && one.about === about)
  if (!item) refuse(attentionRefusals.already_settled)
  if (!item.actions.includes(action)) refuse(attentionRefusals.action_not_available)
  return item
}

/** Emails the owner the list, if there is anything on it; at most once a day. */
export async function mailAttention(tx: Tx, world: World): Promise<void> {
  const current = await attentionNow(tx, world)
  if (current.length === 0) return
  const mailedOn = studioDate(world.now).toString()
  const first = await tx
    .insert(attentionMail)
    .values({ mailedOn })
    .onConflictDoUpdate({
      target: attentionMail.isOnly,
      set: { mailedOn },
      setWhere: lt(attentionMail.mailedOn, sql`excluded.mailed_on`),
    })
    .returning()
  if (first.length === 0) return
  const to = ownerOf(await currentFacts(tx))
  await queueMail(tx, 'attention', { to, items: current.map(({ title, text }) => ({ title, text })) })
}

export { checkCheckout } from './check-checkout.ts'
export { countOutcomes, type OutcomeCounter, outcomeCounter, watchFailures } from './failures.ts'
