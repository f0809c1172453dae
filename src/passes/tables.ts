import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { calendarDate, dateRanges, instant, wallTime } from '#platform/database/columns.ts'

export const passes = pgTable('passes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  packageId: integer('package_id').notNull(),
  purchaseId: integer('purchase_id'),
  creditsTotal: integer('credits_total').notNull(),
  /** The sum of the ledger lines; updated by a trigger, never written here. */
  creditsRemaining: integer('credits_remaining').notNull().default(0),
  expiresAt: instant('expires_at').notNull(),
  createdAt: instant('created_at').notNull(),
  /** When it was last extended, resumed or thawed: until the next night it pays for nothing without a press. */
  usableSince: instant('usable_since'),
  refundedAt: instant('refunded_at'),
  voidedAt: instant('voided_at'),
  /** Since when a dispute keeps it from paying. */
  frozenAt: instant('frozen_at'),
  /** The days on which the studio has paused it. */
  paused: dateRanges().notNull().default([]),
  /** The days of disputes that are over, which were added to the expiry. */
  frozenDays: dateRanges('frozen_days').notNull().default([]),
})
export type PassRow = typeof passes.$inferSelect

export const creditLedger = pgTable('credit_ledger', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  passId: integer('pass_id').notNull(),
  kind: text({
    enum: [
      'purchase',
      'gift',
      'voucher',
      'booking',
      'return',
      'goodwill',
      'forfeit',
      'no_show',
      'expiry',
      'refund',
      'correction',
      'pause',
      'resume',
      'extension',
    ],
  }).notNull(),
  credits: integer().notNull(),
  bookingId: integer('booking_id'),
  /** In words for the member. */
  reason: text(),
  causedBy: text('caused_by', { enum: ['member', 'admin', 'system', 'provider'] }).notNull(),
  causedByAdmin: text('caused_by_admin'),
  /** The booking's class when the line was written; set by a trigger. */
  classTitle: text('class_title'),
  classDate: calendarDate('class_date'),
  classStartTime: wallTime('class_start_time'),
  /** How often the booking's cancellation had been undone; set by the same trigger. */
  reinstatements: integer().notNull().default(0),
  at: instant().notNull(),
})
