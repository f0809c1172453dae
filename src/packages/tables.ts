import { boolean, integer, snakeCase, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant } from '#platform/database/columns.ts'

export const packages = snakeCase.table('packages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  description: text(),
  /** Read it with `inForce`: the next price may have come. */
  pricePence: integer().notNull(),
  nextPricePence: integer(),
  nextPriceFrom: calendarDate(),
  /** When a planned price came into force; null once the price is edited. */
  cameIntoForceAt: instant(),
  classCount: integer().notNull(),
  validityMonths: integer().notNull(),
  maxParticipants: integer().notNull(),
  isLimitedOffer: boolean().notNull(),
  purchaseOncePerUser: boolean().notNull(),
  isActive: boolean().notNull().default(true),
  isForImports: boolean().notNull().default(false),
  deletedAt: instant(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})
export type PackageRow = typeof packages.$inferSelect
