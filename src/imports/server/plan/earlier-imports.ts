import { createHash } from 'node:crypto'
import { and, gt, inArray } from 'drizzle-orm'
import { inParts } from '#foundation/collections.ts'
import { fold } from '#foundation/fold.ts'
import type { Reader } from '#platform/database/database.ts'
import { importRows } from '../../tables.ts'
import { keyByPhone } from './people.ts'
import type { ReadRow } from './read-row.ts'

/**
 * Identifies what a row does in later imports. Leaves out names and phone numbers, so that correcting them does not
 * import credits twice.
 *
 * @param person the address, or the number and name of a member by phone
 * @param booking the class that the row books, if it does
 */
export function fingerprintOf(row: ReadRow, person: string, booking: ReadRow['booking']): Buffer {
  const when = booking ? [booking.date, booking.startTime] : []
  return createHash('sha256')
    .update(JSON.stringify([person, fold(row.packageName), row.credits, row.expiresOn, ...when]))
    .digest()
}

/** By the address, and by the number for people who were added as members by phone. */
const personsOf = (row: ReadRow) => [
  ...(row.email ? [row.email] : []),
  ...(row.phone ? [keyByPhone(row, row.phone)] : []),
]

const FINGERPRINTS_PER_STATEMENT = 5000

/** What earlier imports did with these rows, and which of the members got credits from one. */
export async function earlierImports(reader: Reader, rows: readonly ReadRow[], members: readonly string[]) {
  const asked = rows.flatMap((row) =>
    [null, row.booking].flatMap((booking) => personsOf(row).map((person) => fingerprintOf(row, person, booking))),
  )
  const known = new Set<string>()
  for (const part of inParts(asked, FINGERPRINTS_PER_STATEMENT)) {
    const found = await reader
      .select({ fingerprint: importRows.fingerprint })
      .from(importRows)
      .where(inArray(importRows.fingerprint, part))
    for (const { fingerprint } of found) known.add(fingerprint.toString('hex'))
  }
  const withCredits = members.length
    ? await reader
        .selectDistinct({ userId: importRows.userId })
        .from(importRows)
        .where(and(inArray(importRows.userId, [...members]), gt(importRows.credits, 0)))
    : []
  const receivers = new Set(withCredits.flatMap(({ userId }) => userId ?? []))
  return {
    /** Whether a row of this person was imported, with this booking or without one. */
    has: (row: ReadRow, person: string, booking: ReadRow['booking']) => {
      const persons = [person, ...(row.phone ? [keyByPhone(row, row.phone)] : [])]
      return persons.some((one) => known.has(fingerprintOf(row, one, booking).toString('hex')))
    },
    hasCredits: (memberId: string) => receivers.has(memberId),
  }
}
