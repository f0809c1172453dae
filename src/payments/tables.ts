import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, snakeCase, text } from 'drizzle-orm/pg-core'
import type { Pence } from '#foundation/money.ts'
import { calendarDate, instant } from '#platform/database/columns.ts'

/** A line of an order. A discount is negative; the label of what is sold is the package's name of that day. */
export type OrderLine = { kind: 'package' | 'voucher' | 'discount'; label: string; amountPence: Pence }

/** A buyer as they were when they bought. `contact`: the email address, or else the phone number. */
export type Buyer = { firstName: string; lastName: string; contact: string }

export const paymentIntents = snakeCase.table('payment_intents', {
  /** The provider's id. */
  id: text().primaryKey(),
  userId: text(),
  packageId: integer().notNull(),
  /** Price, classes and validity when the payment started. */
  amountPence: integer().notNull(),
  classCount: integer().notNull(),
  validityMonths: integer().notNull(),
  /** Returned in full: `refunded`, which could not become a purchase, and `mismatched`, not as requested. */
  state: text({ enum: ['open', 'processing', 'purchased', 'refunded', 'mismatched', 'cancelled'] }).notNull(),
  createdAt: instant().notNull(),
  settledAt: instant(),
  /** Collected by the provider. */
  paidPence: integer(),
  /** The payment method in words: `Visa ending 4242`. */
  method: text(),
  /** Incremented whenever the provider's data is applied. */
  version: integer().notNull().default(0),
  /** When to poll the provider next; null: never again. */
  nextPollAt: instant(),
  /** Since when the provider could not be read; null while it can. */
  unreadSince: instant(),
  /** When the member asked to start within the cancellation period. */
  beginRequestedAt: instant(),
  /** The last press of the button, and the key of its tab. */
  confirmedAt: instant(),
  confirmedBy: text(),
  promotionCodeId: integer(),
  /** What is sold, then a discount; they add up to the amount. */
  lines: jsonb().$type<OrderLine[]>().notNull(),
})
export type PaymentIntentRow = typeof paymentIntents.$inferSelect

export const purchases = snakeCase.table('purchases', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Null for a desk sale. */
  paymentIntentId: text(),
  userId: text(),
  packageId: integer().notNull(),
  amountPence: integer().notNull(),
  purchasedAt: instant().notNull(),
  /** The sum of its refunds that did not fail; updated by a trigger. */
  refundedPence: integer().notNull().default(0),
  /** Lost in disputes; updated by a trigger. */
  lostPence: integer().notNull().default(0),
  /** Null for a card payment. */
  deskMethod: text({ enum: ['cash', 'bank_transfer', 'card_reader', 'other'] }),
  note: text(),
  /** Consecutive without gaps; set by a trigger. */
  receiptNumber: integer().notNull().default(0),
  /** When a desk sale recorded by mistake was voided: it is not revenue. */
  voidedAt: instant(),
  /** When the member asked to start within the cancellation period. */
  beginRequestedAt: instant(),
  /** What was sold, then a discount; they add up to the amount. */
  lines: jsonb().$type<OrderLine[]>().notNull(),
  /** Null once the member is erased, like `userId`. */
  buyer: jsonb().$type<Buyer>(),
  /** Classes and last instant of the pass or voucher, as sold. */
  classCount: integer().notNull(),
  validUntil: instant().notNull(),
  /** What is sold and to whom, folded for searches. */
  searchable: text()
    .notNull()
    .generatedAlwaysAs(
      sql`folded(coalesce(lines -> 0 ->> 'label', '') || ' ' || coalesce((buyer ->> 'firstName') || ' ' || (buyer ->> 'lastName'), ''))`,
    ),
})
export type PurchaseRow = typeof purchases.$inferSelect

export const promotionCodes = snakeCase.table('promotion_codes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** In capitals. */
  code: text().notNull(),
  kind: text({ enum: ['percent', 'amount'] }).notNull(),
  /** Percent, or pence. */
  value: integer().notNull(),
  /** Null: every package. */
  packageIds: jsonb().$type<number[]>(),
  fromDay: calendarDate(),
  untilDay: calendarDate(),
  maxUses: integer(),
  /** Reserved and counted uses; updated by a trigger. */
  uses: integer().notNull().default(0),
  oncePerMember: boolean().notNull(),
  firstPurchaseOnly: boolean().notNull(),
  endedAt: instant(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})
export type PromotionCodeRow = typeof promotionCodes.$inferSelect

/** Uses of promotion codes: reserved for a payment, then counted with its purchase. */
export const promotionUses = snakeCase.table('promotion_uses', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  codeId: integer().notNull(),
  userId: text(),
  paymentIntentId: text(),
  purchaseId: integer(),
  /** Null once it is counted. */
  reservedUntil: instant(),
  isOncePerMember: boolean().notNull(),
  isFirstPurchase: boolean().notNull(),
  usedAt: instant().notNull(),
})

/** The last receipt number; updated by a trigger. */
export const receiptCounter = snakeCase.table('receipt_counter', {
  oneRow: boolean().primaryKey().default(true),
  last: integer().notNull(),
})

export const refunds = snakeCase.table('refunds', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Null for money given back by hand, which is refunded when it is recorded. */
  paymentIntentId: text(),
  /** How money of any sale was given back by hand. */
  method: text({ enum: ['cash', 'bank_transfer', 'other'] }),
  /** Null if the payment never became a purchase. */
  purchaseId: integer(),
  providerId: text(),
  /** The refund's reference at the provider. */
  reference: text().notNull().default(sql`gen_random_uuid()::text`),
  /** `rule`: by policy; `owner`: at discretion; `given_back`: a returned payment; `provider`: made there. */
  origin: text({ enum: ['rule', 'owner', 'given_back', 'provider'] }).notNull(),
  amountPence: integer().notNull(),
  /** `decided`: not yet sent to the provider. */
  status: text({ enum: ['decided', 'pending', 'succeeded', 'failed'] }).notNull(),
  reason: text(),
  failure: text(),
  /** Credits taken with the money. */
  creditsTaken: integer(),
  createdAt: instant().notNull(),
  sentAt: instant(),
  settledAt: instant(),
  /** When the owner decided about it. */
  answeredAt: instant(),
})
export type RefundRow = typeof refunds.$inferSelect

export const disputes = snakeCase.table('disputes', {
  /** The provider's id. */
  id: text().primaryKey(),
  paymentIntentId: text().notNull(),
  purchaseId: integer(),
  /** `inquiry`: no money moved yet; `closed`: ended without a decision. */
  status: text({ enum: ['inquiry', 'open', 'won', 'lost', 'closed'] }).notNull(),
  amountPence: integer().notNull(),
  reason: text().notNull(),
  openedAt: instant().notNull(),
  /** The deadline for evidence. */
  respondBy: instant(),
  decidedAt: instant(),
})
export type DisputeRow = typeof disputes.$inferSelect

export const fraudWarnings = snakeCase.table('fraud_warnings', {
  /** The provider's id. */
  id: text().primaryKey(),
  paymentIntentId: text().notNull(),
  kind: text().notNull(),
  warnedAt: instant().notNull(),
})

/** Transfers from the card provider to the studio's bank account. */
export const payouts = snakeCase.table('payouts', {
  /** The provider's id. */
  id: text().primaryKey(),
  amountPence: integer().notNull(),
  status: text({ enum: ['pending', 'in_transit', 'paid', 'failed', 'canceled'] }).notNull(),
  arrivesOn: calendarDate().notNull(),
  createdAt: instant().notNull(),
  /** Whether its lines were read completely. */
  isItemised: boolean().notNull().default(false),
})

/** What moved the account's balance at the card provider. */
export const balanceChanges = snakeCase.table('balance_changes', {
  /** The provider's id. */
  id: text().primaryKey(),
  kind: text({ enum: ['charge', 'refund', 'dispute', 'other'] }).notNull(),
  /** Null for other business on the same account. */
  paymentIntentId: text(),
  /** The charge, refund or dispute. */
  sourceId: text(),
  amountPence: integer().notNull(),
  feePence: integer().notNull(),
  /** The amount less the fee. */
  netPence: integer().notNull().generatedAlwaysAs(sql`amount_pence - fee_pence`),
  madeAt: instant().notNull(),
  payoutId: text(),
})
