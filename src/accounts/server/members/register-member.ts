import { and, eq, isNull } from 'drizzle-orm'
import { queueMail } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { users } from '../../tables.ts'
import { addUser, type UserWithEmail, withEmail } from '../users.ts'

export type Registration = {
  email: string
  username?: string | null
  firstName: string
  lastName: string
  phone?: string | null
  passwordHash: string
}

/**
 * Adds a member, whose address is not verified yet. With verification required they are mailed a link and cannot log in
 * before following it; otherwise the welcome email is sent immediately. Refuses a taken email or username.
 */
export async function registerMember(
  tx: Tx,
  form: Registration,
  options: { verification: 'off' | 'required'; now: Temporal.Instant },
): Promise<UserWithEmail> {
  const { now } = options
  const user = withEmail(await addUser(tx, { ...form, username: form.username || form.email }, now))
  if (options.verification === 'required') {
    await tx.enqueue('mail-link', { userId: user.id, purpose: 'verify_email' })
  } else {
    await welcomeOnce(tx, user.id, now)
  }
  return user
}

/** Mails the welcome unless it has been sent. */
export async function welcomeOnce(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  const [user] = await tx
    .update(users)
    .set({ welcomedAt: now })
    .where(and(eq(users.id, userId), isNull(users.welcomedAt)))
    .returning()
  if (user) await queueMail(tx, 'welcome', { to: recipient(user) })
}

/** Who gets an email about a member: their address, or the owner, who calls a member without one. */
export function recipient<Name extends string>({
  id,
  email,
  firstName,
}: {
  id: string
  email: string | null
  firstName: Name
}) {
  return email === null ? { email, firstName, userId: id } : { email, firstName }
}
