import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../platform/database/columns.ts'

export const newsletterSubscribers = pgTable('newsletter_subscribers', {
  token: text().primaryKey(),
  email: text().notNull(),
  requestedAt: instant('requested_at').notNull(),
  confirmedAt: instant('confirmed_at'),
})
