import { and, asc, count, eq, gt, max, min, or, type SQL, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { bookings, waitingList } from '#booking/tables.ts'
import { keysOf } from '#foundation/collections.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { emergencyContacts, healthQuestionnaires, healthUpdates } from '#health/tables.ts'
import { passes } from '#passes/tables.ts'
import { isFailedForGood } from '#payments/server/payments.ts'
import { disputes, paymentIntents, purchases, refunds } from '#payments/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import type { KeptUntil, ReasonToKeep } from '../contract-own.ts'
import { type Cutoffs, overOn, recentPurchasesSince } from '../rules.ts'
import { hasComplaint } from './complaints.ts'

/** A payment on its way, or one that the provider is still asked about because it could be made yet. */
const isUnsettled = sql`(${paymentIntents.state} = 'processing'
  or (${paymentIntents.state} = 'open' and ${paymentIntents.nextLookAt} is not null))`

/** A refund on its way, or one of a purchase that failed and waits for the owner's decision. */
const isRefundOpen = sql`(${refunds.settledAt} is null
  or (${isFailedForGood} and ${refunds.answeredAt} is null and ${refunds.purchaseId} is not null))`

/**
 * Why retention leaves a member alone, each as a condition on `users`: what the studio still owes them, or may have to
 * answer for. Whatever else must keep a member is added here.
 */
function reasonsToKeep(now: Temporal.Instant): Record<ReasonToKeep, SQL> {
  const at = now.toString()
  return {
    admin: sql`${users.isAdmin}`,
    pass: sql`exists (select from ${passes} where ${passes.userId} = ${users.id} and ${passes.creditsRemaining} > 0
      and ${passes.expiresAt} >= ${at} and ${passes.refundedAt} is null)`,
    booking: sql`exists (select from ${bookings} join ${classes} on ${classes.id} = ${bookings.classId}
      where ${bookings.userId} = ${users.id} and ${bookings.status} = 'confirmed' and ${classes.endsAt} > ${at})`,
    waiting: sql`exists (select from ${waitingList} join ${classes} on ${classes.id} = ${waitingList.classId}
      where ${waitingList.userId} = ${users.id} and ${classes.startsAt} > ${at})`,
    payment: sql`(exists (select from ${paymentIntents} where ${paymentIntents.userId} = ${users.id} and ${isUnsettled})
      or exists (select from ${refunds}
        left join ${purchases} on ${purchases.id} = ${refunds.purchaseId}
        left join ${paymentIntents} on ${paymentIntents.id} = ${refunds.paymentIntentId}
        where coalesce(${purchases.userId}, ${paymentIntents.userId}) = ${users.id} and ${isRefundOpen}))`,
    purchase: sql`exists (select from ${purchases} where ${purchases.userId} = ${users.id}
      and ${purchases.purchasedAt} >= ${recentPurchasesSince(now).toString()} and ${purchases.voidedAt} is null)`,
    // A bank asks about a payment of theirs, or has not decided.
    dispute: sql`exists (select from ${disputes} join ${paymentIntents} on ${paymentIntents.id} = ${disputes.paymentIntentId}
      where ${paymentIntents.userId} = ${users.id} and ${disputes.decidedAt} is null)`,
    complaint: hasComplaint(users.id),
  }
}

/** The end of the last class a member had a place in; null where there was none. A cancelled place is no class. */
const lastClass = sql`(select max(${classes.endsAt}) from ${bookings} join ${classes} on ${classes.id} = ${bookings.classId}
  where ${bookings.userId} = ${users.id} and ${bookings.status} <> 'cancelled')`

/** When health information was last saved; null where there is none. */
const lastSaved = sql`(select max(at) from (
  select ${healthQuestionnaires.updatedAt} as at from ${healthQuestionnaires} where ${healthQuestionnaires.userId} = ${users.id}
  union all select ${emergencyContacts.updatedAt} from ${emergencyContacts} where ${emergencyContacts.userId} = ${users.id}
  union all select ${healthUpdates.createdAt} from ${healthUpdates} where ${healthUpdates.userId} = ${users.id}) as saved)`

/** A member the studio added who never came: no mailed link followed, no password, no pass, no booking. */
const neverCame = sql`(${users.passwordHash} is null and ${users.emailVerifiedAt} is null and not exists (select from ${bookings} where ${bookings.userId} = ${users.id})
  and not exists (select from ${passes} where ${passes.userId} = ${users.id}))`

/** From when on time counts, by what ends with it; null where there is nothing that could end. */
const countsFrom = {
  contact: sql`coalesce(${lastClass}, ${users.createdAt})`,
  invitation: sql`case when ${neverCame} then coalesce(${users.invitedAt}, ${users.createdAt}) end`,
  health: sql`case when ${lastSaved} is not null then greatest(${lastClass}, ${lastSaved}) end`,
} as const satisfies { [Part in keyof Cutoffs]?: SQL }

/** What ends: the account with all of it, or the health information alone. */
export type Ending = 'account' | 'health'
const PARTS = { account: ['contact', 'invitation'], health: ['health'] } as const

const isOver = (ending: Ending, cutoffs: Cutoffs) =>
  or(...PARTS[ending].map((part) => sql`${countsFrom[part]} <= ${cutoffs[part].toString()}`))

const isDue = (ending: Ending, cutoffs: Cutoffs, now: Temporal.Instant) =>
  and(isOver(ending, cutoffs), ...Object.values(reasonsToKeep(now)).map((reason) => sql`not ${reason}`))

/** How many members there are, and of how many something is over. */
export async function countDue(
  reader: Reader,
  cutoffs: Cutoffs,
  now: Temporal.Instant,
): Promise<{ members: number; due: number }> {
  const [members, due] = [
    await reader.$count(users, eq(users.isAdmin, false)),
    await reader.$count(users, or(isDue('account', cutoffs, now), isDue('health', cutoffs, now))),
  ]
  return { members, due }
}

/** Members of whom something is over, by ascending id, beyond `after`. */
export async function membersDue(
  reader: Reader,
  ending: Ending,
  { cutoffs, now, after, limit }: { cutoffs: Cutoffs; now: Temporal.Instant; after: string; limit: number },
): Promise<string[]> {
  const rows = await reader
    .select({ id: users.id })
    .from(users)
    .where(and(gt(users.id, after), isDue(ending, cutoffs, now)))
    .orderBy(asc(users.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Whether it is so of one member; asked again once they are locked. */
export async function isMemberDue(
  reader: Reader,
  ending: Ending,
  { id, cutoffs, now }: { id: string; cutoffs: Cutoffs; now: Temporal.Instant },
): Promise<boolean> {
  const [row] = await reader
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isDue(ending, cutoffs, now)))
  return row !== undefined
}

/** From when on time counts for a member, and what keeps them all the same: what the job itself looks at. */
async function retentionOf(reader: Reader, id: string, now: Temporal.Instant) {
  const since = (of: SQL) => sql<Temporal.Instant | null>`${of}`.mapWith(asInstant)
  const reasons = reasonsToKeep(now)
  const [row] = await reader
    .select({
      contact: since(countsFrom.contact),
      invitation: since(countsFrom.invitation),
      health: since(countsFrom.health),
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

/** Until when the studio keeps what it knows of a member. What counts, and from when on, is what the job reads itself. */
export async function keptUntil(reader: Reader, userId: string, now: Temporal.Instant): Promise<KeptUntil> {
  const { contact, invitation, health, hasTakenClass, reasons } =
    (await retentionOf(reader, userId, now)) ?? refuse(commonRefusals.unauthorized)
  const [bought] = await reader
    .select({ count: count(), first: min(purchases.purchasedAt), last: max(purchases.purchasedAt) })
    .from(purchases)
    .where(eq(purchases.userId, userId))
  const byContact = contact && overOn('contact', contact)
  const byInvitation = invitation && overOn('invitation', invitation)
  const isInvitationFirst = byInvitation && (!byContact || byInvitation < byContact)
  return {
    account: reasons.includes('admin') ? null : isInvitationFirst ? byInvitation : byContact,
    accountSince: isInvitationFirst ? 'invitation' : hasTakenClass ? 'last_class' : 'sign_up',
    health: health && overOn('health', health),
    keptBy: reasons,
    purchases:
      bought?.first && bought.last
        ? { count: bought.count, first: overOn('financial', bought.first), last: overOn('financial', bought.last) }
        : null,
  }
}
