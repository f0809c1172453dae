import { eq } from 'drizzle-orm'
import { toPersonName } from '#foundation/person-names.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { changedAt } from '#platform/database/columns.ts'
import type { Tx } from '#platform/database/database.ts'
import { type UserRow, users } from '../../tables.ts'

/** Changes a member's own name and phone number. What is absent stays; an empty phone number or null removes it. */
export async function editProfile(
  tx: Tx,
  userId: string,
  {
    firstName,
    lastName,
    phone,
  }: { firstName: string; lastName?: string | null | undefined; phone?: string | null | undefined },
  now: Temporal.Instant,
): Promise<UserRow> {
  const [edited] = await tx
    .update(users)
    .set({
      firstName: toPersonName(firstName),
      // A last name can be changed but not removed.
      lastName: lastName || undefined,
      phone: phone === '' ? null : phone,
      updatedAt: changedAt(users.updatedAt, now),
    })
    .where(eq(users.id, userId))
    .returning()
  return edited ?? refuse(commonRefusals.unauthorized)
}

/** Switches a member's texts about classes at short notice on or off. */
export async function chooseTexts(tx: Tx, userId: string, isWanted: boolean, now: Temporal.Instant): Promise<UserRow> {
  // A restored backup must not text the member again.
  await tx.enqueue('update-journal', {})
  const set = { textsOff: !isWanted, updatedAt: changedAt(users.updatedAt, now) }
  const [row] = await tx.update(users).set(set).where(eq(users.id, userId)).returning()
  return row ?? refuse(commonRefusals.unauthorized)
}
