import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../server/database/columns.ts'

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
})
export type PassRow = typeof passes.$inferSelect

export const creditLedger = pgTable('credit_ledger', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  passId: integer('pass_id').notNull(),
  kind: text({ enum: ['purchase', 'gift', 'booking', 'return', 'expiry', 'refund', 'correction'] }).notNull(),
  credits: integer().notNull(),
  /** The booking that took or returned the credit. */
  bookingId: integer('booking_id'),
  /** The cause of lines that no booking explains, in words. */
  reason: text(),
  at: instant().notNull(),
})
