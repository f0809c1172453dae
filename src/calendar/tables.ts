import { bigint, boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'
import type { ReadFailure, UnreadEvent } from './rules.ts'

export const calendarFeeds = pgTable('calendar_feeds', {
  userId: text('user_id').primaryKey(),
  secretHash: bytes('secret_hash').notNull(),
  shows: text({ enum: ['own_bookings', 'studio'] }).notNull(),
  createdAt: instant('created_at').notNull(),
})

/** One row: the owner's own calendar. */
export const ownCalendar = pgTable('own_calendar', {
  isOnly: boolean('is_only').primaryKey().default(true),
  sealedAddress: bytes('sealed_address').notNull(),
  host: text().notNull(),
  addedAt: instant('added_at').notNull(),
  nextReadAt: instant('next_read_at').notNull(),
  readAt: instant('read_at'),
  etag: text(),
  failingSince: instant('failing_since'),
  failure: text().$type<ReadFailure>(),
  unreadEvents: integer('unread_events').notNull().default(0),
  firstUnread: jsonb('first_unread').$type<UnreadEvent[]>().notNull().default([]),
})

/** When the owner is busy, without saying with what. */
export const busyTimes = pgTable('busy_times', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** The calendar they are of, so that they are deleted with it. */
  calendar: boolean().notNull().default(true),
  startsAt: instant('starts_at').notNull(),
  endsAt: instant('ends_at').notNull(),
  isAllDay: boolean('is_all_day').notNull(),
})
