import { currentFacts } from '#facts/server/facts.ts'
import type { MailJob } from '#messages/mail.ts'
import { calledMembers, renderMail, withoutJobs } from '#messages/server/messages.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import type { ClassesChange } from '../contract-emails.ts'
import { deleteClass, editClass } from './change-class.ts'
import { closeDays } from './close-days.ts'
import { giveClassesInBulk, shiftClassesInBulk, takeOffClassesInBulk } from './several-classes.ts'
import { emailCancellation } from './studio-cancellations.ts'

class RolledBack extends Error {}

/**
 * Whom a change of classes would email, and one email of each kind. The change itself runs, in a transaction that is
 * rolled back; questions that its dialog asks count as confirmed.
 *
 * @param site makes a path absolute
 */
export async function previewEmails(
  database: Database,
  admin: { id: string },
  change: ClassesChange,
  { now, site }: { now: Temporal.Instant; site: (path: string) => string },
) {
  let mails: readonly MailJob[] = []
  let toCall = 0
  try {
    await database.transaction(async (opened) => {
      const tx = withoutJobs(opened)
      mails = tx.mails
      const before = new Set((await calledMembers(tx)).map(({ id }) => id))
      await make(tx, admin, change, now)
      const calls = (await calledMembers(tx)).filter(({ id }) => !before.has(id))
      toCall = new Set(calls.map(({ userId }) => userId)).size
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  const facts = await currentFacts(database.db)
  const emails = [...Map.groupBy(mails, ({ mail }) => mail).values()].flatMap(async (ofKind) => {
    const [sample] = ofKind
    if (!sample) return []
    // Its links are not real, as nobody else may use them.
    const { subject, text } = await renderMail(sample, site(''), { facts, tokenOf: () => 'preview' })
    const { to } = sample.data
    return [{ count: ofKind.length, to: 'firstName' in to ? to.firstName : '', subject, text }]
  })
  const people = new Set(mails.map(({ data }) => data.to.email)).size
  return { people, toCall, emails: (await Promise.all(emails)).flat() }
}

const CONFIRMED = { onClosedDay: true, ifNoOverlap: false }

async function make(tx: Tx, admin: { id: string }, change: ClassesChange, now: Temporal.Instant): Promise<void> {
  switch (change.change) {
    case 'edit':
      await editClass(tx, admin, change.classId, { ...change.edit, ...CONFIRMED, ifUpdatedAt: null }, now)
      return
    case 'delete':
      await emailCancellation(tx, (await deleteClass(tx, admin, change.classId, change, now)).id)
      return
    case 'takeOff':
      await takeOffClassesInBulk(tx, admin, change.classIds, now)
      return
    case 'shift':
      await shiftClassesInBulk(tx, admin, { ...change.shift, ...CONFIRMED }, now)
      return
    case 'give':
      await giveClassesInBulk(tx, admin, change.give, now)
      return
    case 'close':
      await emailCancellation(tx, (await closeDays(tx, admin, change.closure, now)).undo.id)
  }
}
