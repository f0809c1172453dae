import { ownerOf } from '#facts/rules.ts'
import { currentFacts } from '#facts/server/facts.ts'
import type { Mails, Recipient } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { clientNetwork } from '#platform/http/time-limit.ts'
import { isStaff } from '../../rules.ts'
import { formerAddresses } from '../addresses/reserved-addresses.ts'

export type Alarm = Mails['security-alarm']['kind']
type Device = { browser: string | null; system: string | null }

type AlarmSubject = {
  id: string
  email: string
  firstName: string
  lastName: string
  isAdmin: boolean
  isTeacher: boolean
}

/** The account's address and its restorable former addresses, in case a thief has changed the address. */
export async function alarmRecipients(
  tx: Tx,
  user: { id: string; email: string; firstName: string },
  now: Temporal.Instant,
): Promise<{ to: Recipient; isFormerAddress?: true }[]> {
  const former = await formerAddresses(tx, user, now)
  const { firstName } = user
  return [
    { to: { email: user.email, firstName } },
    ...former.map((email) => ({ to: { email, firstName }, isFormerAddress: true as const })),
  ]
}

/** Emails an account's owner, and the studio's owner for an admin's, about a security event. Live mode only. */
export async function raiseAlarm(
  tx: Tx,
  kind: Alarm,
  user: AlarmSubject,
  { mode, now, device }: { mode: 'demo' | 'live'; now: Temporal.Instant; device?: Device },
): Promise<void> {
  if (mode === 'demo') return
  const { browser = null, system = null } = device ?? {}
  const event = { kind, at: now.toString(), network: clientNetwork(), browser, system }
  const recipients = await alarmRecipients(tx, user, now)
  for (const each of recipients) await queueMail(tx, 'security-alarm', { ...event, ...each, about: null })
  const concernsStudio = isStaff(user) || kind === 'no_longer_admin' || kind === 'no_longer_teacher'
  const owner = await studioOwner(tx)
  if (!concernsStudio || recipients.some(({ to }) => to.email.toLowerCase() === owner.email.toLowerCase())) return
  const about = { name: `${user.firstName} ${user.lastName}`.trim() || user.email }
  await queueMail(tx, 'security-alarm', { ...event, to: owner, about })
}

/** Emails the studio's owner that sign-ins fail across the site. */
export async function warnOwnerOfFailures(tx: Tx, now: Temporal.Instant): Promise<void> {
  await queueMail(tx, 'many-failures', { to: await studioOwner(tx), at: now.toString() })
}

const studioOwner = async (tx: Tx) => ownerOf(await currentFacts(tx))
