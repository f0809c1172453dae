import { boolean, integer, jsonb, snakeCase, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'
import type { SizeAndWidths, Upload } from './rules.ts'

export const pictures = snakeCase.table('pictures', {
  /** A hash of the uploaded file and the place. */
  id: text().primaryKey(),
  place: text().$type<Upload>().notNull(),
  sizes: jsonb().$type<SizeAndWidths & { narrow?: SizeAndWidths }>().notNull(),
  /** The latest upload: uploading the same file again adds no picture. */
  uploadedAt: instant().notNull(),
  /** Sent in an email, whose readers may open it in years. */
  inEmail: boolean().notNull().default(false),
})

export const pictureFiles = snakeCase.table('picture_files', {
  pictureId: text().primaryKey(),
  crop: text({ enum: ['wide', 'narrow', 'email'] }).primaryKey(),
  width: integer().primaryKey(),
  /** WebP; JPEG for emails, because Outlook shows no WebP. */
  content: bytes().notNull(),
})
