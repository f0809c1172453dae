import { desc, eq } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { onlyRow, type Reader, type Tx, violates } from '#platform/database/database.ts'
import { accountRefusals, type User } from '../../contract.ts'
import { memberNotes, users } from '../../tables.ts'

/** Newest first. */
export async function notesOn(reader: Reader, userId: string) {
  const rows = await reader
    .select({ note: memberNotes, firstName: users.firstName, lastName: users.lastName })
    .from(memberNotes)
    .leftJoin(users, eq(users.id, memberNotes.authorId))
    .where(eq(memberNotes.userId, userId))
    .orderBy(desc(memberNotes.writtenAt), desc(memberNotes.id))
  return rows.map(({ note, firstName, lastName }) => ({
    ...note,
    author: firstName === null ? null : `${firstName} ${lastName}`,
  }))
}

/** Adds a note. The audit log does not contain its text. */
export async function addNote(tx: Tx, admin: User, userId: string, text: string, now: Temporal.Instant) {
  const row = await tx
    .insert(memberNotes)
    .values({ userId, authorId: admin.id, text, writtenAt: now })
    .returning()
    .then(onlyRow)
    .catch((error) => {
      if (violates(error, 'member_notes_user_id_fkey')) refuse(accountRefusals.user_not_found)
      throw error
    })
  await recordAdminChange(tx, admin, { action: 'note_added', subject: { kind: 'user', id: userId } }, now)
  return { ...row, author: `${admin.firstName} ${admin.lastName}` }
}

export async function deleteNote(tx: Tx, admin: User, id: number, now: Temporal.Instant): Promise<void> {
  const [deleted] = await tx.delete(memberNotes).where(eq(memberNotes.id, id)).returning()
  if (!deleted) refuse(accountRefusals.note_not_found)
  await recordAdminChange(tx, admin, { action: 'note_deleted', subject: { kind: 'user', id: deleted.userId } }, now)
}
