import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { users } from '../../accounts/tables.ts'
import { bookings, waitingList } from '../../booking/tables.ts'
import { emergencyContacts, healthQuestionnaires, healthUpdates } from '../../health/tables.ts'
import { passes } from '../../passes/tables.ts'
import { disputes, paymentIntents } from '../../payments/tables.ts'
import type { Reader } from '../../platform/database/database.ts'
import { classes } from '../../timetable/tables.ts'
import type { Cutoffs } from '../rules.ts'
import { complaints } from '../tables.ts'

/**
 * Why retention leaves a member alone, each as a condition on `users`: what the studio still owes them, or may have to
 * answer for. Whatever else must keep a member is added here.
 */
function reasonsToKeep(now: Temporal.Instant): SQL[] {
  const at = now.toString()
  return [
    sql`${users.isAdmin}`,
    sql`exists (select from ${passes} where ${passes.userId} = ${users.id} and ${passes.creditsRemaining} > 0
      and ${passes.expiresAt} >= ${at} and ${passes.refundedAt} is null)`,
    sql`exists (select from ${bookings} join ${classes} on ${classes.id} = ${bookings.classId}
      where ${bookings.userId} = ${users.id} and ${bookings.status} = 'confirmed' and ${classes.endsAt} > ${at})`,
    sql`exists (select from ${waitingList} join ${classes} on ${classes.id} = ${waitingList.classId}
      where ${waitingList.userId} = ${users.id} and ${classes.startsAt} > ${at})`,
    // A bank asks about a payment of theirs, or has not decided.
    sql`exists (select from ${disputes} join ${paymentIntents} on ${paymentIntents.id} = ${disputes.paymentIntentId}
      where ${paymentIntents.userId} = ${users.id} and ${disputes.decidedAt} is null)`,
    sql`exists (select from ${complaints} where ${complaints.userId} = ${users.id})`,
  ]
}

/** The end of the last class a member had a place in; null where there was none. A cancelled place is no class. */
const lastClass = sql`(select max(${classes.endsAt}) from ${bookings} join ${classes} on ${classes.id} = ${bookings.classId}
  where ${bookings.userId} = ${users.id} and ${bookings.status} <> 'cancelled')`

/** When health information was last saved; null where there is none. */
const lastSaved = sql`(select max(at) from (
  select ${healthQuestionnaires.updatedAt} as at from ${healthQuestionnaires} where ${healthQuestionnaires.userId} = ${users.id}
  union all select ${emergencyContacts.updatedAt} from ${emergencyContacts} where ${emergencyContacts.userId} = ${users.id}
  union all select ${healthUpdates.createdAt} from ${healthUpdates} where ${healthUpdates.userId} = ${users.id}) as saved)`

/** Somebody whom the studio added and who never came: no password, no pass, no booking. */
const neverCame = sql`(${users.passwordHash} is null and not exists (select from ${bookings} where ${bookings.userId} = ${users.id})
  and not exists (select from ${passes} where ${passes.userId} = ${users.id}))`

/** What ends: the account with all of it, or the health information alone. */
export type Ending = 'account' | 'health'

const isOver = (ending: Ending, cutoffs: Cutoffs): SQL =>
  ending === 'account'
    ? sql`(coalesce(${lastClass}, ${users.createdAt}) <= ${cutoffs.contact.toString()}
        or (${neverCame} and coalesce(${users.invitedAt}, ${users.createdAt}) <= ${cutoffs.invitation.toString()}))`
    : // With nothing saved this is null, which is not true.
      sql`case when ${lastSaved} is not null then greatest(${lastClass}, ${lastSaved}) <= ${cutoffs.health.toString()} end`

const isDue = (ending: Ending, cutoffs: Cutoffs, now: Temporal.Instant) =>
  and(isOver(ending, cutoffs), ...reasonsToKeep(now).map((reason) => sql`not ${reason}`))

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
