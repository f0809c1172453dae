import { and, asc, count, eq, gt, max, min, or, type SQL, sql } from 'drizzle-orm'
import { emailChanges, users } from '#accounts/tables.ts'
import { bookings, invitations, takenPlaces, waitingList } from '#booking/tables.ts'
import { keysOf } from '#foundation/collections.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { emergencyContacts, healthQuestionnaires, healthUpdates, sessionNotes } from '#health/tables.ts'
import { passes } from '#passes/tables.ts'
import { isFailedForGood } from '#payments/server/payments.ts'
import { disputes, paymentIntents, purchases, refunds } from '#payments/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { vouchers } from '#vouchers/tables.ts'
import type { KeptUntil, ReasonToKeep } from '../contract-own.ts'
import { type Cutoffs, cutoffsAt, firstDayToErase, recentPurchasesSince } from '../rules.ts'
import { hasComplaint } from './complaints.ts'

/** A payment that is processing, or that we still poll because it could still succeed. */
const isUnsettled = sql`(${paymentIntents.state} = 'processing'
  or (${paymentIntents.state} = 'open' and ${paymentIntents.nextPollAt} is not null))`

/** A refund that is pending, or that failed and needs the owner's decision. */
const isRefundOpen = sql`(${refunds.settledAt} is null
  or (${isFailedForGood} and ${refunds.answeredAt} is null and ${refunds.purchaseId} is not null))`

/** Whether an invitation is to the member's address, or to a former address that they can still restore. */
const isInvited = sql`(lower(${invitations.email}) = lower(${users.email}) or exists (select from ${emailChanges}
  where ${emailChanges.userId} = ${users.id} and lower(${emailChanges.oldEmail}) = lower(${invitations.email})))`

/** Reasons for retention to keep a member, each as a condition on `users`. */
function reasonsToKeep(now: Temporal.Instant): Record<ReasonToKeep, SQL> {
  const at = now.toString()
  return {
    admin: sql`${users.isAdmin}`,
    teacher: sql`${users.isTeacher}`,
    pass: sql`exists (select from ${passes} where ${passes.userId} = ${users.id} and ${passes.creditsRemaining} > 0
      and ${passes.expiresAt} >= ${at} and ${passes.refundedAt} is null)`,
    // Their own, one that they pay for, or one that is held for them.
    booking: sql`exists (select from ${bookings} join ${classes} on ${classes.id} = ${bookings.classId}
      left join ${invitations} on ${invitations.id} = ${bookings.invitationId}
      where ${bookings.status} in ('held', 'confirmed') and ${classes.endsAt} > ${at}
        and (${bookings.userId} = ${users.id} or ${bookings.payerId} = ${users.id}
          or (${bookings.status} = 'held' and ${isInvited})))`,
    waiting: sql`exists (select from ${waitingList} join ${classes} on ${classes.id} = ${waitingList.classId}
      where ${waitingList.userId} = ${users.id} and ${classes.startsAt} > ${at})`,
    voucher: sql`exists (select from ${vouchers}
      where (${vouchers.buyerId} = ${users.id} or lower(${vouchers.recipientEmail}) = lower(${users.email}))
        and ${vouchers.soldAt} is not null and ${vouchers.expiresAt} > ${at}
        and ${vouchers.redeemedAt} is null and ${vouchers.voidedAt} is null)`,
    payment: sql`(exists (select from ${paymentIntents} where ${paymentIntents.userId} = ${users.id} and ${isUnsettled})
      or exists (select from ${refunds}
        left join ${purchases} on ${purchases.id} = ${refunds.purchaseId}
        left join ${paymentIntents} on ${paymentIntents.id} = ${refunds.paymentIntentId}
        where coalesce(${purchases.userId}, ${paymentIntents.userId}) = ${users.id} and ${isRefundOpen}))`,
    purchase: sql`exists (select from ${purchases} where ${purchases.userId} = ${users.id}
      and ${purchases.purchasedAt} >= ${recentPurchasesSince(now).toString()} and ${purchases.voidedAt} is null)`,
    dispute: sql`exists (select from ${disputes} join ${paymentIntents} on ${paymentIntents.id} = ${disputes.paymentIntentId}
      where ${paymentIntents.userId} = ${users.id} and ${disputes.decidedAt} is null)`,
    complaint: hasComplaint(users.id),
  }
}

/** The end of a member's last class that they did not cancel; null if there was none. */
const lastClass = sql`(select max(${classes.endsAt}) from ${takenPlaces} join ${classes} on ${classes.id} = ${takenPlaces.classId}
  where ${takenPlaces.userId} = ${users.id} and ${takenPlaces.status} <> 'cancelled')`

/** When health information was last saved; null if there is none. */
const lastSaved = sql`(select max(at) from (
  select ${healthQuestionnaires.updatedAt} as at from ${healthQuestionnaires} where ${healthQuestionnaires.userId} = ${users.id}
  union all select ${emergencyContacts.updatedAt} from ${emergencyContacts} where ${emergencyContacts.userId} = ${users.id}
  union all select ${healthUpdates.createdAt} from ${healthUpdates} where ${healthUpdates.userId} = ${users.id}
  union all select ${sessionNotes.writtenAt} from ${sessionNotes} where ${sessionNotes.userId} = ${users.id}) as saved)`

/** A member whom the studio added but who never used the account, nor bought anything. */
const neverUsed = sql`(${users.passwordHash} is null and ${users.emailVerifiedAt} is null and not exists (select from ${takenPlaces} where ${takenPlaces.userId} = ${users.id})
  and not exists (select from ${passes} where ${passes.userId} = ${users.id})
  and not exists (select from ${purchases} where ${purchases.userId} = ${users.id} and ${purchases.voidedAt} is null))`

/** When each retention period starts; null if there is nothing to erase. */
const periodStarts = {
  contact: sql`coalesce(${lastClass}, ${users.createdAt})`,
  invitation: sql`case when ${neverUsed} then coalesce(${users.invitedAt}, ${users.createdAt}) end`,
  health: sql`case when ${lastSaved} is not null then greatest(${lastClass}, ${lastSaved}) end`,
} as const satisfies { [Part in keyof Cutoffs]?: SQL }

/** What is erased: the whole account, or only the health information. */
export type ErasureScope = 'account' | 'health'
const PARTS = { account: ['contact', 'invitation'], health: ['health'] } as const

function isDue(scope: ErasureScope, now: Temporal.Instant): SQL | undefined {
  const cutoffs = cutoffsAt(now)
  const hasExpired = or(...PARTS[scope].map((part) => sql`${periodStarts[part]} <= ${cutoffs[part].toString()}`))
  return and(hasExpired, ...Object.values(reasonsToKeep(now)).map((reason) => sql`not ${reason}`))
}

/** How many members there are, and for how many something is due to be erased. */
export async function countDue(reader: Reader, now: Temporal.Instant): Promise<{ members: number; due: number }> {
  const [members, due] = [
    await reader.$count(users, and(eq(users.isAdmin, false), eq(users.isTeacher, false))),
    await reader.$count(users, or(isDue('account', now), isDue('health', now))),
  ]
  return { members, due }
}

/** Members who are due, by ascending id after `after`. */
export async function membersDue(
  reader: Reader,
  scope: ErasureScope,
  { now, after, limit }: { now: Temporal.Instant; after: string; limit: number },
): Promise<string[]> {
  const rows = await reader
    .select({ id: users.id })
    .from(users)
    .where(and(gt(users.id, after), isDue(scope, now)))
    .orderBy(asc(users.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Whether a (locked) member is still due. */
export async function isMemberDue(
  reader: Reader,
  scope: ErasureScope,
  id: string,
  now: Temporal.Instant,
): Promise<boolean> {
  return (await reader.$count(users, and(eq(users.id, id), isDue(scope, now)))) > 0
}

async function retentionOf(reader: Reader, id: string, now: Temporal.Instant) {
  const start = (part: keyof typeof periodStarts) =>
    sql<Temporal.Instant | null>`${periodStarts[part]}`.mapWith(asInstant)
  const reasons = reasonsToKeep(now)
  const [row] = await reader
    .select({
      contact: start('contact'),
      invitation: start('invitation'),
      health: start('health'),
      hasTakenClass: sql<boolean>`${lastClass} is not null`,
      reasons: sql<ReasonToKeep[]>`array_remove(array[${sql.join(
        keysOf(reasons).map((reason) => sql`case when ${reasons[reason]} then ${reason}::text end`),
        sql`, `,
      )}], null)`,
    })
    .from(users)
    .where(eq(users.id, id))
  return row
}

const asInstant = (value: unknown) => (value === null ? null : Temporal.Instant.from(String(value)))

/** Until when the studio keeps a member's data, by the rules of the retention job. */
export async function keptUntil(reader: Reader, userId: string, now: Temporal.Instant): Promise<KeptUntil> {
  const { contact, invitation, health, hasTakenClass, reasons } =
    (await retentionOf(reader, userId, now)) ?? refuse(commonRefusals.unauthorized)
  const [bought] = await reader
    .select({ count: count(), first: min(purchases.purchasedAt), last: max(purchases.purchasedAt) })
    .from(purchases)
    .where(eq(purchases.userId, userId))
  const byContact = contact && firstDayToErase('contact', contact)
  const byInvitation = invitation && firstDayToErase('invitation', invitation)
  const isInvitationFirst = byInvitation && (!byContact || byInvitation < byContact)
  const isStaff = reasons.includes('admin') || reasons.includes('teacher')
  const sinceContact = hasTakenClass ? 'last_class' : 'sign_up'
  const [since, firstDay] = isInvitationFirst
    ? (['invitation', byInvitation] as const)
    : ([sinceContact, byContact] as const)
  return {
    account: isStaff ? null : firstDay,
    accountSince: since,
    health: health && firstDayToErase('health', health),
    keptBy: reasons,
    purchases:
      bought?.first && bought.last
        ? {
            count: bought.count,
            first: firstDayToErase('financial', bought.first),
            last: firstDayToErase('financial', bought.last),
          }
        : null,
  }
}
