import { bigint, integer, snakeCase, text } from 'drizzle-orm/pg-core'
import { calendarDate, dateRanges, instant, wallTime } from '#platform/database/columns.ts'
import { CAUSED_BY, LEDGER_KINDS } from './rules.ts'

export const passes = snakeCase.table('passes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  packageId: integer().notNull(),
  purchaseId: integer(),
  creditsTotal: integer().notNull(),
  /** The sum of the ledger lines; updated by a trigger, never written here. */
  creditsRemaining: integer().notNull().default(0),
  expiresAt: instant().notNull(),
  createdAt: instant().notNull(),
  /** When it was last extended, resumed or thawed: until the next night it pays for nothing without a press. */
  usableSince: instant(),
  refundedAt: instant(),
  voidedAt: instant(),
  /** Since when a dispute keeps it from paying. */
  frozenAt: instant(),
  /** The days on which the studio has paused it. */
  paused: dateRanges().notNull().default([]),
  /** The days of disputes that are over, which were added to the expiry. */
  frozenDays: dateRanges().notNull().default([]),
})
export type PassRow = typeof passes.$inferSelect

export const creditLedger = snakeCase.table('credit_ledger', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  passId: integer().notNull(),
  kind: text({ enum: LEDGER_KINDS }).notNull(),
  credits: integer().notNull(),
  bookingId: integer(),
  /** In words for the member. */
  reason: text(),
  causedBy: text({ enum: CAUSED_BY }).notNull(),
  causedByAdmin: text(),
  /** The booking's class when the line was written; set by a trigger. */
  classTitle: text(),
  classDate: calendarDate(),
  classStartTime: wallTime(),
  /** How often the booking's cancellation had been undone; set by the same trigger. */
  reinstatements: integer().notNull().default(0),
  at: instant().notNull(),
})
