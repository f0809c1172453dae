import { asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '#accounts/tables.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { Sealed, Vault } from '#platform/vault/vault.ts'
import { healthRefusals, type SessionNote } from '../contract.ts'
import { healthQuestionnaires, type SessionNoteRow, sessionNotes } from '../tables.ts'
import { nextVersion } from './answers.ts'
import { lockMember } from './queries.ts'

const sealedNote: Sealed<string> = { purpose: 'session-note', shape: z.string() }

type NoteToWrite = {
  bookingId: number
  /** The member of the booking. */
  userId: string
  text: string
  /** When the note that was edited was written; null if there was none. Without it, conflicts are not checked. */
  ifWrittenAt?: string | null
}

/**
 * Writes the note on a member's session; an empty text deletes it. Refuses a member without consent to health data.
 *
 * @returns whether there was a note before
 */
export async function writeSessionNote(
  tx: Tx,
  vault: Vault,
  author: { id: string },
  { bookingId, userId, text, ifWrittenAt }: NoteToWrite,
  now: Temporal.Instant,
): Promise<{ hadNote: boolean }> {
  // Withdrawing the consent locks the member too.
  await lockMember(tx, userId)
  const [before] = await tx.select().from(sessionNotes).where(eq(sessionNotes.bookingId, bookingId))
  if (ifWrittenAt !== undefined && (before?.writtenAt.toString() ?? null) !== ifWrittenAt)
    refuse(commonRefusals.edit_conflict)
  if (text === '') {
    await tx.delete(sessionNotes).where(eq(sessionNotes.bookingId, bookingId))
    return { hadNote: before !== undefined }
  }
  const [consent] = await tx
    .select({ userId: healthQuestionnaires.userId })
    .from(healthQuestionnaires)
    .where(eq(healthQuestionnaires.userId, userId))
  if (!consent) refuse(healthRefusals.health_consent_missing)
  const version = await nextVersion(tx)
  const sealed = vault.seal({ owner: userId, row: bookingId, version }, 'session-note', text)
  const row = { sealed, version, authorId: author.id, writtenAt: now }
  await tx
    .insert(sessionNotes)
    .values({ bookingId, userId, ...row })
    .onConflictDoUpdate({ target: sessionNotes.bookingId, set: row })
  return { hadNote: before !== undefined }
}

/** The notes on these bookings. The caller records the reads. */
export async function sessionNotesOn(
  reader: Reader,
  vault: Vault,
  bookingIds: readonly number[],
): Promise<Map<number, SessionNote>> {
  if (bookingIds.length === 0) return new Map()
  const rows = await reader
    .select({ note: sessionNotes, firstName: users.firstName, lastName: users.lastName })
    .from(sessionNotes)
    .leftJoin(users, eq(users.id, sessionNotes.authorId))
    .where(inArray(sessionNotes.bookingId, [...bookingIds]))
    .orderBy(asc(sessionNotes.bookingId))
  return new Map(
    rows.map(({ note, firstName, lastName }) => [
      note.bookingId,
      {
        text: textOf(vault, note),
        author: firstName === null ? null : `${firstName} ${lastName}`.trim(),
        writtenAt: note.writtenAt.toString(),
      },
    ]),
  )
}

function textOf(vault: Vault, { bookingId, userId, version, sealed }: SessionNoteRow): string | null {
  return vault.openIfReadable({ owner: userId, row: bookingId, version }, sealedNote, sealed) ?? null
}
