import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { PersonName } from '#foundation/person-names.ts'
import { bytes, instant } from '#platform/database/columns.ts'

/** Passes bought for another person; the pass is made when the code is redeemed. */
export const vouchers = pgTable('vouchers', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Null once the purchase is erased. */
  purchaseId: integer('purchase_id'),
  /** While its payment is open, `soldAt` is null, and nobody has the code. */
  paymentIntentId: text('payment_intent_id'),
  /** Null once the buyer is erased. */
  buyerId: text('buyer_id'),
  packageId: integer('package_id').notNull(),
  /** Name, credits, months and amount as they were when it was bought. */
  packageName: text('package_name').notNull(),
  classCount: integer('class_count').notNull(),
  validityMonths: integer('validity_months').notNull(),
  amountPence: integer('amount_pence').notNull(),
  /** Of the code, under the newest health data key. */
  codeHmac: bytes('code_hmac').notNull(),
  sealedCode: bytes('sealed_code').notNull(),
  lastFour: text('last_four').notNull(),
  recipientName: text('recipient_name').$type<PersonName>().notNull(),
  recipientEmail: text('recipient_email'),
  message: text(),
  /** When it is emailed to the recipient; null: the buyer prints it. */
  sendAt: instant('send_at'),
  sentAt: instant('sent_at'),
  soldAt: instant('sold_at'),
  expiresAt: instant('expires_at').notNull(),
  redeemedAt: instant('redeemed_at'),
  /** Null once that member is erased. */
  redeemedBy: text('redeemed_by'),
  passId: integer('pass_id'),
  voidedAt: instant('voided_at'),
  /** The start of a dispute about the payment, during which it cannot be redeemed. */
  frozenAt: instant('frozen_at'),
  remindedAt: instant('reminded_at'),
})
export type VoucherRow = typeof vouchers.$inferSelect
