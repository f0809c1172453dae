import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, snakeCase, text, uuid } from 'drizzle-orm/pg-core'
import type { PersonName } from '#foundation/person-names.ts'
import { bytes, instant } from '#platform/database/columns.ts'
import { CHALLENGE_PURPOSES } from './factor-rules.ts'
import { SESSION_METHODS } from './session-rules.ts'

export const users = snakeCase.table('users', {
  id: text().primaryKey(),
  /** Both null for members who have only a phone number. */
  username: text(),
  email: text(),
  firstName: text().$type<PersonName>().notNull(),
  lastName: text().notNull(),
  phone: text(),
  /** Null until they set one. */
  passwordHash: text(),
  isAdmin: boolean().notNull().default(false),
  isTeacher: boolean().notNull().default(false),
  /** A teacher's name in the settings: they see only the classes with this name. */
  teachesAs: text(),
  emailVerifiedAt: instant(),
  invitedAt: instant(),
  welcomedAt: instant(),
  /** Blocked members may not book or buy; both fields are set or neither. */
  blockedAt: instant(),
  blockedReason: text(),
  /** When a block was lifted or health information became complete: until the next night nothing is booked unasked. */
  ableSince: instant(),
  /** Whether the member switched text messages off. */
  textsOff: boolean().notNull().default(false),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull().default(sql`now()`),
  /** Names, email address and username, folded. */
  searchable: text()
    .notNull()
    .generatedAlwaysAs(
      sql`folded(first_name || ' ' || last_name || ' ' || coalesce(email, '') || ' ' || coalesce(username, ''))`,
    ),
})
export type UserRow = typeof users.$inferSelect
/** Who a member is, and where they are emailed: `pick(users, CONTACT)`. */
export const CONTACT = ['id', 'email', 'firstName', 'lastName'] as const

export const sessions = snakeCase.table('sessions', {
  tokenHash: bytes().primaryKey(),
  /** The public id, which grants nothing. */
  id: uuid().notNull().defaultRandom(),
  userId: text().notNull(),
  createdAt: instant().notNull(),
  expiresAt: instant().notNull(),
  /** Accurate to five minutes. */
  lastUsedAt: instant().notNull(),
  browser: text(),
  system: text(),
  method: text({ enum: SESSION_METHODS }).notNull(),
  /** The last proof of identity. */
  confirmedAt: instant().notNull(),
})
export type SessionRow = typeof sessions.$inferSelect

export const oneTimeLinks = snakeCase.table('one_time_links', {
  tokenHash: bytes().primaryKey(),
  id: integer().notNull().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  purpose: text({ enum: ['verify_email', 'set_password', 'invitation'] }).notNull(),
  createdAt: instant().notNull(),
  expiresAt: instant().notNull(),
})

/** Recently changed addresses: reserved for their former owner, who can restore them by an emailed link. */
export const emailChanges = snakeCase.table('email_changes', {
  tokenHash: bytes().primaryKey(),
  id: integer().notNull().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  oldEmail: text().notNull(),
  changedAt: instant().notNull(),
  expiresAt: instant().notNull(),
})

/** Addresses that members asked for and have not confirmed yet. */
export const emailChangeRequests = snakeCase.table('email_change_requests', {
  userId: text().primaryKey(),
  newEmail: text().notNull(),
  /** The token is derived from it, so that the same link can be emailed again. */
  linkId: text().notNull(),
  tokenHash: bytes().notNull(),
  requestedAt: instant().notNull(),
  expiresAt: instant().notNull(),
})
export type EmailChangeRequestRow = typeof emailChangeRequests.$inferSelect

export const memberNotes = snakeCase.table('member_notes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  authorId: text(),
  text: text().notNull(),
  writtenAt: instant().notNull(),
})

export const passkeys = snakeCase.table('passkeys', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  credentialId: bytes().notNull(),
  publicKey: bytes().notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  /** Comma-separated. */
  transports: text().notNull().default(''),
  label: text().notNull(),
  isSynced: boolean().notNull(),
  createdAt: instant().notNull(),
  lastUsedAt: instant(),
})
export type PasskeyRow = typeof passkeys.$inferSelect

export const authenticatorApps = snakeCase.table('authenticator_apps', {
  userId: text().primaryKey(),
  sealedSecret: bytes().notNull(),
  /** The time step of the last accepted code. */
  lastStep: bigint({ mode: 'number' }).notNull(),
  createdAt: instant().notNull(),
  lastUsedAt: instant(),
})

export const recoveryCodes = snakeCase.table('recovery_codes', {
  codeHash: bytes().primaryKey(),
  userId: text().notNull(),
  createdAt: instant().notNull(),
})

export const passkeyChallenges = snakeCase.table('passkey_challenges', {
  challengeHash: bytes().primaryKey(),
  purpose: text({ enum: CHALLENGE_PURPOSES }).notNull(),
  /** Null when signing in. */
  userId: text(),
  expiresAt: instant().notNull(),
})

/** Sign-ins that await the second step. */
export const pendingSignIns = snakeCase.table('pending_sign_ins', {
  tokenHash: bytes().primaryKey(),
  userId: text().notNull(),
  /** A hash of the password hash: a changed password ends the sign-in. */
  passwordTag: bytes().notNull(),
  expiresAt: instant().notNull(),
})
