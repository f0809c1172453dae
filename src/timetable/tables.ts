import { boolean, integer, snakeCase, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant, wallTime } from '#platform/database/columns.ts'

export const classSeries = snakeCase.table('class_series', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  repeatFrequency: text({ enum: ['weekly', 'biweekly', 'monthly'] }).notNull(),
  repeatUntilDate: calendarDate().notNull(),
  /** The date from which the repeats are counted, even if its class is gone. */
  firstDate: calendarDate().notNull(),
})

export const classes = snakeCase.table('classes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  seriesId: integer(),
  title: text().notNull(),
  description: text(),
  date: calendarDate().notNull(),
  startTime: wallTime().notNull(),
  endTime: wallTime().notNull(),
  startsAt: instant().notNull(),
  endsAt: instant().notNull(),
  maxParticipants: integer().notNull(),
  /** Updated by a trigger; never written here. */
  bookedCount: integer().notNull().default(0),
  /** Free places held for the waiting list. */
  reservedPlaces: integer().notNull().default(0),
  pricePence: integer().notNull(),
  passPricePence: integer().notNull(),
  /** Who teaches it, or taught it. */
  instructorName: text().notNull(),
  /** Who was to teach it, if it was given to another teacher. */
  plannedInstructorName: text(),
  isActive: boolean().notNull().default(true),
  deletedAt: instant(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})
export type ClassRow = typeof classes.$inferSelect

/** Inclusive days, or hours of one day, in which the studio is closed; they may overlap. */
export const closures = snakeCase.table('closures', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  from: calendarDate('from_date').notNull(),
  to: calendarDate('to_date').notNull(),
  /** With `toTime`: covers only classes that start in these hours of its single day. */
  fromTime: wallTime(),
  toTime: wallTime(),
  reason: text().notNull(),
  adminId: text().notNull(),
  createdAt: instant().notNull(),
})
export type ClosureRow = typeof closures.$inferSelect

/** Classes hidden by a closure; each returns to the timetable when no closure covers it. */
export const closedClasses = snakeCase.table('closed_classes', {
  closureId: integer().primaryKey(),
  classId: integer().primaryKey(),
})

/** The day and slot of the weekly timetable for which planning a term made a class, wherever the class is now. */
export const plannedClasses = snakeCase.table('planned_classes', {
  date: calendarDate().primaryKey(),
  startTime: wallTime().primaryKey(),
  /** Tells apart two slots that start at the same time. */
  nth: integer().primaryKey(),
  classId: integer().notNull(),
})
