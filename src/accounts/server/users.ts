import { randomUUID } from 'node:crypto'
import { and, eq, exists, inArray, ne, or, sql } from 'drizzle-orm'
import { toPersonName } from '#foundation/person-names.ts'
import { refuse } from '#foundation/refusal.ts'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Reader, type Tx, violates } from '#platform/database/database.ts'
import { containsWords } from '#platform/database/search.ts'
import { type Account, accountRefusals, type User } from '../contract.ts'
import { roleOf } from '../rules.ts'
import { emailChanges, type UserRow, users } from '../tables.ts'
import { reservedAddresses } from './addresses/reserved-addresses.ts'

export function toUser(row: UserWithEmail): Account
export function toUser(row: UserRow): User
export function toUser(row: UserRow): User {
  const { id, username, email, firstName, lastName, phone, isAdmin, createdAt } = row
  const role = roleOf(row)
  return { id, username, email, firstName, lastName, phone, role, isAdmin, createdAt: createdAt.toString() }
}

/** @throws if the account has no email address, which only accounts that cannot sign in lack */
export function withEmail(user: UserRow): UserWithEmail {
  if (!hasEmail(user)) throw new Error(`user ${user.id} has no email address`)
  return user
}

/** An account with an email address. Every account that can sign in has one. */
export type UserWithEmail = UserRow & { email: string; username: string }
export const hasEmail = (user: UserRow): user is UserWithEmail => user.email !== null && user.username !== null

export async function findUser(reader: Reader, id: string): Promise<UserRow | undefined> {
  const [row] = await reader.select().from(users).where(eq(users.id, id))
  return row
}

/** Finds a user by username or email, ignoring case; emails take precedence. */
export async function findByLogin(reader: Reader, name: string): Promise<UserWithEmail | undefined> {
  const isEmail = eq(sql`lower(${users.email})`, sql`lower(${name})`)
  const isUsername = eq(sql`lower(${users.username})`, sql`lower(${name})`)
  const [row] = await reader.select().from(users).where(or(isEmail, isUsername)).orderBy(sql`${isEmail} desc`).limit(1)
  return row && hasEmail(row) ? row : undefined
}

/** Ignores case. */
export async function findByEmail(reader: Reader, email: string): Promise<UserWithEmail | undefined> {
  const [row] = await reader
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, sql`lower(${email})`))
  return row && hasEmail(row) ? row : undefined
}

/** The member with this address, or who has changed it and can still restore it. */
export async function findByAnyAddress(reader: Reader, email: string): Promise<UserRow | undefined> {
  const changed = reader
    .select({ id: emailChanges.userId })
    .from(emailChanges)
    .where(eq(sql`lower(${emailChanges.oldEmail})`, sql`lower(${email})`))
  const [former] = await reader.select().from(users).where(inArray(users.id, changed))
  return (await findByEmail(reader, email)) ?? former
}

/** Whether the password that was checked has not changed since; locks it until the transaction ends. */
export async function isPasswordUnchanged(tx: Tx, user: UserRow): Promise<boolean> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash ?? '')))
    .for('share')
  return row !== undefined
}

type NewUser = {
  /** Null, like the username, for a member who has only a phone number. */
  email: string | null
  username: string | null
  firstName: string
  lastName: string
  phone?: string | null
  passwordHash: string | null
  isAdmin?: boolean
}

/** Adds a user with an unverified address. Refuses a taken email or username. */
export async function addUser(tx: Tx, user: NewUser, now: Temporal.Instant): Promise<UserRow> {
  await refuseTakenNames(tx, user, { now })
  const stored = { firstName: toPersonName(user.firstName), phone: user.phone || null }
  const values = { id: randomUUID(), createdAt: now, updatedAt: now, ...user, ...stored }
  return await mapTakenNames(() => tx.insert(users).values(values).returning().then(onlyRow))
}

/** Refuses an email or username that another user can log in with, or that is reserved for its former owner. */
export async function refuseTakenNames(
  tx: Tx,
  names: { email?: string | null; username?: string | null },
  { now, exceptId = '' }: { now: Temporal.Instant; exceptId?: string },
): Promise<void> {
  // One query for both, so that concurrent sign-ups are refused for the email and not for the username made from it.
  const isAnyNameOf = (name: string | null | undefined) =>
    name == null ? sql`false` : sql`lower(${name}) in (lower(${users.email}), lower(${users.username}))`
  const [taken] = await tx
    .select({
      email: sql<boolean>`coalesce(bool_or(${isAnyNameOf(names.email)}), false)`,
      username: sql<boolean>`coalesce(bool_or(${isAnyNameOf(names.username)}), false)`,
    })
    .from(users)
    .where(and(ne(users.id, exceptId), or(hasLogin(names.email), hasLogin(names.username))))
  // Afterwards, to find an address that was given up in between.
  const reserved = await reservedAddresses(tx, names, { now, exceptId })
  if (taken?.email || reserved.has(names.email?.toLowerCase() ?? '')) refuse(accountRefusals.email_taken)
  if (taken?.username || reserved.has(names.username?.toLowerCase() ?? '')) refuse(accountRefusals.username_taken)
}

/** Written so that the two unique indexes are used. */
function hasLogin(name: string | null | undefined) {
  const wanted = sql`lower(${name ?? null})`
  return or(eq(sql`lower(${users.email})`, wanted), eq(sql`lower(${users.username})`, wanted))
}

/** Turns unique violations of concurrent writes into refusals. */
export async function mapTakenNames<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (violates(error, 'one_account_per_email')) refuse(accountRefusals.email_taken)
    if (violates(error, 'one_account_per_username')) refuse(accountRefusals.username_taken)
    if (violates(error, 'an_address_is_kept_free')) refuse(accountRefusals.email_taken)
    throw error
  }
}

/** Marks the address as verified, after the user has followed an emailed link or one from `npm run admin`. */
export async function verifyAddress(tx: Tx, id: string, now: Temporal.Instant): Promise<UserRow | undefined> {
  const [row] = await tx
    .update(users)
    .set({ emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now.toString()}::timestamptz)` })
    .where(eq(users.id, id))
    .returning()
  return row
}

/** Erases an account with its sessions, links and health data. Only for the erasing of a member (`privacy`). */
export async function eraseUser(tx: Tx, id: string): Promise<void> {
  await tx.delete(users).where(eq(users.id, id))
}

/** Locks a user, and for an admin all admins, by ascending id, so that concurrent removals cannot deadlock. */
export async function userForUpdate(tx: Tx, id: string): Promise<UserRow | undefined> {
  const asAdmin = tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.isAdmin, true)))
  const locked = await tx
    .select()
    .from(users)
    .where(or(eq(users.id, id), and(eq(users.isAdmin, true), exists(asAdmin))))
    .orderBy(users.id)
    .for('update')
  return locked.find((user) => user.id === id)
}

/** Refuses to remove the last admin; locks the admins against concurrent removals. */
export async function refuseLosingLastAdmin(tx: Tx, leaving: UserRow): Promise<void> {
  if (!leaving.isAdmin) return
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.isAdmin, true))
    .orderBy(users.id)
    .for('update')
  if (admins.every(({ id }) => id === leaving.id)) refuse(accountRefusals.last_admin)
}

/** Whether each word of a search is in a member's name, email address or username. */
export const memberMatches = (search: string) => containsWords(users.searchable, search)

export function blockOf({ blockedAt, blockedReason }: UserRow): { since: Temporal.Instant; reason: string } | null {
  return blockedAt && blockedReason !== null ? { since: blockedAt, reason: blockedReason } : null
}

export type BlockStatus = { blockedAt?: Temporal.Instant | null }

/** Refuses a blocked member. */
export function refuseBlocked({ blockedAt }: BlockStatus): void {
  if (blockedAt) refuse(accountRefusals.account_blocked)
}

/**
 * Blocks a member, changes the reason, or unblocks them (`reason` null).
 *
 * @returns the member before the change
 */
export async function setBlock(tx: Tx, id: string, reason: string | null, now: Temporal.Instant): Promise<UserRow> {
  const user = (await userForUpdate(tx, id)) ?? refuse(accountRefusals.user_not_found)
  if (user.isAdmin && reason !== null) refuse(accountRefusals.cannot_block_admin)
  if (user.isTeacher && reason !== null) refuse(accountRefusals.cannot_block_teacher)
  if (user.blockedReason === reason) return user
  if (reason !== null) await tx.enqueue('update-journal', {})
  const blockedAt = reason === null ? null : (user.blockedAt ?? now)
  await tx
    .update(users)
    .set({
      blockedAt,
      blockedReason: reason,
      ableSince: reason === null ? now : user.ableSince,
      updatedAt: changedAt(users.updatedAt, now),
    })
    .where(eq(users.id, id))
  return user
}

/** Records that nothing about the member is in the way of a booking any more: until the next night none is unasked. */
export async function markAble(tx: Tx, id: string, now: Temporal.Instant): Promise<void> {
  await tx.update(users).set({ ableSince: now }).where(eq(users.id, id))
}
