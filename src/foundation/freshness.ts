import { z } from 'zod'
import { commonRefusals, refuse } from './refusal.ts'

/** Which state of a thing an edit was written for: its `updatedAt` as it was read. Absent: whatever it is now. */
export const IfUpdatedAt = z.iso.datetime('Please send the updatedAt that was read').nullish()

/** Refuses an edit of something that somebody else has changed since it was read; the row is locked by the caller. */
export function refuseIfChanged(updatedAt: Temporal.Instant, read: string | null | undefined): void {
  if (read != null && !updatedAt.equals(Temporal.Instant.from(read))) refuse(commonRefusals.edit_conflict)
}
