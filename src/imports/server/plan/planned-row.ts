import type { KnownMember } from '#accounts/server/accounts.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { ImportRow } from '../../contract.ts'
import type { ReadRow } from './read-row.ts'

/** What a row does. `fingerprint` identifies it in later imports, `person` the rows of one person. */
export type PlannedRow = ReadRow & {
  does: ImportRow['does']
  person: string
  fingerprint: Buffer
  /** The existing member. */
  member: KnownMember | undefined
  /** Null without credits. `packageId` is null for the package of imports. */
  pass: { packageId: number | null; packageName: string; expiresAt: Temporal.Instant } | null
  /** The class that the row books. */
  books: ClassRow | null
}

/** What a row does that has no fault. */
export function doing({
  isNew,
  pass,
  books,
  consent,
}: { isNew: boolean } & Pick<PlannedRow, 'pass' | 'books' | 'consent'>) {
  if (isNew) return pass ? 'add_with_pass' : 'add'
  if (pass) return 'pass'
  if (books) return 'book'
  return consent ? 'consent' : 'nothing'
}

/** Whether a row changes anything for an existing member. */
export const changes = ({ pass, books, consent, does }: PlannedRow) =>
  does !== 'wrong' && does !== 'nothing' && Boolean(pass ?? books ?? consent)

/** Whether a row adds a member. */
export const isNew = ({ does }: PlannedRow) => does === 'add' || does === 'add_with_pass'

type BookingRow = PlannedRow & { books: ClassRow }
/** The rows that book, in the order in which their classes are locked. */
export const bookingOrder = (planned: readonly PlannedRow[]): BookingRow[] =>
  planned
    .filter((row): row is BookingRow => row.books !== null)
    .toSorted((a, b) => a.books.id - b.books.id || a.line - b.line)
