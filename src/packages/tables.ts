import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant } from '#platform/database/columns.ts'

export const packages = pgTable('packages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  description: text(),
  /** Read it with `inForce`: the next price may have come. */
  pricePence: integer('price_pence').notNull(),
  nextPricePence: integer('next_price_pence'),
  nextPriceFrom: calendarDate('next_price_from'),
  /** When a planned price came into force; null once the price is edited. */
  cameIntoForceAt: instant('came_into_force_at'),
  classCount: integer('class_count').notNull(),
  validityMonths: integer('validity_months').notNull(),
  maxParticipants: integer('max_participants').notNull(),
  isLimitedOffer: boolean('is_limited_offer').notNull(),
  purchaseOncePerUser: boolean('purchase_once_per_user').notNull(),
  isActive: boolean('is_active').notNull().default(true),
  isForImports: boolean('is_for_imports').notNull().default(false),
  deletedAt: instant('deleted_at'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
export type PackageRow = typeof packages.$inferSelect
