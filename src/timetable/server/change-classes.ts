import { eq, inArray } from 'drizzle-orm'
import { toPence } from '../../foundation/money.ts'
import { refuse } from '../../foundation/refusal.ts'
import { changedAt } from '../../server/database/columns.ts'
import type { Tx } from '../../server/database/database.ts'
import { type ClassEdit, timetableRefusals } from '../contract.ts'
import { spanOf } from '../rules.ts'
import { type ClassRow, classes } from '../tables.ts'

/**
 * Writes an edit into the given (locked) classes. Only what is sent changes; a changed date shifts all by the
 * same number of days, counted from the named class, and each keeps its wall time. Places cannot go below what is booked.
 *
 * @param named the class the edit was written for, one of `rows`
 * @returns the classes as they are now, in the order of `rows`
 */
export async function writeEdit(
  tx: Tx,
  rows: ClassRow[],
  named: ClassRow,
  edit: Omit<ClassEdit, 'applyToRecurring' | 'ifUpdatedAt'>,
  now: Temporal.Instant,
): Promise<ClassRow[]> {
  const { maxParticipants } = edit
  if (maxParticipants !== undefined && rows.some((row) => row.bookedCount > maxParticipants)) {
    refuse(timetableRefusals.below_booked)
  }
  const shift = edit.date
    ? Temporal.PlainDate.from(named.date).until(Temporal.PlainDate.from(edit.date), { largestUnit: 'days' })
    : undefined
  const edited: ClassRow[] = []
  for (const row of rows) {
    const wall = {
      date: shift ? Temporal.PlainDate.from(row.date).add(shift).toString() : row.date,
      startTime: edit.startTime ?? row.startTime,
      endTime: edit.endTime ?? row.endTime,
    }
    const [after] = await tx
      .update(classes)
      .set({
        ...wall,
        ...spanOf(wall),
        title: edit.title,
        description: edit.description === undefined ? undefined : edit.description || null,
        maxParticipants,
        pricePence: edit.price == null ? undefined : toPence(edit.price),
        passPricePence: edit.passPrice == null ? undefined : toPence(edit.passPrice),
        instructorName: edit.instructorName ?? undefined,
        isActive: edit.isActive,
        updatedAt: changedAt(classes.updatedAt, now),
      })
      .where(eq(classes.id, row.id))
      .returning()
    edited.push(after as ClassRow)
  }
  return edited
}

/** Takes classes out of every list; only booking history keeps them. */
export async function markClassesDeleted(tx: Tx, ids: number[], now: Temporal.Instant): Promise<void> {
  await tx
    .update(classes)
    .set({ deletedAt: now, isActive: false, updatedAt: changedAt(classes.updatedAt, now) })
    .where(inArray(classes.id, ids))
}
