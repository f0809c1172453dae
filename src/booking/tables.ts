import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, pgView, smallint, text } from 'drizzle-orm/pg-core'
import type { PersonName } from '#foundation/person-names.ts'
import { bytes, calendarDate, instant, wallTime } from '#platform/database/columns.ts'

/** Whom a member brings, as the member typed it: to one place, or also every week. */
export const invitations = pgTable('invitations', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  invitedBy: text('invited_by').notNull(),
  firstName: text('first_name').$type<PersonName>().notNull(),
  lastName: text('last_name').notNull(),
  email: text().notNull(),
  /** The emailed link's token is derived from it and never stored. */
  linkId: text('link_id').notNull().default(sql`gen_random_uuid()::text`),
  invitedAt: instant('invited_at').notNull(),
  /** Until when it can be answered, and the place is held. */
  openUntil: instant('open_until').notNull(),
  /** Null while it is open. */
  answer: text({ enum: ['accepted', 'declined', 'ended'] }),
})
export type InvitationRow = typeof invitations.$inferSelect

const placeColumns = {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  classId: integer('class_id').notNull(),
  /** Whose pass paid, and which. Null once the payer is erased. */
  payerId: text('payer_id'),
  passId: integer('pass_id'),
  /** `refunded`: the credit was returned; `forfeited`: a late cancellation or no-show. */
  paymentStatus: text('payment_status', { enum: ['paid', 'refunded', 'forfeited'] }).notNull(),
  participantCount: integer('participant_count').notNull().default(1),
  totalAmountPence: integer('total_amount_pence').notNull(),
  origin: text({ enum: ['member', 'desk', 'waiting_list', 'regular', 'import'] }).notNull(),
  /** The regular booking that made it, or took it over. */
  regularBookingId: integer('regular_booking_id'),
  /** The booking of the member who brings this person. */
  broughtBy: integer('brought_by'),
  invitationId: integer('invitation_id'),
  /** When its holder took it; until then, since when it is held. */
  bookedAt: instant('booked_at').notNull(),
  /** When its holder was emailed about it, or a call was listed. */
  announcedAt: instant('announced_at'),
  cancelledAt: instant('cancelled_at'),
  /** When the reminder was queued. */
  remindedAt: instant('reminded_at'),
  /** The UID of its calendar entry; a booking that replaces another takes it over. */
  calendarUid: text('calendar_uid').notNull().default(sql`gen_random_uuid()::text`),
  /** Incremented by triggers when the booking ends or its class changes. */
  calendarSequence: integer('calendar_sequence').notNull().default(0),
  /** When the studio last moved the class since it was booked, and the time before that. */
  movedAt: instant('moved_at'),
  movedFromDate: calendarDate('moved_from_date'),
  movedFromStartTime: wallTime('moved_from_start_time'),
  movedFromEndTime: wallTime('moved_from_end_time'),
  /** Who was to teach the class when it was booked, while another teacher does. */
  bookedWith: text('booked_with'),
  /** How often its cancellation was undone; each time it is paid again. */
  reinstatements: integer().notNull().default(0),
}

/** All places, including held ones. What people see is read from {@link takenPlaces}. */
export const bookings = pgTable('bookings', {
  ...placeColumns,
  status: text({ enum: ['held', 'confirmed', 'completed', 'cancelled', 'no_show'] }).notNull(),
  /** The holder; null while the place is held, and once the holder is erased. */
  userId: text('user_id'),
})
export type PlaceRow = typeof bookings.$inferSelect

/** Places with a holder: every list, count and file reads these. */
export const takenPlaces = pgView('taken_places', {
  ...placeColumns,
  status: text({ enum: ['confirmed', 'completed', 'cancelled', 'no_show'] }).notNull(),
  userId: text('user_id').notNull(),
}).existing()
export type BookingRow = typeof takenPlaces.$inferSelect

/** One row per member and class, first come first served. */
export const waitingList = pgTable('waiting_list', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  classId: integer('class_id').notNull(),
  joinedAt: instant('joined_at').notNull(),
  /** The regular booking that wrote it; null if the member joined. */
  regularBookingId: integer('regular_booking_id'),
  /** When the studio moved the class; null once the member has confirmed. */
  unconfirmedSince: instant('unconfirmed_since'),
  /** Of the places offered now. `skipped`: could not take it, and was emailed why; `over`: declined or out of time. */
  turn: text({ enum: ['offered', 'skipped', 'over'] }),
  /** Until when a place is theirs alone. */
  offeredUntil: instant('offered_until'),
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
export const undoableCancellations = pgTable('undoable_cancellations', {
  bookingId: integer('booking_id').primaryKey(),
  cancelledAt: instant('cancelled_at').notNull(),
  /** For the email. */
  outcome: text({ enum: ['credit_returned', 'forfeited', 'no_pass'] }).notNull(),
  reason: text({ enum: ['in_time', 'late', 'moved', 'other_teacher', 'decided'] }).notNull(),
  /** Whether the place is held in the meantime, as the class has a waiting list. */
  isPlaceReserved: boolean('is_place_reserved').notNull(),
  /** The `updatedAt` of the class: once the studio has changed it, the booking cannot be brought back. */
  classUpdatedAt: instant('class_updated_at').notNull(),
  /** The expiry of the pass before, in case returning the credit extended it. */
  passExpiresAt: instant('pass_expires_at'),
  /** Cancelled by the member who had booked the place for a companion; only they can undo it. */
  isByPayer: boolean('is_by_payer').notNull().default(false),
})

/** Hashed addresses that no member may invite again. */
export const invitationObjections = pgTable('invitation_objections', {
  emailHash: bytes('email_hash').primaryKey(),
  objectedAt: instant('objected_at').notNull(),
})

/** A member's place in every class of one weekday and start time. */
export const regularBookings = pgTable('regular_bookings', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  /** 1 is Monday. */
  weekday: smallint().notNull(),
  startTime: wallTime('start_time').notNull(),
  /** The date of its first class. */
  from: calendarDate('from_date').notNull(),
  createdAt: instant('created_at').notNull(),
  /** When the member was last emailed which dates are booked. */
  mailedAt: instant('mailed_at').notNull(),
  /** When the member was warned that their credits end soon; null while they last. */
  creditsWarnedAt: instant('credits_warned_at'),
  /** Of the companion, who comes along once they accept it. */
  invitationId: integer('invitation_id'),
  /** Who comes along, once they have agreed. */
  companionUserId: text('companion_user_id'),
})
export type RegularRow = typeof regularBookings.$inferSelect

/** Classes that are not booked for a member again: skipped, cancelled or moved away from, by member or owner. */
export const regularDatesLeftOut = pgTable('regular_dates_left_out', {
  userId: text('user_id').primaryKey(),
  classId: integer('class_id').primaryKey(),
})
