import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant, wallTime } from '#platform/database/columns.ts'

export const classSeries = pgTable('class_series', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  repeatFrequency: text('repeat_frequency', { enum: ['weekly', 'biweekly', 'monthly'] }).notNull(),
  repeatUntilDate: calendarDate('repeat_until_date').notNull(),
  /** The date from which the repeats are counted, even if its class is gone. */
  firstDate: calendarDate('first_date').notNull(),
})

export const classes = pgTable('classes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  seriesId: integer('series_id'),
  title: text().notNull(),
  description: text(),
  date: calendarDate().notNull(),
  startTime: wallTime('start_time').notNull(),
  endTime: wallTime('end_time').notNull(),
  startsAt: instant('starts_at').notNull(),
  endsAt: instant('ends_at').notNull(),
  maxParticipants: integer('max_participants').notNull(),
  /** Updated by a trigger; never written here. */
  bookedCount: integer('booked_count').notNull().default(0),
  /** Free places held for the waiting list. */
  reservedPlaces: integer('reserved_places').notNull().default(0),
  pricePence: integer('price_pence').notNull(),
  passPricePence: integer('pass_price_pence').notNull(),
  /** Who teaches it, or taught it. */
  instructorName: text('instructor_name').notNull(),
  /** Who was to teach it, if it was given to another teacher. */
  plannedInstructorName: text('planned_instructor_name'),
  isActive: boolean('is_active').notNull().default(true),
  deletedAt: instant('deleted_at'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
export type ClassRow = typeof classes.$inferSelect

/** Inclusive days, or hours of one day, in which the studio is closed; they may overlap. */
export const closures = pgTable('closures', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  from: calendarDate('from_date').notNull(),
  to: calendarDate('to_date').notNull(),
  /** With `toTime`: covers only classes that start in these hours of its single day. */
  fromTime: wallTime('from_time'),
  toTime: wallTime('to_time'),
  reason: text().notNull(),
  adminId: text('admin_id').notNull(),
  createdAt: instant('created_at').notNull(),
})
export type ClosureRow = typeof closures.$inferSelect

/** Classes hidden by a closure; each returns to the timetable when no closure covers it. */
export const closedClasses = pgTable('closed_classes', {
  closureId: integer('closure_id').primaryKey(),
  classId: integer('class_id').primaryKey(),
})

/** The day and slot of the weekly timetable for which planning a term made a class, wherever the class is now. */
export const plannedClasses = pgTable('planned_classes', {
  date: calendarDate().primaryKey(),
  startTime: wallTime('start_time').primaryKey(),
  /** Tells apart two slots that start at the same time. */
  nth: integer().primaryKey(),
  classId: integer('class_id').notNull(),
})
