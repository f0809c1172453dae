import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { regularDatesLeftOut } from '../../tables.ts'

/** Never books these classes again for these members, in their own regular bookings or as companions. */
export async function leaveDatesOut(tx: Tx, dates: readonly { userId: string; classId: number }[]): Promise<void> {
  if (dates.length === 0) return
  await tx.execute(sql`
    insert into regular_dates_left_out (user_id, class_id)
    select * from unnest(${sql.param(dates.map(({ userId }) => userId))}::text[],
      ${sql.param(dates.map(({ classId }) => classId))}::int[]) as left_out(member, class)
    where exists (select from regular_bookings where member in (user_id, companion_user_id))
    on conflict do nothing`)
}

/** Lets a regular booking have these dates again. */
export async function bringDatesBack(tx: Tx, userId: string, classIds: readonly number[]): Promise<void> {
  await tx
    .delete(regularDatesLeftOut)
    .where(and(eq(regularDatesLeftOut.userId, userId), inArray(regularDatesLeftOut.classId, [...classIds])))
}
