import { eq, lte } from 'drizzle-orm'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { queueMail, redirectUndelivered, type TokenOf } from '#messages/server/messages.ts'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { accountRefusals } from '../../contract.ts'
import { profileRefusals } from '../../contract-profile.ts'
import { type EmailChangeRequestRow, emailChangeRequests, type UserRow, users } from '../../tables.ts'
import { hashOfToken, newToken, revokeLinks } from '../one-time-links.ts'
import { mapTakenNames, refuseTakenNames, type UserWithEmail, userForUpdate, withEmail } from '../users.ts'
import { handleEmailChange, isSame, usernameAfter, wasAddressKnown } from './change-email.ts'

type Context = { tokenOf: TokenOf; now: Temporal.Instant }

const expiryAfter = (now: Temporal.Instant) => now.add({ hours: studio.policies.emailChangeHours })
const hasExpired = ({ expiresAt }: EmailChangeRequestRow, now: Temporal.Instant) =>
  Temporal.Instant.compare(expiresAt, now) <= 0

/** A member asks for another address, which is emailed a link. Replaces an earlier request. Refuses a taken address. */
export async function requestEmailChange(tx: Tx, userId: string, email: string, { tokenOf, now }: Context) {
  const user = (await userForUpdate(tx, userId)) ?? refuse(commonRefusals.unauthorized)
  if (isSame(email, user.email)) refuse(profileRefusals.email_unchanged)
  await refuseTakenNames(tx, { email }, { now, exceptId: userId })
  const linkId = newToken()
  const request = {
    newEmail: email,
    linkId,
    tokenHash: hashOfToken(tokenOf(linkId)),
    requestedAt: now,
    expiresAt: expiryAfter(now),
  }
  const row = await tx
    .insert(emailChangeRequests)
    .values({ userId, ...request })
    .onConflictDoUpdate({ target: emailChangeRequests.userId, set: request })
    .returning()
    .then(onlyRow)
  return await mailRequest(tx, user, row)
}

/** Emails the link again; it then works for the full time. */
export async function resendEmailChange(tx: Tx, userId: string, now: Temporal.Instant) {
  const user = (await userForUpdate(tx, userId)) ?? refuse(commonRefusals.unauthorized)
  const pending = (await findRequest(tx, userId, now)) ?? refuse(profileRefusals.no_email_change)
  const row = await tx
    .update(emailChangeRequests)
    .set({ expiresAt: expiryAfter(now) })
    .where(eq(emailChangeRequests.userId, pending.userId))
    .returning()
    .then(onlyRow)
  return await mailRequest(tx, user, row)
}

async function mailRequest(tx: Tx, { firstName }: UserRow, row: EmailChangeRequestRow) {
  await queueMail(tx, 'confirm-new-email', { to: { email: row.newEmail, firstName }, linkId: row.linkId })
  return toPending(row)
}

/** The request that has not been confirmed yet. */
export async function pendingEmail(reader: Reader, userId: string, now: Temporal.Instant) {
  const row = await findRequest(reader, userId, now)
  return row ? toPending(row) : null
}

async function findRequest(reader: Reader, userId: string, now: Temporal.Instant) {
  const [row] = await reader.select().from(emailChangeRequests).where(eq(emailChangeRequests.userId, userId))
  return row && !hasExpired(row, now) ? row : undefined
}

const toPending = ({ newEmail: email, requestedAt, expiresAt }: EmailChangeRequestRow) => ({
  email,
  requestedAt,
  expiresAt,
})

/**
 * Changes the address with the link that was emailed to it, as if an admin had changed it; the link has verified it.
 *
 * @param context.caller the signed-in browser that followed the link, which stays signed in
 */
export async function confirmEmailChange(
  tx: Tx,
  token: string,
  context: Context & { mode: 'demo' | 'live'; caller: { id: string; sessionId: string } | undefined } & {
    verification: 'off' | 'required'
  },
): Promise<UserWithEmail> {
  const { now, caller, verification } = context
  const tokenHash = hashOfToken(token)
  const find = () => tx.select().from(emailChangeRequests).where(eq(emailChangeRequests.tokenHash, tokenHash))
  const [seen] = await find()
  const user = seen && (await userForUpdate(tx, seen.userId))
  // A concurrent second click waits for the lock and finds no request.
  const [request] = user ? await find() : []
  if (!user || !request || hasExpired(request, now)) refuse(profileRefusals.email_change_expired)
  const email = request.newEmail
  const username = usernameAfter(user, email)
  await refuseTakenNames(tx, { email }, { now, exceptId: user.id })
  // Ends this request too.
  await revokeLinks(tx, user.id)
  const edited = await mapTakenNames(() =>
    tx
      .update(users)
      .set({ email, username, emailVerifiedAt: now, updatedAt: changedAt(users.updatedAt, now) })
      .where(eq(users.id, user.id))
      .returning()
      .then(onlyRow)
      .then(withEmail),
  ).catch((error) => {
    if (error?.code === accountRefusals.username_taken.code) refuse(accountRefusals.email_taken)
    throw error
  })
  if (user.email !== null) await redirectUndelivered(tx, user.email, email)
  const by = { id: user.id, sessionId: caller?.id === user.id ? caller.sessionId : undefined }
  const wasVerified = wasAddressKnown(user, verification)
  // The new address has been verified, so it needs no other link.
  await handleEmailChange(tx, { before: user, after: edited, wasVerified, by }, { ...context, verification: 'off' })
  return edited
}

export async function deleteExpiredEmailChangeRequests(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(emailChangeRequests).where(lte(emailChangeRequests.expiresAt, now))
}
