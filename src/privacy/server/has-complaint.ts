import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { auditLog } from '#audit/tables.ts'
import { bookings } from '#booking/tables.ts'
import { healthUpdates } from '#health/tables.ts'
import { purchases } from '#payments/tables.ts'
import type { securityEvents } from '#security/tables.ts'
import { complaints, dataComplaints } from '../tables.ts'

/** Whether somebody's complaint is open: the studio may have to answer for all that is on record of them. */
export const hasComplaint = (userId: AnyColumn): SQL => sql`(
  exists (select from ${complaints} where ${complaints.userId} = ${userId})
  or exists (select from ${dataComplaints} where ${dataComplaints.userId} = ${userId} and ${dataComplaints.answeredAt} is null))`

/** Everybody with an open complaint. */
const complaining = sql`(select ${complaints.userId} as id from ${complaints}
  union select ${dataComplaints.userId} from ${dataComplaints} where ${dataComplaints.answeredAt} is null)`

/** Whether a line says what was done about a person, or about something of theirs. */
export const isAbout = ({ subjectKind, subjectId }: typeof auditLog, person: SQL): SQL => sql`case ${subjectKind}
    when 'user' then ${person} = ${subjectId}
    when 'booking' then exists (select from ${bookings}
      where ${bookings.id}::text = ${subjectId} and ${bookings.userId} = ${person})
    when 'purchase' then exists (select from ${purchases}
      where ${purchases.id}::text = ${subjectId} and ${purchases.userId} = ${person})
    when 'health_update' then exists (select from ${healthUpdates}
      where ${healthUpdates.id}::text = ${subjectId} and ${healthUpdates.userId} = ${person})
    else false end`

/** Whether a line is about a member with an open complaint. */
export const isAboutComplaint = (log: typeof auditLog): SQL =>
  sql`exists (select from ${complaining} as person where ${isAbout(log, sql`person.id`)})`

/** Whether an event is about the account of such a member, or was of their doing. */
export const isEventOfComplaint = ({ subjectId, actorId }: typeof securityEvents): SQL =>
  sql`exists (select from ${complaining} as person where person.id in (${subjectId}, ${actorId}))`
