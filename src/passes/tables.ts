import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant, wallTime } from '#platform/database/columns.ts'

export const passes = pgTable('passes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  packageId: integer('package_id').notNull(),
  purchaseId: integer('purchase_id'),
  creditsTotal: integer('credits_total').notNull(),
  /** The sum of the pass's ledger lines; moved by the ledger (a trigger), never written from here. */
  creditsRemaining: integer('credits_remaining').notNull().default(0),
  expiresAt: instant('expires_at').notNull(),
  createdAt: instant('created_at').notNull(),
  refundedAt: instant('refunded_at'),
  /** When an admin voided what was left of it. */
  voidedAt: instant('voided_at'),
  /** Since when a dispute keeps it from paying. */
  frozenAt: instant('frozen_at'),
})
export type PassRow = typeof passes.$inferSelect

export const creditLedger = pgTable('credit_ledger', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  passId: integer('pass_id').notNull(),
  kind: text({
    enum: ['purchase', 'gift', 'booking', 'return', 'goodwill', 'forfeit', 'no_show', 'expiry', 'refund', 'correction'],
  }).notNull(),
  credits: integer().notNull(),
  /** The booking that the line is about. */
  bookingId: integer('booking_id'),
  /** Why, in words that a member may read. */
  reason: text(),
  /** Null on old lines of bookings, which did not say. */
  causedBy: text('caused_by', { enum: ['member', 'admin', 'system', 'provider'] }),
  causedByAdmin: text('caused_by_admin'),
  /** The booking's class as it was when the line was written; filled in by a trigger. */
  classTitle: text('class_title'),
  classDate: calendarDate('class_date'),
  classStartTime: wallTime('class_start_time'),
  /** How often the booking's cancellation had been undone; filled in by the same trigger. */
  reinstatements: integer().notNull().default(0),
  at: instant().notNull(),
})
