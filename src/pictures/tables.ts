import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'
import type { Place, SizeAndWidths } from './rules.ts'

export const pictures = pgTable('pictures', {
  /** A hash of the uploaded file and the place. */
  id: text().primaryKey(),
  place: text().$type<Place>().notNull(),
  sizes: jsonb().$type<SizeAndWidths & { narrow?: SizeAndWidths }>().notNull(),
  /** The last time: uploading it again is not a new picture. */
  uploadedAt: instant('uploaded_at').notNull(),
})

export const pictureFiles = pgTable('picture_files', {
  pictureId: text('picture_id').primaryKey(),
  crop: text({ enum: ['wide', 'narrow'] }).primaryKey(),
  width: integer().primaryKey(),
  /** WebP. */
  content: bytes().notNull(),
})
