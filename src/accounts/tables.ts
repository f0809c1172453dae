import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { PersonName } from '#foundation/person-names.ts'
import { bytes, instant } from '#platform/database/columns.ts'
import { CHALLENGE_PURPOSES } from './factor-rules.ts'
import { SESSION_METHODS } from './session-rules.ts'

export const users = pgTable('users', {
  id: text().primaryKey(),
  /** Both null for members who have only a phone number. */
  username: text(),
  email: text(),
  firstName: text('first_name').$type<PersonName>().notNull(),
  lastName: text('last_name').notNull(),
  phone: text(),
  /** Null until they set one. */
  passwordHash: text('password_hash'),
  isAdmin: boolean('is_admin').notNull().default(false),
  isTeacher: boolean('is_teacher').notNull().default(false),
  /** A teacher's name in the settings: they see only the classes with this name. */
  teachesAs: text('teaches_as'),
  emailVerifiedAt: instant('email_verified_at'),
  invitedAt: instant('invited_at'),
  welcomedAt: instant('welcomed_at'),
  /** Blocked members may not book or buy; both fields are set or neither. */
  blockedAt: instant('blocked_at'),
  blockedReason: text('blocked_reason'),
  /** When a block was lifted or health information became complete: until the next night nothing is booked unasked. */
  ableSince: instant('able_since'),
  /** Whether the member switched text messages off. */
  textsOff: boolean('texts_off').notNull().default(false),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
  /** Names, email address and username, folded. */
  searchable: text()
    .notNull()
    .generatedAlwaysAs(
      sql`folded(first_name || ' ' || last_name || ' ' || coalesce(email, '') || ' ' || coalesce(username, ''))`,
    ),
})
export type UserRow = typeof users.$inferSelect

export const sessions = pgTable('sessions', {
  tokenHash: bytes('token_hash').primaryKey(),
  /** The public id, which grants nothing. */
  id: uuid().notNull().defaultRandom(),
  userId: text('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  /** Accurate to five minutes. */
  lastUsedAt: instant('last_used_at').notNull(),
  browser: text(),
  system: text(),
  method: text({ enum: SESSION_METHODS }).notNull(),
  /** The last proof of identity. */
  confirmedAt: instant('confirmed_at').notNull(),
})
export type SessionRow = typeof sessions.$inferSelect

export const oneTimeLinks = pgTable('one_time_links', {
  tokenHash: bytes('token_hash').primaryKey(),
  id: integer().notNull().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  purpose: text({ enum: ['verify_email', 'set_password', 'invitation'] }).notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** Recently changed addresses: reserved for their former owner, who can restore them by an emailed link. */
export const emailChanges = pgTable('email_changes', {
  tokenHash: bytes('token_hash').primaryKey(),
  id: integer().notNull().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  oldEmail: text('old_email').notNull(),
  changedAt: instant('changed_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** Addresses that members asked for and have not confirmed yet. */
export const emailChangeRequests = pgTable('email_change_requests', {
  userId: text('user_id').primaryKey(),
  newEmail: text('new_email').notNull(),
  /** The token is derived from it, so that the same link can be emailed again. */
  linkId: text('link_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  requestedAt: instant('requested_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})
export type EmailChangeRequestRow = typeof emailChangeRequests.$inferSelect

export const memberNotes = pgTable('member_notes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  authorId: text('author_id'),
  text: text().notNull(),
  writtenAt: instant('written_at').notNull(),
})

export const passkeys = pgTable('passkeys', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  credentialId: bytes('credential_id').notNull(),
  publicKey: bytes('public_key').notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  /** Comma-separated. */
  transports: text().notNull().default(''),
  label: text().notNull(),
  isSynced: boolean('is_synced').notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
})
export type PasskeyRow = typeof passkeys.$inferSelect

export const authenticatorApps = pgTable('authenticator_apps', {
  userId: text('user_id').primaryKey(),
  sealedSecret: bytes('sealed_secret').notNull(),
  /** The time step of the last accepted code. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
})

export const recoveryCodes = pgTable('recovery_codes', {
  codeHash: bytes('code_hash').primaryKey(),
  userId: text('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
})

export const passkeyChallenges = pgTable('passkey_challenges', {
  challengeHash: bytes('challenge_hash').primaryKey(),
  purpose: text({ enum: CHALLENGE_PURPOSES }).notNull(),
  /** Null when signing in. */
  userId: text('user_id'),
  expiresAt: instant('expires_at').notNull(),
})

/** Sign-ins that await the second step. */
export const pendingSignIns = pgTable('pending_sign_ins', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  /** A hash of the password hash: a changed password ends the sign-in. */
  passwordTag: bytes('password_tag').notNull(),
  expiresAt: instant('expires_at').notNull(),
})
