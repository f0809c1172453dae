import { and, asc, eq, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { ownerOf } from '#facts/rules.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { withoutLinks } from '#foundation/person-names.ts'
import type { MailJob, Mails } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { studio } from '#studio.ts'
import { codeInGroups, stateOf } from '../rules.ts'
import { type VoucherRow, vouchers } from '../tables.ts'
import { codeOf } from './codes.ts'

const isOpen = and(isNotNull(vouchers.soldAt), isNull(vouchers.redeemedAt), isNull(vouchers.voidedAt))

/** Emails vouchers whose time has come to their recipients. @param onlyId just this one */
export async function sendDueVouchers(tx: Tx, now: Temporal.Instant, onlyId?: number): Promise<void> {
  const due = await tx
    .select()
    .from(vouchers)
    .where(
      and(
        lte(vouchers.sendAt, now),
        isNull(vouchers.sentAt),
        isNotNull(vouchers.recipientEmail),
        isNull(vouchers.frozenAt),
        isOpen,
        onlyId === undefined ? undefined : eq(vouchers.id, onlyId),
      ),
    )
    .orderBy(asc(vouchers.id))
    .for('update')
  for (const voucher of due) await sendToRecipient(tx, voucher, now)
}

/** Emails a (locked) voucher to its recipient. */
export async function sendToRecipient(tx: Tx, voucher: VoucherRow, now: Temporal.Instant): Promise<void> {
  const { id, recipientEmail, recipientName, buyerId } = voucher
  if (recipientEmail === null) return
  const buyer = buyerId === null ? undefined : await findUser(tx, buyerId)
  await queueMail(tx, 'voucher', {
    to: { email: recipientEmail, firstName: recipientName },
    from: buyer ? `${buyer.firstName} ${buyer.lastName}`.trim() : null,
    ...factsOf(voucher),
  })
  await tx.update(vouchers).set({ sentAt: now }).where(eq(vouchers.id, id))
}

/** Emails a voucher to its buyer to print; for a buyer without an address the owner prints it. */
export async function sendToBuyer(
  tx: Tx,
  voucher: VoucherRow,
  buyer: { id: string; email: string | null; firstName: string },
): Promise<void> {
  await queueMail(tx, 'voucher-to-print', {
    to: recipient(buyer),
    recipientName: voucher.recipientName,
    ...factsOf(voucher),
  })
}

const factsOf = ({ id, packageName, expiresAt }: VoucherRow) => ({
  voucherId: id,
  packageName,
  expiresAt: expiresAt.toString(),
})

/** Asks the buyers of vouchers that are valid how to send them, as they cannot be emailed to their recipients. */
export async function askBuyers(tx: Tx, which: SQL | undefined, because: Mails['voucher-not-sent']['because']) {
  for (const voucher of await tx.select().from(vouchers).where(and(isOpen, which)).orderBy(asc(vouchers.id))) {
    const buyer = voucher.buyerId === null ? undefined : await findUser(tx, voucher.buyerId)
    const to = buyer ? recipient(buyer) : ownerOf(await currentFacts(tx))
    await queueMail(tx, 'voucher-not-sent', { to, ...factsOf(voucher), because })
  }
}

/** The email of a voucher was given up: its buyer is asked how to send it. */
export async function askBuyerOfUndelivered(tx: Tx, job: MailJob): Promise<void> {
  if (job.mail === 'voucher') await askBuyers(tx, eq(vouchers.id, job.data.voucherId), 'refused')
}

/** Reminds buyers, or the owner once the buyer is erased, of vouchers that expire in 60 days or less; once each. */
export async function remindBuyers(tx: Tx, now: Temporal.Instant): Promise<void> {
  const until = now.add({ hours: studio.policies.voucher.remindDays * 24 })
  const due = await tx
    .select()
    .from(vouchers)
    .where(
      and(
        lte(vouchers.expiresAt, until),
        sql`${vouchers.expiresAt} > ${now.toString()}::timestamptz`,
        isNull(vouchers.remindedAt),
        isNull(vouchers.frozenAt),
        isOpen,
      ),
    )
    .orderBy(asc(vouchers.id))
    .for('update')
  for (const voucher of due) {
    const buyer = voucher.buyerId === null ? undefined : await findUser(tx, voucher.buyerId)
    await queueMail(tx, 'voucher-expires', {
      to: buyer ? recipient(buyer) : ownerOf(await currentFacts(tx)),
      recipientName: voucher.recipientName,
      lastFour: voucher.lastFour,
      ...factsOf(voucher),
    })
    await tx.update(vouchers).set({ remindedAt: now }).where(eq(vouchers.id, voucher.id))
  }
}

/** What is printed on a voucher's card. */
export type Card = {
  code: string
  packageName: string
  classCount: number
  recipientName: string
  from: string | null
  message: string | null
  expiresAt: string
}

/** The card of a voucher; undefined if its code cannot be read. */
export async function cardOf(reader: Reader, vault: Vault, voucher: VoucherRow): Promise<Card | undefined> {
  const code = codeOf(vault, voucher)
  if (code === undefined) return undefined
  const buyer = voucher.buyerId === null ? undefined : await findUser(reader, voucher.buyerId)
  const { packageName, classCount, recipientName, message, expiresAt } = voucher
  const from = buyer ? `${buyer.firstName} ${buyer.lastName}`.trim() : null
  return {
    code: codeInGroups(code),
    packageName,
    classCount,
    recipientName,
    from,
    message,
    expiresAt: expiresAt.toString(),
  }
}

/** The card that goes with an email; undefined for one without, null if the voucher can no longer be redeemed. */
export async function mailedCard(
  reader: Reader,
  vault: Vault,
  job: MailJob,
  now: Temporal.Instant,
): Promise<Card | null | undefined> {
  if (job.mail !== 'voucher' && job.mail !== 'voucher-to-print') return undefined
  const [voucher] = await reader.select().from(vouchers).where(eq(vouchers.id, job.data.voucherId))
  if (!voucher || stateOf(voucher, now) !== 'valid') return null
  // It has been corrected since: the new code is not for the former address.
  if (job.mail === 'voucher' && job.data.to.email !== voucher.recipientEmail) return null
  const card = await cardOf(reader, vault, voucher)
  if (!card) return null
  // The buyer typed the address.
  return { ...card, message: card.message && withoutLinks(card.message) }
}
