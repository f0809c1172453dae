import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'

export const paymentIntents = pgTable('payment_intents', {
  /** The provider's id. */
  id: text().primaryKey(),
  userId: text('user_id'),
  packageId: integer('package_id').notNull(),
  /** Price, classes and validity as they were when the payment began. */
  amountPence: integer('amount_pence').notNull(),
  classCount: integer('class_count').notNull(),
  validityMonths: integer('validity_months').notNull(),
  /**
   * `processing`: paid by a method that takes days. `refunded`: paid, but could not become a purchase; `mismatched`:
   * paid, but not what was asked. All of these two goes back.
   */
  state: text({ enum: ['open', 'processing', 'purchased', 'refunded', 'mismatched', 'cancelled'] }).notNull(),
  createdAt: instant('created_at').notNull(),
  settledAt: instant('settled_at'),
  /** What the provider says it collected. */
  paidPence: integer('paid_pence'),
  /** What was paid with, in words: `Visa ending 4242`. */
  method: text(),
  /** Counts what was written from the provider's word. */
  version: integer().notNull().default(0),
  /** When the provider is asked about it next, unless it tells us before; null: never again. */
  nextLookAt: instant('next_look_at'),
  /** Since when the provider could not be asked about it; null while it can. */
  unreadSince: instant('unread_since'),
  /** When the member ticked at the checkout that the studio should begin within the days in which they can cancel. */
  beginRequestedAt: instant('begin_requested_at'),
})
export type PaymentIntentRow = typeof paymentIntents.$inferSelect

export const purchases = pgTable('purchases', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Null of a sale at the desk. */
  paymentIntentId: text('payment_intent_id'),
  userId: text('user_id'),
  packageId: integer('package_id').notNull(),
  amountPence: integer('amount_pence').notNull(),
  purchasedAt: instant('purchased_at').notNull(),
  /** The sum of its refunds that did not fail; moved by a trigger. */
  refundedPence: integer('refunded_pence').notNull().default(0),
  /** What banks took back in lost disputes; moved by a trigger. */
  lostPence: integer('lost_pence').notNull().default(0),
  /** What a sale at the desk was paid with; null of a payment at the provider. */
  deskMethod: text('desk_method', { enum: ['cash', 'bank_transfer', 'card_reader', 'other'] }),
  /** For the studio's own records. */
  note: text(),
  /** Consecutive without gaps; given by a trigger. */
  receiptNumber: integer('receipt_number').notNull().default(0),
  /** When a sale at the desk was taken back as recorded by mistake: it is no revenue. */
  voidedAt: instant('voided_at'),
  /** When the member asked expressly to begin within the days in which they can cancel by law; null: never. */
  beginRequestedAt: instant('begin_requested_at'),
})
export type PurchaseRow = typeof purchases.$inferSelect

/** The number of the last receipt; counted by a trigger. */
export const receiptCounter = pgTable('receipt_counter', {
  oneRow: boolean('one_row').primaryKey().default(true),
  last: integer().notNull(),
})

export const refunds = pgTable('refunds', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Null of a sale at the desk, where it is given back when it is recorded. */
  paymentIntentId: text('payment_intent_id'),
  /** Null where the payment never became a purchase. */
  purchaseId: integer('purchase_id'),
  providerId: text('provider_id'),
  /** What it is known by at the provider; random, or its number where it was sent with that. */
  reference: text().notNull().default(sql`gen_random_uuid()::text`),
  /** `rule`: by the refund policy; `owner`: beside it; `given_back`: it could not become a pass; `provider`: made there. */
  origin: text({ enum: ['rule', 'owner', 'given_back', 'provider'] }).notNull(),
  amountPence: integer('amount_pence').notNull(),
  /** `decided`: the provider does not have it yet. */
  status: text({ enum: ['decided', 'pending', 'succeeded', 'failed'] }).notNull(),
  reason: text(),
  failure: text(),
  /** How many credits went with the money. */
  creditsTaken: integer('credits_taken'),
  createdAt: instant('created_at').notNull(),
  sentAt: instant('sent_at'),
  settledAt: instant('settled_at'),
  /** When the owner said what follows from it: a part refunded there, or one that failed. */
  answeredAt: instant('answered_at'),
})
export type RefundRow = typeof refunds.$inferSelect

export const disputes = pgTable('disputes', {
  /** The provider's id. */
  id: text().primaryKey(),
  paymentIntentId: text('payment_intent_id').notNull(),
  purchaseId: integer('purchase_id'),
  /** `inquiry`: the bank only asks; `closed`: over without a decision. */
  status: text({ enum: ['inquiry', 'open', 'won', 'lost', 'closed'] }).notNull(),
  amountPence: integer('amount_pence').notNull(),
  reason: text().notNull(),
  openedAt: instant('opened_at').notNull(),
  /** Until when the bank waits for evidence. */
  respondBy: instant('respond_by'),
  decidedAt: instant('decided_at'),
})
export type DisputeRow = typeof disputes.$inferSelect

export const fraudWarnings = pgTable('fraud_warnings', {
  /** The provider's id. */
  id: text().primaryKey(),
  paymentIntentId: text('payment_intent_id').notNull(),
  kind: text().notNull(),
  warnedAt: instant('warned_at').notNull(),
})
