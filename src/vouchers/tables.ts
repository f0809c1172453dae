import { integer, snakeCase, text } from 'drizzle-orm/pg-core'
import type { PersonName } from '#foundation/person-names.ts'
import { bytes, instant } from '#platform/database/columns.ts'

/** Passes bought for another person; the pass is made when the code is redeemed. */
export const vouchers = snakeCase.table('vouchers', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Null once the purchase is erased. */
  purchaseId: integer(),
  /** While its payment is open, `soldAt` is null, and nobody has the code. */
  paymentIntentId: text(),
  /** Null once the buyer is erased. */
  buyerId: text(),
  packageId: integer().notNull(),
  /** Name, credits, months and amount as they were when it was bought. */
  packageName: text().notNull(),
  classCount: integer().notNull(),
  validityMonths: integer().notNull(),
  amountPence: integer().notNull(),
  /** Of the code, under the newest health data key. */
  codeHmac: bytes().notNull(),
  sealedCode: bytes().notNull(),
  lastFour: text().notNull(),
  recipientName: text().$type<PersonName>().notNull(),
  recipientEmail: text(),
  message: text(),
  /** When it is emailed to the recipient; null: the buyer prints it. */
  sendAt: instant(),
  sentAt: instant(),
  soldAt: instant(),
  expiresAt: instant().notNull(),
  redeemedAt: instant(),
  /** Null once that member is erased. */
  redeemedBy: text(),
  passId: integer(),
  voidedAt: instant(),
  /** The start of a dispute about the payment, during which it cannot be redeemed. */
  frozenAt: instant(),
  remindedAt: instant(),
})
export type VoucherRow = typeof vouchers.$inferSelect
