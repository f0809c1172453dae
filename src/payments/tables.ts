import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Pence } from '#foundation/money.ts'
import { calendarDate, instant } from '#platform/database/columns.ts'

/** A line of an order. A discount is negative; the label of what is sold is the package's name of that day. */
export type OrderLine = { kind: 'package' | 'voucher' | 'discount'; label: string; amountPence: Pence }

/** A buyer as they were when they bought. `contact`: the email address, or else the phone number. */
export type Buyer = { firstName: string; lastName: string; contact: string }

export const paymentIntents = pgTable('payment_intents', {
  /** The provider's id. */
  id: text().primaryKey(),
  userId: text('user_id'),
  packageId: integer('package_id').notNull(),
  /** Price, classes and validity when the payment started. */
  amountPence: integer('amount_pence').notNull(),
  classCount: integer('class_count').notNull(),
  validityMonths: integer('validity_months').notNull(),
  /** Returned in full: `refunded`, which could not become a purchase, and `mismatched`, not as requested. */
  state: text({ enum: ['open', 'processing', 'purchased', 'refunded', 'mismatched', 'cancelled'] }).notNull(),
  createdAt: instant('created_at').notNull(),
  settledAt: instant('settled_at'),
  /** Collected by the provider. */
  paidPence: integer('paid_pence'),
  /** The payment method in words: `Visa ending 4242`. */
  method: text(),
  /** Incremented whenever the provider's data is applied. */
  version: integer().notNull().default(0),
  /** When to poll the provider next; null: never again. */
  nextPollAt: instant('next_poll_at'),
  /** Since when the provider could not be read; null while it can. */
  unreadSince: instant('unread_since'),
  /** When the member asked to start within the cancellation period. */
  beginRequestedAt: instant('begin_requested_at'),
  /** The last press of the button, and the key of its tab. */
  confirmedAt: instant('confirmed_at'),
  confirmedBy: text('confirmed_by'),
  promotionCodeId: integer('promotion_code_id'),
  /** What is sold, then a discount; they add up to the amount. */
  lines: jsonb().$type<OrderLine[]>().notNull(),
})
export type PaymentIntentRow = typeof paymentIntents.$inferSelect

export const purchases = pgTable('purchases', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Null for a desk sale. */
  paymentIntentId: text('payment_intent_id'),
  userId: text('user_id'),
  packageId: integer('package_id').notNull(),
  amountPence: integer('amount_pence').notNull(),
  purchasedAt: instant('purchased_at').notNull(),
  /** The sum of its refunds that did not fail; updated by a trigger. */
  refundedPence: integer('refunded_pence').notNull().default(0),
  /** Lost in disputes; updated by a trigger. */
  lostPence: integer('lost_pence').notNull().default(0),
  /** Null for a card payment. */
  deskMethod: text('desk_method', { enum: ['cash', 'bank_transfer', 'card_reader', 'other'] }),
  note: text(),
  /** Consecutive without gaps; set by a trigger. */
  receiptNumber: integer('receipt_number').notNull().default(0),
  /** When a desk sale recorded by mistake was voided: it is not revenue. */
  voidedAt: instant('voided_at'),
  /** When the member asked to start within the cancellation period. */
  beginRequestedAt: instant('begin_requested_at'),
  /** What was sold, then a discount; they add up to the amount. */
  lines: jsonb().$type<OrderLine[]>().notNull(),
  /** Null once the member is erased, like `userId`. */
  buyer: jsonb().$type<Buyer>(),
  /** Classes and last instant of the pass or voucher, as sold. */
  classCount: integer('class_count').notNull(),
  validUntil: instant('valid_until').notNull(),
  /** What is sold and to whom, folded for searches. */
  searchable: text()
    .notNull()
    .generatedAlwaysAs(
      sql`folded(coalesce(lines -> 0 ->> 'label', '') || ' ' || coalesce((buyer ->> 'firstName') || ' ' || (buyer ->> 'lastName'), ''))`,
    ),
})
export type PurchaseRow = typeof purchases.$inferSelect

export const promotionCodes = pgTable('promotion_codes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** In capitals. */
  code: text().notNull(),
  kind: text({ enum: ['percent', 'amount'] }).notNull(),
  /** Percent, or pence. */
  value: integer().notNull(),
  /** Null: every package. */
  packageIds: jsonb('package_ids').$type<number[]>(),
  fromDay: calendarDate('from_day'),
  untilDay: calendarDate('until_day'),
  maxUses: integer('max_uses'),
  /** Reserved and counted uses; updated by a trigger. */
  uses: integer().notNull().default(0),
  oncePerMember: boolean('once_per_member').notNull(),
  firstPurchaseOnly: boolean('first_purchase_only').notNull(),
  endedAt: instant('ended_at'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
export type PromotionCodeRow = typeof promotionCodes.$inferSelect

/** Uses of promotion codes: reserved for a payment, then counted with its purchase. */
export const promotionUses = pgTable('promotion_uses', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  codeId: integer('code_id').notNull(),
  userId: text('user_id'),
  paymentIntentId: text('payment_intent_id'),
  purchaseId: integer('purchase_id'),
  /** Null once it is counted. */
  reservedUntil: instant('reserved_until'),
  isOncePerMember: boolean('is_once_per_member').notNull(),
  isFirstPurchase: boolean('is_first_purchase').notNull(),
  usedAt: instant('used_at').notNull(),
})

/** The last receipt number; updated by a trigger. */
export const receiptCounter = pgTable('receipt_counter', {
  oneRow: boolean('one_row').primaryKey().default(true),
  last: integer().notNull(),
})

export const refunds = pgTable('refunds', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Null for money given back by hand, which is refunded when it is recorded. */
  paymentIntentId: text('payment_intent_id'),
  /** How money of any sale was given back by hand. */
  method: text({ enum: ['cash', 'bank_transfer', 'other'] }),
  /** Null if the payment never became a purchase. */
  purchaseId: integer('purchase_id'),
  providerId: text('provider_id'),
  /** The refund's reference at the provider. */
  reference: text().notNull().default(sql`gen_random_uuid()::text`),
  /** `rule`: by policy; `owner`: at discretion; `given_back`: a returned payment; `provider`: made there. */
  origin: text({ enum: ['rule', 'owner', 'given_back', 'provider'] }).notNull(),
  amountPence: integer('amount_pence').notNull(),
  /** `decided`: not yet sent to the provider. */
  status: text({ enum: ['decided', 'pending', 'succeeded', 'failed'] }).notNull(),
  reason: text(),
  failure: text(),
  /** Credits taken with the money. */
  creditsTaken: integer('credits_taken'),
  createdAt: instant('created_at').notNull(),
  sentAt: instant('sent_at'),
  settledAt: instant('settled_at'),
  /** When the owner decided about it. */
  answeredAt: instant('answered_at'),
})
export type RefundRow = typeof refunds.$inferSelect

export const disputes = pgTable('disputes', {
  /** The provider's id. */
  id: text().primaryKey(),
  paymentIntentId: text('payment_intent_id').notNull(),
  purchaseId: integer('purchase_id'),
  /** `inquiry`: no money moved yet; `closed`: ended without a decision. */
  status: text({ enum: ['inquiry', 'open', 'won', 'lost', 'closed'] }).notNull(),
  amountPence: integer('amount_pence').notNull(),
  reason: text().notNull(),
  openedAt: instant('opened_at').notNull(),
  /** The deadline for evidence. */
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

/** Transfers from the card provider to the studio's bank account. */
export const payouts = pgTable('payouts', {
  /** The provider's id. */
  id: text().primaryKey(),
  amountPence: integer('amount_pence').notNull(),
  status: text({ enum: ['pending', 'in_transit', 'paid', 'failed', 'canceled'] }).notNull(),
  arrivesOn: calendarDate('arrives_on').notNull(),
  createdAt: instant('created_at').notNull(),
  /** Whether its lines were read completely. */
  isItemised: boolean('is_itemised').notNull().default(false),
})

/** What moved the account's balance at the card provider. */
export const balanceChanges = pgTable('balance_changes', {
  /** The provider's id. */
  id: text().primaryKey(),
  kind: text({ enum: ['charge', 'refund', 'dispute', 'other'] }).notNull(),
  /** Null for other business on the same account. */
  paymentIntentId: text('payment_intent_id'),
  /** The charge, refund or dispute. */
  sourceId: text('source_id'),
  amountPence: integer('amount_pence').notNull(),
  feePence: integer('fee_pence').notNull(),
  /** The amount less the fee. */
  netPence: integer('net_pence').notNull().generatedAlwaysAs(sql`amount_pence - fee_pence`),
  madeAt: instant('made_at').notNull(),
  payoutId: text('payout_id'),
})
