import { and, asc, type Column, eq, getColumns, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { CONTACT, users } from '#accounts/tables.ts'
import { pick } from '#foundation/collections.ts'
import { passes } from '#passes/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { takenPlaces } from '../../tables.ts'
import { hasPassEnded } from './queries.ts'

// The places that a change of classes by the studio affects, and people are emailed about.

/** The confirmed bookings of classes that have not ended. */
export function selectConfirmedAhead(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  return selectConfirmedIn(reader, notEnded(rows, now))
}

/** Late cancellations of classes that have not ended, whose credits can still go back to their passes. */
export function selectCancelledLate(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  const isPassGood = and(isNotNull(passes.id), isNull(passes.voidedAt), isNull(passes.refundedAt))
  return selectWithMembers(reader, and(isLateIn(takenPlaces), isPassGood), notEnded(rows, now))
}

export const isLateIn = ({ status, paymentStatus }: Record<'status' | 'paymentStatus', Column>) =>
  and(eq(status, 'cancelled'), eq(paymentStatus, 'forfeited'))

export const notEnded = (rows: ClassRow[], now: Temporal.Instant) =>
  rows.filter((row) => Temporal.Instant.compare(row.endsAt, now) > 0).map(({ id }) => id)

/** The confirmed bookings of these classes, their members and who paid, in the order in which passes are locked. */
export function selectConfirmedIn(reader: Reader, classIds: number[]) {
  return selectWithMembers(reader, eq(takenPlaces.status, 'confirmed'), classIds)
}

function selectWithMembers(reader: Reader, condition: SQL | undefined, classIds: number[]) {
  const payers = alias(users, 'payers')
  return reader
    .select({
      booking: getColumns(takenPlaces),
      user: pick(users, CONTACT),
      payer: { id: payers.id, firstName: payers.firstName },
      hasPassEnded,
    })
    .from(takenPlaces)
    .innerJoin(users, eq(users.id, takenPlaces.userId))
    .leftJoin(passes, eq(passes.id, takenPlaces.passId))
    .leftJoin(payers, eq(payers.id, takenPlaces.payerId))
    .where(and(condition, inArray(takenPlaces.classId, classIds)))
    .orderBy(asc(takenPlaces.passId), asc(takenPlaces.id))
}
