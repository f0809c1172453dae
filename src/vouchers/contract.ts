import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  AmountText,
  DateText,
  emailAddress,
  InstantText,
  optionalText,
  Paging,
  PathId,
  requiredText,
} from '#foundation/fields.ts'
import { personName } from '#foundation/person-names.ts'
import { refusals } from '#foundation/refusal.ts'
import { Pass } from '#passes/contract.ts'
import { CODE_LENGTH, VOUCHER_STATES } from './rules.ts'

export const voucherRefusals = refusals({
  voucher_not_found: [404, 'We do not know this code. Please check it against your voucher.'],
  voucher_redeemed: [400, 'This voucher has been redeemed already.'],
  voucher_expired: [400, 'This voucher has expired. Please contact the studio.'],
  voucher_void: [400, 'This voucher is no longer valid. Please contact the studio.'],
  voucher_on_hold: [400, 'This voucher is on hold because its payment is disputed. Please contact the studio.'],
  voucher_once_only: [400, 'This package can be bought once per member, so it cannot be given as a voucher.'],
  voucher_day_impossible: [400, 'Please choose a day from today, at most a year ahead.'],
  voucher_has_no_address: [400, 'Please enter the email address to send the voucher to.'],
  voucher_expiry_not_later: [400, 'Please choose a day after the current expiry, today or later.'],
})

/** The most that fits on the card. */
const MAX_MESSAGE = 2000

const WRONG_EMAIL = 'Please enter a valid email address'
/** Who gets a voucher. Without an address the buyer prints it; without a day it is emailed at once. */
export const Gift = z.object({
  recipientName: personName('Please enter who the voucher is for', 100),
  recipientEmail: emailAddress(WRONG_EMAIL).nullish(),
  message: optionalText(MAX_MESSAGE),
  sendOn: DateText('Please choose a day').nullish(),
})
export type Gift = z.output<typeof Gift>

/** The same, in a form: texts that may be empty. */
export const GiftFields = z.object({
  recipientName: Gift.shape.recipientName,
  recipientEmail: emailAddress(WRONG_EMAIL).or(z.literal('')),
  message: z.string().max(MAX_MESSAGE, `Please use at most ${MAX_MESSAGE} characters`),
  sendOn: z.string(),
})
/** What is sent of the form. */
export const giftOf = ({ recipientName, recipientEmail, message, sendOn }: z.output<typeof GiftFields>): Gift => ({
  recipientName,
  recipientEmail: recipientEmail || null,
  message: message.trim() || null,
  sendOn: recipientEmail ? sendOn || null : null,
})

/** A voucher without its code. */
export const Voucher = z
  .object({
    id: z.int(),
    package: z.object({ id: z.int(), name: z.string() }),
    classCount: z.int(),
    state: z.enum(VOUCHER_STATES),
    lastFour: z.string(),
    /** Empty 30 days after it was redeemed or has expired. */
    recipientName: z.string(),
    recipientEmail: z.string().nullable(),
    sendAt: InstantText.nullable(),
    sentAt: InstantText.nullable(),
    /** Null while its payment is open. */
    soldAt: InstantText.nullable(),
    expiresAt: InstantText,
    redeemedAt: InstantText.nullable(),
  })
  .meta({ id: 'Voucher' })
export type Voucher = z.output<typeof Voucher>

const Person = z.object({ id: z.string(), firstName: z.string(), lastName: z.string() }).nullable()
/** Null: a deleted member, or nobody yet. */
export const AdminVoucher = Voucher.extend({ buyer: Person, redeemedBy: Person, amount: AmountText }).meta({
  id: 'AdminVoucher',
})
export type AdminVoucher = z.output<typeof AdminVoucher>

const NO_CODE = `Please enter the ${CODE_LENGTH} letters and digits on your voucher`
export const RedeemForm = z.object({ code: requiredText(NO_CODE, 40, NO_CODE) })
export type RedeemForm = z.output<typeof RedeemForm>

export const redeemVoucher = endpoint('POST /api/vouchers/redeem', {
  who: 'member',
  summary: 'Redeem a gift voucher: 201 with the pass, 200 with the same pass if the member has redeemed it before',
  body: RedeemForm,
  response: Pass,
  status: 201,
  repeats: true,
  refusals: [
    accountRefusals.account_blocked,
    voucherRefusals.voucher_not_found,
    voucherRefusals.voucher_redeemed,
    voucherRefusals.voucher_expired,
    voucherRefusals.voucher_void,
    voucherRefusals.voucher_on_hold,
  ],
})

export const SendForm = z.object({ recipientEmail: emailAddress(WRONG_EMAIL) })
export type SendForm = z.output<typeof SendForm>
const MANAGE = [
  voucherRefusals.voucher_not_found,
  voucherRefusals.voucher_redeemed,
  voucherRefusals.voucher_void,
] as const

export const sendOwnVoucher = endpoint('POST /api/user/vouchers/:id/send', {
  who: 'member',
  summary: 'Email a voucher that the member bought now, again or to another address',
  params: PathId,
  body: SendForm,
  response: Voucher,
  refusals: [...MANAGE, voucherRefusals.voucher_expired, voucherRefusals.voucher_on_hold],
})

export const ownVoucherCard = endpoint('GET /api/user/vouchers/:id/card.pdf', {
  who: 'member',
  summary: 'The card of a voucher that the member bought, with its code',
  params: PathId,
  response: z.string(),
  file: 'application/pdf',
  refusals: [...MANAGE],
})

export const listVouchers = endpoint('GET /api/admin/vouchers', {
  summary:
    'Gift vouchers, newest first; `search` matches the buyer, the recipient and the last four letters of the code',
  query: Paging.extend({ state: z.enum(VOUCHER_STATES).optional() }),
  response: z.array(AdminVoucher),
})

export const getOutstandingVouchers = endpoint('GET /api/admin/vouchers/outstanding', {
  summary: 'How many vouchers are paid for and not redeemed, expired or void, and what was paid for them',
  response: z.object({ count: z.int(), amount: AmountText }),
})

export const sendVoucher = endpoint('POST /api/admin/vouchers/:id/send', {
  summary: 'Email a voucher now, again or to another address',
  params: PathId,
  body: SendForm,
  response: AdminVoucher,
  refusals: [...MANAGE, voucherRefusals.voucher_expired, voucherRefusals.voucher_on_hold],
})

export const ExtendForm = z.object({ validUntil: DateText('Please choose the new last day') })
export type ExtendForm = z.output<typeof ExtendForm>

export const extendVoucher = endpoint('PUT /api/admin/vouchers/:id', {
  summary: 'Extend a voucher, also an expired one, to the end of a London day',
  params: PathId,
  body: ExtendForm,
  response: AdminVoucher,
  refusals: [...MANAGE, voucherRefusals.voucher_expiry_not_later],
})

export const voidVoucher = endpoint('DELETE /api/admin/vouchers/:id', {
  summary: 'Void a voucher that has not been redeemed; its money is refunded separately',
  params: PathId,
  says: 'Voucher voided',
  refusals: [...MANAGE],
})

export const voucherCard = endpoint('GET /api/admin/vouchers/:id/card.pdf', {
  summary: 'The card of a voucher, with its code',
  params: PathId,
  response: z.string(),
  file: 'application/pdf',
  refusals: [...MANAGE],
})
