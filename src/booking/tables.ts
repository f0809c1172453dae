import { sql } from 'drizzle-orm'
import { boolean, integer, smallint, snakeCase, text } from 'drizzle-orm/pg-core'
import type { PersonName } from '#foundation/person-names.ts'
import { bytes, calendarDate, instant, wallTime } from '#platform/database/columns.ts'

/** Whom a member brings, as the member typed it: to one place, or also every week. */
export const invitations = snakeCase.table('invitations', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  invitedBy: text().notNull(),
  firstName: text().$type<PersonName>().notNull(),
  lastName: text().notNull(),
  email: text().notNull(),
  /** The emailed link's token is derived from it and never stored. */
  linkId: text().notNull().default(sql`gen_random_uuid()::text`),
  invitedAt: instant().notNull(),
  /** Until when it can be answered, and the place is held. */
  openUntil: instant().notNull(),
  /** Null while it is open. */
  answer: text({ enum: ['accepted', 'declined', 'ended'] }),
})
export type InvitationRow = typeof invitations.$inferSelect

const placeColumns = {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  classId: integer().notNull(),
  /** Whose pass paid, and which. Null once the payer is erased. */
  payerId: text(),
  passId: integer(),
  /** `refunded`: the credit was returned; `forfeited`: a late cancellation or no-show. */
  paymentStatus: text({ enum: ['paid', 'refunded', 'forfeited'] }).notNull(),
  participantCount: integer().notNull().default(1),
  totalAmountPence: integer().notNull(),
  origin: text({ enum: ['member', 'desk', 'waiting_list', 'regular', 'import'] }).notNull(),
  /** The regular booking that made it, or took it over. */
  regularBookingId: integer(),
  /** The booking of the member who brings this person. */
  broughtBy: integer(),
  invitationId: integer(),
  /** When its holder took it; until then, since when it is held. */
  bookedAt: instant().notNull(),
  /** When its holder was emailed about it, or a call was listed. */
  announcedAt: instant(),
  cancelledAt: instant(),
  /** When the reminder was queued. */
  remindedAt: instant(),
  /** The UID of its calendar entry; a booking that replaces another takes it over. */
  calendarUid: text().notNull().default(sql`gen_random_uuid()::text`),
  /** Incremented by triggers when the booking ends or its class changes. */
  calendarSequence: integer().notNull().default(0),
  /** When the studio last moved the class since it was booked, and the time before that. */
  movedAt: instant(),
  movedFromDate: calendarDate(),
  movedFromStartTime: wallTime(),
  movedFromEndTime: wallTime(),
  /** Who was to teach the class when it was booked, while another teacher does. */
  bookedWith: text(),
  /** How often its cancellation was undone; each time it is paid again. */
  reinstatements: integer().notNull().default(0),
}

/** All places, including held ones. What people see is read from {@link takenPlaces}. */
export const bookings = snakeCase.table('bookings', {
  ...placeColumns,
  status: text({ enum: ['held', 'confirmed', 'completed', 'cancelled', 'no_show'] }).notNull(),
  /** The holder; null while the place is held, and once the holder is erased. */
  userId: text(),
})
export type PlaceRow = typeof bookings.$inferSelect

/** Places with a holder: every list, count and file reads these. */
export const takenPlaces = snakeCase
  .view('taken_places', {
    ...placeColumns,
    status: text({ enum: ['confirmed', 'completed', 'cancelled', 'no_show'] }).notNull(),
    userId: text().notNull(),
  })
  .existing()
export type BookingRow = typeof takenPlaces.$inferSelect

/** One row per member and class, first come first served. */
export const waitingList = snakeCase.table('waiting_list', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  classId: integer().notNull(),
  joinedAt: instant().notNull(),
  /** The regular booking that wrote it; null if the member joined. */
  regularBookingId: integer(),
  /** When the studio moved the class; null once the member has confirmed. */
  unconfirmedSince: instant(),
  /** Of the places offered now. `skipped`: could not take it, and was emailed why; `over`: declined or out of time. */
  turn: text({ enum: ['offered', 'skipped', 'over'] }),
  /** Until when a place is theirs alone. */
  offeredUntil: instant(),
})
export type WaitingRow = typeof waitingList.$inferSelect

/** An entry as it was, instants as text. */
export type FormerEntry = {
  id: number
  userId: string
  classId: number
  joinedAt: string
  regularBookingId: number | null
  unconfirmedSince: string | null
  turn: WaitingRow['turn']
  offeredUntil: string | null
}

/** Bookings that their members cancelled a moment ago and can still bring back; the email and the waiting list wait. */
export const undoableCancellations = snakeCase.table('undoable_cancellations', {
  bookingId: integer().primaryKey(),
  cancelledAt: instant().notNull(),
  /** For the email. */
  outcome: text({ enum: ['credit_returned', 'forfeited', 'no_pass'] }).notNull(),
  reason: text({ enum: ['in_time', 'late', 'moved', 'other_teacher', 'decided'] }).notNull(),
  /** Whether the place is held in the meantime, as the class has a waiting list. */
  isPlaceReserved: boolean().notNull(),
  /** The `updatedAt` of the class: once the studio has changed it, the booking cannot be brought back. */
  classUpdatedAt: instant().notNull(),
  /** The expiry of the pass before, in case returning the credit extended it. */
  passExpiresAt: instant(),
  /** Cancelled by the member who had booked the place for a companion; only they can undo it. */
  isByPayer: boolean().notNull().default(false),
})

/** Hashed addresses that no member may invite again. */
export const invitationObjections = snakeCase.table('invitation_objections', {
  emailHash: bytes().primaryKey(),
  objectedAt: instant().notNull(),
})

/** A member's place in every class of one weekday and start time. */
export const regularBookings = snakeCase.table('regular_bookings', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  /** 1 is Monday. */
  weekday: smallint().notNull(),
  startTime: wallTime().notNull(),
  /** The date of its first class. */
  from: calendarDate('from_date').notNull(),
  createdAt: instant().notNull(),
  /** When the member was last emailed which dates are booked. */
  mailedAt: instant().notNull(),
  /** When the member was warned that their credits end soon; null while they last. */
  creditsWarnedAt: instant(),
  /** Of the companion, who comes along once they accept it. */
  invitationId: integer(),
  /** Who comes along, once they have agreed. */
  companionUserId: text(),
})
export type RegularRow = typeof regularBookings.$inferSelect

/** Classes that are not booked for a member again: skipped, cancelled or moved away from, by member or owner. */
export const regularDatesLeftOut = snakeCase.table('regular_dates_left_out', {
  userId: text().primaryKey(),
  classId: integer().primaryKey(),
})
