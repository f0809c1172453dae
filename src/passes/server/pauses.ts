import { and, eq, gte, sql } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import type { AuditAction } from '#audit/contract.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { formatDate } from '#foundation/dates.ts'
import { endOfDay, studioDate, today } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { packageEvenDeleted } from '#packages/server/packages.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { type ExtensionForm, type PauseForm, passRefusals } from '../contract.ts'
import { type DateRange, expiryAfter, frozenDaysOf, isPausedOn, pausesBefore } from '../rules.ts'
import { creditLedger, type PassRow, passes } from '../tables.ts'
import { causeColumns } from './credits.ts'
import { passForUpdate, passOf } from './pass-queries.ts'

type Admin = { id: string }

/** The pass as it would be with this pause, or a refusal. */
export function withPause(pass: PassRow, { from, to }: DateRange, now: Temporal.Instant): PassRow {
  if (pass.refundedAt ?? pass.voidedAt) refuse(passRefusals.pass_ended)
  if (Temporal.Instant.compare(pass.expiresAt, now) <= 0) refuse(passRefusals.pass_expired)
  if (from < today(pass.createdAt)) refuse(passRefusals.pause_before_pass)
  if (from > today(pass.expiresAt)) refuse(passRefusals.pause_after_expiry)
  const isCovered = pass.paused.some((paused) => isPausedOn({ paused: [paused] }, from) && to <= paused.to)
  if (isCovered) refuse(passRefusals.already_paused)
  const paused = [...pass.paused, { from, to }]
  return { ...pass, paused, expiresAt: expiryAfter(pass, { paused }) }
}

/** Pauses a (locked) pass. The caller cancels its upcoming bookings on these days. */
export async function pause(
  tx: Tx,
  admin: Admin,
  pass: PassRow,
  { from, to, reason, bookingsCancelled, heldPlaces }: PauseForm & { bookingsCancelled: number; heldPlaces: number },
  now: Temporal.Instant,
) {
  const { paused, expiresAt } = withPause(pass, { from, to }, now)
  const days = `${formatDate(from)} to ${formatDate(to)}`
  return await changeValidity(
    tx,
    admin,
    pass,
    {
      set: { paused, expiresAt },
      line: { kind: 'pause', reason: `${days}: ${reason.trim()}` },
      audited: {
        action: 'pass_paused',
        changes: {
          days: { after: days },
          reason: { after: reason.trim() },
          bookingsCancelled: { after: bookingsCancelled },
          ...(heldPlaces > 0 && { heldPlaces: { after: heldPlaces } }),
        },
      },
      mail: { change: 'paused', pausedOn: { from, to }, reason: reason.trim() },
    },
    now,
  )
}

/** Ends the pause of a pass early, and any pause still to come. From today it can be used again. */
export async function resumePass(tx: Tx, admin: Admin, id: number, now: Temporal.Instant) {
  const pass = await passForUpdate(tx, id)
  if (pass.refundedAt ?? pass.voidedAt) refuse(passRefusals.pass_ended)
  const day = today(now)
  const left = pass.paused.filter(({ to }) => to >= day)
  if (left.length === 0) refuse(passRefusals.not_paused)
  const paused = pausesBefore(pass.paused, day)
  const days = left.map(({ from, to }) => `${formatDate(from)} to ${formatDate(to)}`).join(', ')
  return await changeValidity(
    tx,
    admin,
    pass,
    {
      set: { paused, expiresAt: expiryAfter(pass, { paused }) },
      line: { kind: 'resume', reason: `Instead of ${days}` },
      audited: { action: 'pass_resumed', changes: { days: { before: days } } },
      mail: { change: 'resumed' },
    },
    now,
  )
}

/** Moves a pass's expiry to a later day. Credits that were lost at its expiry come back, written off or not. */
export async function extendPass(
  tx: Tx,
  admin: Admin,
  id: number,
  { expiresAt: wanted, reason }: ExtensionForm,
  now: Temporal.Instant,
) {
  const pass = await passForUpdate(tx, id)
  if (pass.refundedAt ?? pass.voidedAt) refuse(passRefusals.pass_ended)
  const last = wanted.includes('T') ? studioDate(Temporal.Instant.from(wanted)) : Temporal.PlainDate.from(wanted)
  const expiresAt = endOfDay(last)
  const isLater = [pass.expiresAt, now].every((before) => Temporal.Instant.compare(before, expiresAt) < 0)
  if (!isLater) refuse(passRefusals.expiry_not_later)
  return await changeValidity(
    tx,
    admin,
    pass,
    {
      set: { expiresAt },
      line: { kind: 'extension', credits: await creditsLostAtExpiry(tx, pass), reason: reason.trim() },
      audited: { action: 'pass_extended', changes: { reason: { after: reason.trim() } } },
      mail: { change: 'extended', reason: reason.trim() },
    },
    now,
  )
}

/** What the nightly job has written off since the pass expired; 0 before. */
async function creditsLostAtExpiry(tx: Tx, { id, expiresAt }: PassRow): Promise<number> {
  const [lost] = await tx
    .select({ credits: sql<number>`coalesce(-sum(${creditLedger.credits}), 0)::int` })
    .from(creditLedger)
    .where(and(eq(creditLedger.passId, id), eq(creditLedger.kind, 'expiry'), gte(creditLedger.at, expiresAt)))
  return lost?.credits ?? 0
}

type Change = {
  set: Partial<Pick<PassRow, 'paused' | 'expiresAt'>>
  line: { kind: 'pause' | 'resume' | 'extension'; credits?: number; reason: string }
  audited: {
    action: Extract<AuditAction, `pass_${string}`>
    changes: Record<string, { before?: string | number; after?: string | number }>
  }
  mail: { change: 'paused' | 'resumed' | 'extended'; pausedOn?: DateRange; reason?: string }
}

/** Changes until when a (locked) pass is valid, with a ledger line, an audit line and an email to the member. */
async function changeValidity(
  tx: Tx,
  admin: Admin,
  pass: PassRow,
  { set, line, audited, mail }: Change,
  now: Temporal.Instant,
) {
  // A pause lets nothing be booked that could not be before.
  const usableSince = line.kind === 'pause' ? pass.usableSince : now
  const changed = await tx
    .update(passes)
    .set({ ...set, usableSince })
    .where(eq(passes.id, pass.id))
    .returning()
    .then(onlyRow)
  const cause = causeColumns({ by: 'admin', id: admin.id })
  await tx.insert(creditLedger).values({ passId: pass.id, credits: 0, ...line, ...cause, at: now })
  const held = await packageEvenDeleted(tx, pass.packageId)
  const expiry = { before: today(pass.expiresAt), after: today(changed.expiresAt) }
  const changes = { package: { after: held.name }, expiry, ...audited.changes }
  const subject = { kind: 'user' as const, id: pass.userId }
  await recordAdminChange(tx, admin, { action: audited.action, subject, changes }, now)
  const member = (await findUser(tx, pass.userId)) ?? refuse(passRefusals.pass_not_found)
  const expiresOn = today(changed.expiresAt)
  await queueMail(tx, 'pass-validity', { to: recipient(member), packageName: held.name, expiresOn, ...mail })
  return await passOf(tx, pass.userId, pass.id)
}

/** Keeps a (locked) pass from paying while its payment is disputed. */
export async function freezePass(tx: Tx, pass: PassRow, now: Temporal.Instant): Promise<void> {
  if (pass.frozenAt) return
  await tx.update(passes).set({ frozenAt: now }).where(eq(passes.id, pass.id))
}

/** Lets a frozen (locked) pass pay again, extended by the frozen days that were not paused, to the end of a day. */
export async function thawPass(tx: Tx, pass: PassRow, now: Temporal.Instant): Promise<void> {
  if (!pass.frozenAt) return
  const frozenDays = [...pass.frozenDays, ...frozenDaysOf(pass, pass.frozenAt, now)]
  const expiresAt = expiryAfter(pass, { frozenDays })
  await tx.update(passes).set({ frozenAt: null, frozenDays, expiresAt, usableSince: now }).where(eq(passes.id, pass.id))
}
