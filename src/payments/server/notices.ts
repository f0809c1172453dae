import { eq } from 'drizzle-orm'
import { fullName } from '#accounts/rules.ts'
import { recipient } from '#accounts/server/accounts.ts'
import { type UserRow, users } from '#accounts/tables.ts'
import { ownerOf } from '#facts/rules.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { type Pence, toDecimal } from '#foundation/money.ts'
import type { Mails } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { PassRow } from '#passes/tables.ts'
import type { Tx } from '#platform/database/database.ts'
import { isGift, packageNameOf } from '../order-rules.ts'
import type { PaymentIntentRow, PurchaseRow } from '../tables.ts'

const owner = async (tx: Tx) => ownerOf(await currentFacts(tx))
const named = (member: UserRow | undefined) =>
  member ? { name: fullName(member), email: member.email ?? member.phone ?? '' } : null

/** The payment, member and package name that an email about a payment is about. */
export type Party = Buyer & { intent: PaymentIntentRow }
type Buyer = { member: UserRow | undefined; packageName: string }

/** The member (unless erased) and what they paid for. */
export async function partyOf(tx: Tx, intent: PaymentIntentRow): Promise<Party> {
  return { ...(await buyerOf(tx, intent)), intent }
}

/** The member (unless erased) and what they bought. */
export async function buyerOf(tx: Tx, sold: Pick<PurchaseRow, 'userId' | 'lines'>): Promise<Buyer> {
  return { member: await memberOf(tx, sold), packageName: packageNameOf(sold) }
}

async function memberOf(tx: Tx, { userId }: { userId: string | null }): Promise<UserRow | undefined> {
  if (userId === null) return undefined
  const [member] = await tx.select().from(users).where(eq(users.id, userId))
  return member
}

type Notice = Mails['payment-notice']

/** Emails the owner about a payment. @param about.isMemberNotified true unless the member is erased */
export async function notifyOwner(
  tx: Tx,
  { member, packageName, intent }: Party,
  kind: Notice['kind'],
  about: {
    amountPence: Pence
    detail?: string | null
    respondBy?: Temporal.Instant | null
    bookings?: number
    isMemberNotified?: boolean
    /** Whether a pass came of it, also of a gift voucher. */
    hasPass?: boolean
  },
): Promise<void> {
  await queueMail(tx, 'payment-notice', {
    to: await owner(tx),
    kind,
    member: named(member),
    packageName,
    paid: toDecimal(intent.paidPence ?? intent.amountPence),
    amount: toDecimal(about.amountPence),
    detail: about.detail ?? null,
    respondBy: about.respondBy?.toString() ?? null,
    bookingsCancelled: about.bookings ?? 0,
    isMemberNotNotified: (about.isMemberNotified ?? member) ? undefined : true,
    isVoucher: isGift(intent) && !about.hasPass ? true : undefined,
  })
}

/** Emails the member about a refund, unless erased. */
export async function notifyOfRefund(
  tx: Tx,
  { member, packageName }: Buyer,
  paid: { pence: Pence; method: string | null; deskMethod?: Mails['purchase-refunded']['deskMethod'] },
  refund: { amountPence: Pence; feePence?: Pence; pass: Mails['purchase-refunded']['pass'] },
): Promise<void> {
  if (!member) return
  await queueMail(tx, 'purchase-refunded', {
    to: recipient(member),
    packageName,
    paid: toDecimal(paid.pence),
    amount: toDecimal(refund.amountPence),
    fee: refund.feePence ? toDecimal(refund.feePence) : null,
    method: paid.method,
    deskMethod: paid.deskMethod ?? null,
    pass: refund.pass,
  })
}

/** Emails the member that a sale was recorded by mistake. */
export async function notifyOfVoidedSale(tx: Tx, { member, packageName }: Buyer, sale: PurchaseRow): Promise<void> {
  if (!member) return
  await queueMail(tx, 'sale-voided', {
    to: recipient(member),
    packageName,
    amount: toDecimal(sale.amountPence),
    purchaseId: sale.id,
    receiptNumber: sale.receiptNumber,
  })
}

type PassMail = 'pass-on-hold' | 'pass-off-hold' | 'pass-ended'

/** Emails the member the outcome of their payment. @param gift for the buyer of a gift voucher */
export async function notifyMember(
  tx: Tx,
  { member, packageName, intent }: Party,
  mail: PassMail | 'payment-failed',
  gift: { isVoucher?: boolean; isGiven?: boolean } = {},
) {
  if (!member) return
  await queueMail(tx, mail, { to: recipient(member), packageName, amount: toDecimal(intent.amountPence), ...gift })
}

/** Emails the holder of a pass that its payment is disputed, or no longer. The holder of a gift is not its buyer. */
export async function notifyHolder(tx: Tx, party: Party, pass: PassRow, mail: PassMail): Promise<void> {
  if (pass.userId === party.intent.userId) await notifyMember(tx, party, mail)
  else await notifyRecipient(tx, pass, party.packageName, mail)
}

/** Emails the member who redeemed a gift voucher. @param packageName as it was sold */
export async function notifyRecipient(tx: Tx, pass: PassRow, packageName: string, mail: PassMail): Promise<void> {
  const member = await memberOf(tx, pass)
  if (member) await queueMail(tx, mail, { to: recipient(member), packageName, amount: '0.00', isGift: true })
}

/** Emails the member who redeemed a gift voucher that a partial refund of it has taken credits. */
export async function notifyOfCreditsTaken(tx: Tx, pass: PassRow, sold: PurchaseRow, credits: number): Promise<void> {
  if (pass.userId === sold.userId || credits === 0) return
  const member = await memberOf(tx, pass)
  if (!member) return
  await queueMail(tx, 'gift-credits-taken', { to: recipient(member), packageName: packageNameOf(sold), credits })
}

/** Emails member and owner that a refund failed. */
export async function notifyOfFailedRefund(tx: Tx, party: Party, refund: { amountPence: Pence; failure: string }) {
  const detail = refund.failure.replaceAll('_', ' ')
  await notifyOwner(tx, party, 'refund_failed', { amountPence: refund.amountPence, detail })
  const { member, packageName } = party
  if (!member) return
  const amount = toDecimal(refund.amountPence)
  await queueMail(tx, 'refund-failed', { to: recipient(member), packageName, amount })
}

/** Emails member and owner that a payment is returned because it could not become a pass. */
export async function notifyOfReturn(
  tx: Tx,
  returned: {
    member: UserRow | undefined
    packageName: string
    amountPence: Pence
    currency: string
    method: string | null
    because: Mails['payment-returned-notice']['because']
  },
): Promise<void> {
  const { member, packageName, amountPence, currency, method, because } = returned
  const facts = { packageName, amount: toDecimal(amountPence), currency }
  if (member && because !== 'member_gone') {
    await queueMail(tx, 'payment-returned', { to: recipient(member), ...facts, method, because })
  }
  await queueMail(tx, 'payment-returned-notice', { to: await owner(tx), member: named(member), ...facts, because })
}
