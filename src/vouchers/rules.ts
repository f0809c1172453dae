import { endOfDay, instantAt, studioDate, today } from '#foundation/instants.ts'
import { studio } from '#studio.ts'

const { voucher } = studio.policies

/** Digits and capitals that are easy to tell apart: without 0, 1, I, L and O. */
export const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
export const CODE_LENGTH = 12

/** A code as typed: capitals, spaces and hyphens do not matter. */
export const normalCode = (typed: string) => typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '')

/** `ABCD-EFGH-JKMN`. */
export const codeInGroups = (code: string) => (code.match(/.{1,4}/g) ?? []).join('-')

export const VOUCHER_STATES = ['valid', 'redeemed', 'expired', 'void', 'frozen'] as const
export type VoucherState = (typeof VOUCHER_STATES)[number]
export const STATE_WORDS: Record<VoucherState, string> = {
  valid: 'Not redeemed yet',
  redeemed: 'Redeemed',
  expired: 'Expired',
  void: 'Void',
  frozen: 'Disputed, on hold',
}

/** Vouchers by what happened to them in a period; outstanding is at its end. */
export const VOUCHER_FIGURES = {
  sold: 'Sold',
  redeemed: 'Redeemed',
  voided: 'Refunded or voided',
  expired: 'Expired',
  outstanding: 'Outstanding at the end',
} as const

export type Dated = {
  redeemedAt: Temporal.Instant | null
  voidedAt: Temporal.Instant | null
  frozenAt: Temporal.Instant | null
  expiresAt: Temporal.Instant
}

/** What a voucher is at `now`; it can be redeemed until the last second before `expiresAt`, included. */
export function stateOf({ redeemedAt, voidedAt, frozenAt, expiresAt }: Dated, now: Temporal.Instant): VoucherState {
  if (redeemedAt) return 'redeemed'
  if (voidedAt) return 'void'
  if (frozenAt) return 'frozen'
  return Temporal.Instant.compare(now, expiresAt) > 0 ? 'expired' : 'valid'
}

/** The end of the day 24 months after the sale. Source: docs/studio-rules.md#gift-vouchers */
export function voucherExpiry(soldAt: Temporal.Instant): Temporal.Instant {
  return endOfDay(studioDate(soldAt).add({ months: voucher.validityMonths }))
}

/** The first and last day on which a voucher sold now can be emailed. */
export function sendDays(now: Temporal.Instant): { from: string; to: string } {
  return { from: today(now), to: studioDate(now).add({ months: voucher.sendAheadMonths }).toString() }
}

/** When the email to the recipient leaves: at 09:00 on its day, or now; undefined if the day cannot be chosen. */
export function sendingTime(day: string | null | undefined, now: Temporal.Instant): Temporal.Instant | undefined {
  if (!day) return now
  const { from, to } = sendDays(now)
  return day < from || day > to ? undefined : instantAt(day, voucher.sendAt)
}
