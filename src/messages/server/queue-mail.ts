import type { Tx } from '../../platform/database/database.ts'
import type { MailJob, MailName, Mails } from '../mail.ts'

/**
 * Queues a mail in the transaction of its cause: it is sent exactly when that commits, at least once,
 * however long the mail server is away.
 */
export async function queueMail<M extends MailName>(tx: Tx, mail: M, data: Mails[M]): Promise<void> {
  await queueMails(tx, mail, [data])
}

/** The same for many: one statement, however many they are. */
export async function queueMails<M extends MailName>(tx: Tx, mail: M, all: readonly Mails[M][]): Promise<void> {
  // A name and its own data: of a pair that is still general the compiler cannot know it.
  await tx.enqueue('mail', ...all.map((data) => ({ mail, data }) as MailJob))
}
