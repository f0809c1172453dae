import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { differences, recordAdminChange, recordAdminChanges } from '#audit/server/audit.ts'
import { pick } from '#foundation/collections.ts'
import { toPersonName } from '#foundation/person-names.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMails, type TokenOf } from '#messages/server/messages.ts'
import { type Reader, RetryTransaction, type Tx, violates } from '#platform/database/database.ts'
import { accountRefusals } from '../../contract.ts'
import { mayBeInvited } from '../../rules.ts'
import { CONTACT, type UserRow, users } from '../../tables.ts'
import { deleteExpiredEmailChanges, reservedAmong } from '../addresses/reserved-addresses.ts'
import { mailLink } from '../mail-link.ts'
import { issueLinks, newToken } from '../one-time-links.ts'
import { addUser, findByEmail, hasEmail, userForUpdate } from '../users.ts'
import { EDITABLE_FIELDS } from './edit-user.ts'
import { recipient } from './register-member.ts'

/** Without an email address there is a phone number. */
type AddedMember = { firstName: string; lastName: string; email?: string | null; phone?: string | null }

/** Adds a member without a password, who gets an invitation if they have an address. Refuses a taken address. */
export async function addMember(
  tx: Tx,
  admin: { id: string },
  member: AddedMember,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<UserRow> {
  const email = member.email || null
  const user = await addUser(tx, { ...member, email, username: email, passwordHash: null }, now)
  const subject = { kind: 'user' as const, id: user.id }
  await recordAdminChange(
    tx,
    admin,
    { action: 'created', subject, changes: differences(EDITABLE_FIELDS, {}, user) },
    now,
  )
  await mailLink(tx, user.id, 'invitation', tokenOf, now)
  return user
}

/** Mails an invitation, for the first time or again. The newest three links work. */
export async function sendInvitation(
  tx: Tx,
  admin: { id: string },
  id: string,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<void> {
  const user = (await userForUpdate(tx, id)) ?? refuse(accountRefusals.user_not_found)
  if (user.email === null) refuse(accountRefusals.email_needed)
  if (!(await mailLink(tx, id, 'invitation', tokenOf, now))) refuse(accountRefusals.password_already_set)
  await recordAdminChange(tx, admin, { action: 'invited', subject: { kind: 'user', id } }, now)
}

/** Invites the owner of the address if the studio added them and they have no password yet. Returns whether it did. */
export async function inviteAddedMember(tx: Tx, email: string): Promise<boolean> {
  const user = await findByEmail(tx, email)
  if (!user || !mayBeInvited({ ...user, canLogIn: user.passwordHash !== null })) return false
  await tx.enqueue('mail-link', { userId: user.id, purpose: 'invitation' })
  return true
}

const TAKEN_CONSTRAINTS = ['one_account_per_email', 'one_account_per_username', 'an_address_is_kept_free']

/** PostgreSQL accepts at most 65,535 values per statement. */
const BATCH_SIZE = 1000
/** Per click. */
const MAX_INVITATIONS = 5000

function* batches<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += BATCH_SIZE) yield rows.slice(from, from + BATCH_SIZE)
}

export type KnownMember = Pick<UserRow, (typeof CONTACT)[number] | 'phone'> & { isBlocked: boolean }
const knownMember = {
  ...pick(users, CONTACT),
  phone: users.phone,
  isBlocked: sql<boolean>`${users.blockedAt} is not null`,
}

/** Which addresses belong to members, are other users' usernames, or are reserved; the latter two in lower case. */
export async function findByEmails(reader: Reader, emails: readonly string[], now: Temporal.Instant) {
  const kept: string[] = []
  const found: KnownMember[] = []
  const taken: string[] = []
  for (const some of batches(emails)) {
    const isEmail = inArray(sql`lower(${users.email})`, [...some])
    found.push(...(await reader.select(knownMember).from(users).where(isEmail)))
    kept.push(...(await reservedAmong(reader, some, now)))
    const isOtherUsername = and(
      inArray(sql`lower(${users.username})`, [...some]),
      sql`lower(${users.username}) <> lower(${users.email})`,
    )
    const names = await reader.select({ name: users.username }).from(users).where(isOtherUsername)
    taken.push(...names.flatMap(({ name }) => name?.toLowerCase() ?? []))
  }
  return { found, taken, kept }
}

/** The digits by which numbers with and without the country's code are compared. */
const COMPARED_DIGITS = 9

/** Members whose number ends like one of these. */
export async function findByPhones(reader: Reader, phones: readonly string[]): Promise<KnownMember[]> {
  const found: KnownMember[] = []
  const endings = phones.map((phone) => phone.replace(/\D/g, '').slice(-COMPARED_DIGITS))
  for (const some of batches(endings)) {
    const ending = sql`right(regexp_replace(${users.phone}, '\\D', '', 'g'), ${sql.raw(String(COMPARED_DIGITS))})`
    found.push(
      ...(await reader
        .select(knownMember)
        .from(users)
        .where(inArray(ending, [...some]))),
    )
  }
  return found
}

/**
 * Adds members without passwords and without invitations; the caller has checked that their addresses are free.
 *
 * @returns them in the same order
 * @throws RetryTransaction if an address has been taken in the meantime
 */
export async function addMembers(
  tx: Tx,
  members: readonly AddedMember[],
  now: Temporal.Instant,
): Promise<KnownMember[]> {
  await deleteExpiredEmailChanges(tx, now)
  const added = members.map(({ firstName, lastName, email, phone }) => ({
    id: randomUUID(),
    firstName: toPersonName(firstName),
    lastName,
    email: email || null,
    phone: phone || null,
    isBlocked: false,
  }))
  // In a fixed order, so that concurrent imports do not deadlock.
  const orderOf = ({ email, id }: KnownMember) => email?.toLowerCase() ?? id
  const inOrder = added.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  try {
    for (const some of batches(inOrder)) {
      await tx.insert(users).values(
        some.map(({ isBlocked: _, ...member }) => ({
          ...member,
          username: member.email,
          createdAt: now,
          updatedAt: now,
        })),
      )
    }
  } catch (error) {
    if (TAKEN_CONSTRAINTS.some((constraint) => violates(error, constraint))) {
      throw new RetryTransaction('an address of the file has been taken in the meantime')
    }
    throw error
  }
  return added
}

const isUnclaimed = and(isNull(users.passwordHash), isNull(users.invitedAt), eq(users.isAdmin, false))
const isUninvited = and(isUnclaimed, isNotNull(users.email))

/** Locks and returns those of these members who have no password and were never invited. */
export async function lockUninvited(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const some of batches(ids.toSorted())) {
    const isListed = and(isUnclaimed, inArray(users.id, [...some]))
    const locked = await tx.select({ id: users.id }).from(users).where(isListed).orderBy(users.id).for('update')
    found.push(...locked.map(({ id }) => id))
  }
  return found
}

/**
 * Locks members so that none is erased before the transaction ends.
 *
 * @throws RetryTransaction if one has already been erased
 */
export async function lockMembers(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of batches(ids.toSorted())) {
    const isListed = inArray(users.id, [...some])
    const held = await tx.select({ id: users.id }).from(users).where(isListed).orderBy(users.id).for('key share')
    if (held.length < some.length) throw new RetryTransaction('a member has been erased in the meantime')
  }
}

export async function countUninvited(reader: Reader): Promise<number> {
  return await reader.$count(users, isUninvited)
}

/** Invites members who have never been invited, at most 5,000 at once. Returns how many. */
export async function inviteAll(
  tx: Tx,
  admin: { id: string },
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<number> {
  // A concurrent second admin waits here and finds them invited.
  const waiting = await tx
    .select()
    .from(users)
    .where(isUninvited)
    .orderBy(users.id)
    .limit(MAX_INVITATIONS)
    .for('update')
  await inviteMembers(tx, admin, waiting.filter(hasEmail), { tokenOf, now })
  return waiting.length
}

/** Mails the first invitation to members whom the caller has locked or just added, and records it. */
export async function inviteMembers(
  tx: Tx,
  admin: { id: string },
  members: readonly { id: string; email: string; firstName: string }[],
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<void> {
  for (const some of batches(members)) {
    const links = some.map((user) => ({ user, linkId: newToken() }))
    const tokens = links.map(({ user, linkId }) => ({ userId: user.id, token: tokenOf(linkId) }))
    await issueLinks(tx, tokens, 'invitation', now)
    const ids = some.map(({ id }) => id)
    await tx.update(users).set({ invitedAt: now }).where(inArray(users.id, ids))
    await queueMails(
      tx,
      'invitation',
      links.map(({ user, linkId }) => ({ to: recipient(user), linkId })),
    )
    const changes = ids.map((id) => ({ action: 'invited' as const, subject: { kind: 'user' as const, id } }))
    await recordAdminChanges(tx, admin, changes, now)
  }
}
