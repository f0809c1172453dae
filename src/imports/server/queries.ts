import { and, gt, inArray } from 'drizzle-orm'
import type { Reader } from '#platform/database/database.ts'
import { importRows } from '../tables.ts'

/** Which rows were brought over before, by fingerprint in hex, and for which of these members credits were. */
export async function earlierRows(
  reader: Reader,
  fingerprints: readonly Buffer[],
  members: readonly string[],
): Promise<{ known: Set<string>; memberIds: Set<string> }> {
  const rows = fingerprints.length
    ? await reader
        .select({ fingerprint: importRows.fingerprint })
        .from(importRows)
        .where(inArray(importRows.fingerprint, [...fingerprints]))
    : []
  const withCredits = members.length
    ? await reader
        .selectDistinct({ userId: importRows.userId })
        .from(importRows)
        .where(and(inArray(importRows.userId, [...members]), gt(importRows.credits, 0)))
    : []
  return {
    known: new Set(rows.map(({ fingerprint }) => fingerprint.toString('hex'))),
    memberIds: new Set(withCredits.flatMap(({ userId }) => userId ?? [])),
  }
}
