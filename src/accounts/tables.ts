import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'
import { CHALLENGE_PURPOSES } from './factor-rules.ts'
import { SESSION_METHODS } from './session-rules.ts'

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
  /** What it is called on the wire; opens nothing. */
  id: uuid().notNull().defaultRandom(),
  userId: text('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  /** To within five minutes. */
  lastUsedAt: instant('last_used_at').notNull().default(sql`now()`),
  /** In words; null: unknown. */
  browser: text(),
  system: text(),
  method: text({ enum: SESSION_METHODS }).notNull().default('password'),
  /** When they last proved themselves in it. */
  confirmedAt: instant('confirmed_at').notNull().default(sql`now()`),
})
export type SessionRow = typeof sessions.$inferSelect

export const oneTimeLinks = pgTable('one_time_links', {
  tokenHash: bytes('token_hash').primaryKey(),
  /** Counts up: which of two is the newer. */
  id: integer().notNull().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  purpose: text({ enum: ['verify_email', 'set_password', 'invitation'] }).notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** Addresses that were changed lately: nobody else can take them, and a link mailed to them brings them back. */
export const emailChanges = pgTable('email_changes', {
  tokenHash: bytes('token_hash').primaryKey(),
  /** Counts up: which of two is the newer. */
  id: integer().notNull().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  oldEmail: text('old_email').notNull(),
  changedAt: instant('changed_at').notNull(),
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

/** Public keys with which somebody signs in. */
export const passkeys = pgTable('passkeys', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  credentialId: bytes('credential_id').notNull(),
  publicKey: bytes('public_key').notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  /** How a browser reaches it: words separated by commas. */
  transports: text().notNull().default(''),
  label: text().notNull(),
  isSynced: boolean('is_synced').notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
})
export type PasskeyRow = typeof passkeys.$inferSelect

/** What the codes of an authenticator app are made from, sealed. */
export const authenticatorApps = pgTable('authenticator_apps', {
  userId: text('user_id').primaryKey(),
  sealedSecret: bytes('sealed_secret').notNull(),
  /** The half minute of the newest code that was taken. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
})

/** Hashes of codes that stand in for what was lost, once each. */
export const recoveryCodes = pgTable('recovery_codes', {
  codeHash: bytes('code_hash').primaryKey(),
  userId: text('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** What passkeys were asked to sign. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  challengeHash: bytes('challenge_hash').primaryKey(),
  purpose: text({ enum: CHALLENGE_PURPOSES }).notNull(),
  /** Null: anybody's, who is about to sign in. */
  userId: text('user_id'),
  expiresAt: instant('expires_at').notNull(),
})

/** Browsers in which the password was right and the second step is still to come. */
export const pendingSignIns = pgTable('pending_sign_ins', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  /** A hash of the password's hash: with another password the sign-in begins anew. */
  passwordTag: bytes('password_tag').notNull(),
  expiresAt: instant('expires_at').notNull(),
})
