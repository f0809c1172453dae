import { and, asc, type Column, desc, eq, getColumns, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { memberMatches } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { passes } from '#passes/tables.ts'
import { instantText } from '#platform/database/columns.ts'
import type { Reader } from '#platform/database/database.ts'
import { countFrom, limitToPage } from '#platform/database/paging.ts'
import { containsWords, folded } from '#platform/database/search.ts'
import { classes } from '#timetable/tables.ts'
import type { Booking, BookingOrder } from '../../contract.ts'
import { takenPlaces } from '../../tables.ts'
import { hasPassEnded, surroundingsOf, toBooking } from '../places/queries.ts'

export type BookingFilter = { userId?: string; search?: string; status?: Booking['status']; from?: string; to?: string }

/** What the list shows of a booking and its class. */
const columnsOfList = {
  id: takenPlaces.id,
  userId: takenPlaces.userId,
  payerId: takenPlaces.payerId,
  classId: takenPlaces.classId,
  passId: takenPlaces.passId,
  status: takenPlaces.status,
  paymentStatus: takenPlaces.paymentStatus,
  participantCount: takenPlaces.participantCount,
  totalAmountPence: takenPlaces.totalAmountPence,
  bookedAt: takenPlaces.bookedAt,
  cancelledAt: takenPlaces.cancelledAt,
  movedFromDate: takenPlaces.movedFromDate,
  movedFromStartTime: takenPlaces.movedFromStartTime,
  movedFromEndTime: takenPlaces.movedFromEndTime,
  bookedWith: takenPlaces.bookedWith,
  title: classes.title,
  date: classes.date,
  startTime: classes.startTime,
  endTime: classes.endTime,
  startsAt: classes.startsAt,
  endsAt: classes.endsAt,
  maxParticipants: classes.maxParticipants,
  bookedCount: classes.bookedCount,
  reservedPlaces: classes.reservedPlaces,
  instructorName: classes.instructorName,
}

type Sorted = Record<'bookedAt' | 'id' | 'date' | 'startTime', Column>
const ORDERS = {
  booked: ({ bookedAt, id }) => [desc(bookedAt), desc(id)],
  earliest: ({ date, startTime, id }) => [asc(date), asc(startTime), asc(id)],
  latest: ({ date, startTime, id }) => [desc(date), desc(startTime), desc(id)],
} satisfies Record<BookingOrder, (row: Sorted) => SQL[]>

/**
 * All bookings, most recently booked first unless `order` is by class; `search` looks into names, emails and class
 * titles. Members and passes are read for the bookings of the page only.
 *
 * @param options.after the last booking of the previous page, when reading all of them
 */
export async function allBookings(
  reader: Reader,
  options: BookingFilter & {
    limit?: number
    offset?: number
    order?: BookingOrder
    after?: { bookedAt: Temporal.Instant | string; id: number }
  },
) {
  const { after, order = 'booked' } = options
  const page = reader
    .select(columnsOfList)
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(
      and(
        matchesFilter(reader, options),
        after
          ? sql`(${takenPlaces.bookedAt}, ${takenPlaces.id}) < (${String(after.bookedAt)}::timestamptz, ${after.id}::int)`
          : undefined,
      ),
    )
    .orderBy(...ORDERS[order](columnsOfList))
    .$dynamic()
  const shown = limitToPage(page, options).as('shown')
  const payers = alias(users, 'payers')
  const rows = await reader
    .select({
      ...getColumns(shown),
      bookedAt: instantText(shown.bookedAt),
      startsAt: instantText(shown.startsAt),
      endsAt: instantText(shown.endsAt),
      user: { firstName: users.firstName, lastName: users.lastName },
      hasPassEnded,
      ...surroundingsOf(shown, shown),
      isByPhone: sql<boolean>`${users.email} is null`,
      payer: { id: payers.id, firstName: payers.firstName, email: payers.email },
    })
    .from(shown)
    .innerJoin(users, eq(users.id, shown.userId))
    .leftJoin(passes, eq(passes.id, shown.passId))
    .leftJoin(payers, eq(payers.id, shown.payerId))
    .orderBy(...ORDERS[order](shown))
  return rows.map((row) => {
    const { isByPhone } = row
    const payer = row.payer && { firstName: row.payer.firstName, isByPhone: row.payer.email === null }
    return { ...toBooking({ ...row, booking: row, class: row }), isByPhone, payer }
  })
}

/** How many bookings the filter finds, counted up to the limit of {@link countFrom}. */
export async function countBookings(reader: Reader, options: BookingFilter & { offset?: number }) {
  const found = reader.select({ id: takenPlaces.id }).from(takenPlaces).where(matchesFilter(reader, options)).$dynamic()
  if (options.from || options.to) found.innerJoin(classes, eq(classes.id, takenPlaces.classId))
  return await countFrom(reader, found, options.offset)
}

function matchesFilter(reader: Reader, filter: BookingFilter) {
  return and(
    filter.userId ? eq(takenPlaces.userId, filter.userId) : undefined,
    filter.search ? matchesSearch(reader, filter.search) : undefined,
    filter.status ? eq(takenPlaces.status, filter.status) : undefined,
    filter.from ? gte(classes.date, filter.from) : undefined,
    filter.to ? lte(classes.date, filter.to) : undefined,
  )
}

/** Searches the two small tables first, so that the bookings are found by index. Each title is folded once. */
function matchesSearch(reader: Reader, search: string) {
  const people = reader.select({ id: users.id }).from(users).where(memberMatches(search))
  const title = sql.identifier('title')
  const titles = sql`(with titles as materialized (select distinct ${classes.title} from ${classes})
    select title from titles where ${containsWords(folded(title), search)})`
  const named = reader.select({ id: classes.id }).from(classes).where(inArray(classes.title, titles))
  return or(inArray(takenPlaces.userId, people), inArray(takenPlaces.classId, named))
}
