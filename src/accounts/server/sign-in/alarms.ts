import { factsNow } from '#facts/server/facts.ts'
import type { Mails, Recipient } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { askingNetwork } from '#platform/http/answer.ts'
import { studio } from '#studio.ts'
import { formerAddresses } from '../addresses/reserved-addresses.ts'
import { recipient } from '../members/register-member.ts'

export type Alarm = Mails['security-alarm']['kind']
type Device = { browser: string | null; system: string | null }

/** Whose account it is about. */
type AlarmSubject = { id: string; email: string; firstName: string; lastName: string; isAdmin: boolean }

/**
 * Who an alarm about an account is sent to: its address and, as long as they can be restored, addresses it had before, so that
 * someone who took the account over with another address is not the only one to read it.
 */
export async function alarmRecipients(
  tx: Tx,
  user: { id: string; email: string; firstName: string },
  now: Temporal.Instant,
): Promise<{ to: Recipient; isFormerAddress?: true }[]> {
  const former = await formerAddresses(tx, user, now)
  const { firstName } = user
  return [
    { to: recipient(user) },
    ...former.map((email) => ({ to: { email, firstName }, isFormerAddress: true as const })),
  ]
}

/**
 * Mails whoever an account belongs to, and the studio's owner where it is, or has just been, an admin's, that something
 * happened to the ways into it. Live mode only. To be called in the transaction of what it tells.
 */
export async function raiseAlarm(
  tx: Tx,
  kind: Alarm,
  user: AlarmSubject,
  { mode, now, device }: { mode: 'demo' | 'live'; now: Temporal.Instant; device?: Device },
): Promise<void> {
  if (mode === 'demo') return
  const { browser = null, system = null } = device ?? {}
  const what = { kind, at: now.toString(), network: askingNetwork(), browser, system }
  const recipients = await alarmRecipients(tx, user, now)
  for (const one of recipients) await queueMail(tx, 'security-alarm', { ...what, ...one, about: null })
  const concernsStudio = user.isAdmin || kind === 'no_longer_admin'
  const owner = await ownerOf(tx)
  if (!concernsStudio || recipients.some(({ to }) => to.email.toLowerCase() === owner.email.toLowerCase())) return
  const about = { name: `${user.firstName} ${user.lastName}`.trim() }
  await queueMail(tx, 'security-alarm', { ...what, to: owner, about })
}

/** Mails the studio's owner that sign-ins fail all over the site. */
export async function warnOwnerOfFailures(tx: Tx, now: Temporal.Instant): Promise<void> {
  await queueMail(tx, 'many-failures', { to: await ownerOf(tx), at: now.toString() })
}

const ownerOf = async (tx: Tx) => ({ email: (await factsNow(tx)).ownerEmail, firstName: studio.instructor.name })
