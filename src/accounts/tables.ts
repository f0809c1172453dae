import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '../platform/database/columns.ts'

export const users = pgTable('users', {
  id: text().primaryKey(),
  username: text().notNull(),
  email: text().notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  phone: text(),
  /** Null: they have not set one yet. */
  passwordHash: text('password_hash'),
  isAdmin: boolean('is_admin').notNull().default(false),
  emailVerifiedAt: instant('email_verified_at'),
  invitedAt: instant('invited_at'),
  welcomedAt: instant('welcomed_at'),
  /** Since when they may neither book nor buy, and why; both or none. */
  blockedAt: instant('blocked_at'),
  blockedReason: text('blocked_reason'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
})
export type UserRow = typeof users.$inferSelect

export const sessions = pgTable('sessions', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

export const oneTimeLinks = pgTable('one_time_links', {
  tokenHash: bytes('token_hash').primaryKey(),
  /** Counts up: which of two is the newer. */
  id: integer().notNull().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  purpose: text({ enum: ['verify_email', 'set_password', 'invitation'] }).notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** What the studio notes on a member; erased with them. */
export const memberNotes = pgTable('member_notes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  authorId: text('author_id'),
  text: text().notNull(),
  writtenAt: instant('written_at').notNull(),
})
