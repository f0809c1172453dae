import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant, wallTime } from '#platform/database/columns.ts'

export const bookings = pgTable('bookings', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  classId: integer('class_id').notNull(),
  /** The pass that paid. */
  passId: integer('pass_id').notNull(),
  status: text({ enum: ['confirmed', 'completed', 'cancelled', 'no_show'] }).notNull(),
  /** `refunded`: the credit was returned; `forfeited`: cancelled too late, or not come. */
  paymentStatus: text('payment_status', { enum: ['paid', 'refunded', 'forfeited'] }).notNull(),
  participantCount: integer('participant_count').notNull().default(1),
  totalAmountPence: integer('total_amount_pence').notNull(),
  bookedAt: instant('booked_at').notNull(),
  cancelledAt: instant('cancelled_at'),
  /** When the mail that reminds of the class was queued. */
  remindedAt: instant('reminded_at'),
  /** The UID of its calendar entry; a booking that takes another's place over takes this over too. */
  calendarUid: text('calendar_uid').notNull().default(sql`gen_random_uuid()::text`),
  /** Counted up by triggers when the booking ends or its class changes. */
  calendarSequence: integer('calendar_sequence').notNull().default(0),
  /** When the studio last moved the class under this booking, and where the class was before. */
  movedAt: instant('moved_at'),
  movedFromDate: calendarDate('moved_from_date'),
  movedFromStartTime: wallTime('moved_from_start_time'),
  movedFromEndTime: wallTime('moved_from_end_time'),
  /** How often its cancellation was undone: each time it is paid once more. */
  reinstatements: integer().notNull().default(0),
})
export type BookingRow = typeof bookings.$inferSelect

/** Who waits for a place: one row per member and class, the first to come leading. */
export const waitingList = pgTable('waiting_list', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  classId: integer('class_id').notNull(),
  joinedAt: instant('joined_at').notNull(),
  /** When the studio moved the class; null as soon as the member has said that they still want a place. */
  unconfirmedSince: instant('unconfirmed_since'),
})
export type WaitingRow = typeof waitingList.$inferSelect

/** What the studio took away by cancelling classes: enough to email everyone concerned, and to undo it. Instants are text. */
export type Lost = {
  /** Bookings that were confirmed. */
  bookings: number[]
  /** Bookings that members had cancelled late: their credits came back with the others. */
  late: number[]
  waiting: { id: number; userId: string; classId: number; joinedAt: string; unconfirmedSince: string | null }[]
  /** Passes that were extended, and until when they were valid before. */
  passes: { id: number; expiresAt: string }[]
}

/** A class as it was before it was cancelled, and its `updatedAt` since then. */
export type CancelledClass = { id: number; wasActive: boolean; heldPlaces: number; updatedAt: string }

/** Deleted classes and closed days whose emails wait until they can no longer be undone. */
export const studioCancellations = pgTable('studio_cancellations', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  adminId: text('admin_id').notNull(),
  madeAt: instant('made_at').notNull(),
  classes: jsonb().$type<CancelledClass[]>().notNull(),
  lost: jsonb().$type<Lost>().notNull(),
  closed: jsonb().$type<{ id: number; from: string; until: string; reason: string; notify: boolean }>(),
  undoneAt: instant('undone_at'),
})
