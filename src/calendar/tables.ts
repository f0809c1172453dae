import { bigint, boolean, integer, jsonb, snakeCase, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'
import type { ReadFailure, UnreadEvent } from './rules.ts'

export const calendarFeeds = snakeCase.table('calendar_feeds', {
  userId: text().primaryKey(),
  secretHash: bytes().notNull(),
  shows: text({ enum: ['own_bookings', 'studio'] }).notNull(),
  createdAt: instant().notNull(),
})

/** One row: the owner's own calendar. */
export const ownCalendar = snakeCase.table('own_calendar', {
  isOnly: boolean().primaryKey().default(true),
  sealedAddress: bytes().notNull(),
  host: text().notNull(),
  addedAt: instant().notNull(),
  nextReadAt: instant().notNull(),
  readAt: instant(),
  etag: text(),
  failingSince: instant(),
  failure: text().$type<ReadFailure>(),
  unreadEvents: integer().notNull().default(0),
  firstUnread: jsonb().$type<UnreadEvent[]>().notNull().default([]),
})

/** When the owner is busy, without saying with what. */
export const busyTimes = snakeCase.table('busy_times', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** The calendar they are of, so that they are deleted with it. */
  calendar: boolean().notNull().default(true),
  startsAt: instant().notNull(),
  endsAt: instant().notNull(),
  isAllDay: boolean().notNull(),
})
