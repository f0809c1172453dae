import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { auditLog } from '../../audit/tables.ts'
import { bookings } from '../../booking/tables.ts'
import { healthUpdates } from '../../health/tables.ts'
import { purchases } from '../../payments/tables.ts'
import { complaints } from '../tables.ts'

/** Whether somebody's complaint is open: the studio may have to answer for all that is on record of them. */
export const hasComplaint = (userId: AnyColumn): SQL =>
  sql`exists (select from ${complaints} where ${complaints.userId} = ${userId})`

/** Whether a line says what was done about such a member, or about something of theirs. */
export const isAboutComplaint = ({ subjectKind, subjectId }: typeof auditLog): SQL =>
  sql`exists (select from ${complaints} where case ${subjectKind}
    when 'user' then ${complaints.userId} = ${subjectId}
    when 'booking' then exists (select from ${bookings}
      where ${bookings.id}::text = ${subjectId} and ${bookings.userId} = ${complaints.userId})
    when 'purchase' then exists (select from ${purchases}
      where ${purchases.id}::text = ${subjectId} and ${purchases.userId} = ${complaints.userId})
    when 'health_update' then exists (select from ${healthUpdates}
      where ${healthUpdates.id}::text = ${subjectId} and ${healthUpdates.userId} = ${complaints.userId})
    else false end)`
