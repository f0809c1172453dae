import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant } from '#platform/database/columns.ts'

/** Items that an admin marked as done. */
export const attentionDone = pgTable('attention_done', {
  kind: text().primaryKey(),
  about: text().primaryKey(),
  adminId: text('admin_id').notNull(),
  doneAt: instant('done_at').notNull(),
})

/** One row: the date of the last daily email. */
export const attentionMail = pgTable('attention_mail', {
  isOnly: boolean('is_only').primaryKey().default(true),
  mailedOn: calendarDate('mailed_on').notNull(),
})
