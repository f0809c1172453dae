import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../server/database/columns.ts'

export const paymentIntents = pgTable('payment_intents', {
  /** The provider's id. */
  id: text().primaryKey(),
  userId: text('user_id'),
  packageId: integer('package_id').notNull(),
  /** Price, classes and validity as they were when the payment began. */
  amountPence: integer('amount_pence').notNull(),
  classCount: integer('class_count').notNull(),
  validityMonths: integer('validity_months').notNull(),
  /** `refunded`: paid, but could not become a purchase, so all of it goes back. */
  state: text({ enum: ['open', 'purchased', 'refunded', 'cancelled'] }).notNull(),
  createdAt: instant('created_at').notNull(),
  settledAt: instant('settled_at'),
})
export type PaymentIntentRow = typeof paymentIntents.$inferSelect

export const purchases = pgTable('purchases', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  paymentIntentId: text('payment_intent_id').notNull(),
  userId: text('user_id'),
  packageId: integer('package_id').notNull(),
  amountPence: integer('amount_pence').notNull(),
  purchasedAt: instant('purchased_at').notNull(),
  refundedAt: instant('refunded_at'),
  refundedPence: integer('refunded_pence'),
  refundSentAt: instant('refund_sent_at'),
})
export type PurchaseRow = typeof purchases.$inferSelect
