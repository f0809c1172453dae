import { pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'

export const calendarFeeds = pgTable('calendar_feeds', {
  userId: text('user_id').primaryKey(),
  secretHash: bytes('secret_hash').notNull(),
  shows: text({ enum: ['own_bookings', 'studio'] }).notNull(),
  createdAt: instant('created_at').notNull(),
})
