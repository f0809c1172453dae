import { describe, expect, test } from 'vitest'
import { london } from '#testing/frozen-clock.ts'
import { paymentRefusals } from './contract.ts'
import { deskRefusals } from './contract-desk.ts'
import type { ProviderDispute, ProviderPayment, ProviderRefund } from './provider-state.ts'
import {
  afterRefund,
  discretionaryRefundRefusal,
  endsPass,
  maxRefundable,
  pendingDecision,
  policyRefund,
  providerRefundNotice,
  type Refundable,
  refundableUntil,
  voidRefusal,
} from './rules.ts'
import type { RefundRow } from './tables.ts'

const purchase: Refundable = {
  amountPence: 4500,
  refundedPence: 0,
  lostPence: 0,
  purchasedAt: london('2026-12-07 09:00'),
  isDisputed: false,
}
const unused = { creditsRemaining: 3, creditsTotal: 3 }
const used = { creditsRemaining: 2, creditsTotal: 3 }
const inTime = london('2026-12-08 09:00')

describe('a refund by policy', () => {
  test.each([
    ['2026-12-07 09:00', '2026-12-21T23:59:59Z'],
    ['2026-12-07 00:00', '2026-12-21T23:59:59Z'],
    ['2026-12-07 23:59:59', '2026-12-21T23:59:59Z'],
    // Half past midnight in a London summer is still yesterday in UTC.
    ['2026-07-01 00:30', '2026-07-15T22:59:59Z'],
    ['2026-10-20 10:00', '2026-11-03T23:59:59Z'],
  ])('of a purchase at %s is possible until %s', (at, until) => {
    const purchasedAt = london(at)
    expect(refundableUntil(purchasedAt).toString()).toBe(until)
    const last = Temporal.Instant.from(until)
    expect(policyRefund({ ...purchase, purchasedAt }, unused, last)).toEqual({ pence: 4050 })
    const late = { refusal: paymentRefusals.refund_too_late }
    expect(policyRefund({ ...purchase, purchasedAt }, unused, last.add({ nanoseconds: 1 }))).toEqual(late)
  })

  test.each([
    [4500, 4050],
    [4555, 4100],
    [4550, 4095],
    [4559, 4104],
    [30, 27],
    [39, 36],
    [9, 9],
  ])("of %i pence returns %i: the fee of a tenth is rounded in the member's favour", (amountPence, pence) => {
    expect(policyRefund({ ...purchase, amountPence }, unused, inTime)).toEqual({ pence })
  })

  const late = london('2027-01-08 09:00')
  test.each([
    ['refund_while_disputed', { isDisputed: true, refundedPence: 1, lostPence: 1 }, undefined],
    ['already_refunded', { refundedPence: 1, lostPence: 1 }, undefined],
    ['refund_payment_lost', { lostPence: 1 }, undefined],
    ['refund_pass_deleted', {}, undefined],
    ['refund_pass_used', {}, used],
    ['refund_too_late', {}, unused],
  ] as const)('is refused as %s before anything that comes after in the list', (code, facts, pass) => {
    expect(policyRefund({ ...purchase, ...facts }, pass, late)).toEqual({ refusal: paymentRefusals[code] })
  })
})

describe('a discretionary refund', () => {
  test.each([
    [{}, 4500],
    [{ refundedPence: 1500 }, 3000],
    [{ refundedPence: 1500, lostPence: 1000 }, 2000],
    [{ refundedPence: 4500 }, 0],
    [{ refundedPence: 4500, lostPence: 4500 }, 0],
  ])('after %j is at most %i pence', (facts, most) => {
    const left = { ...purchase, ...facts }
    expect(maxRefundable(left)).toBe(most)
    const tooMuch = most === 0 ? paymentRefusals.already_refunded : paymentRefusals.refund_exceeds_payment
    expect(discretionaryRefundRefusal(left, most + 1)).toEqual(tooMuch)
    if (most > 0) expect(discretionaryRefundRefusal(left, most)).toBeUndefined()
  })

  test('is refused during a dispute', () => {
    const disputed = { ...purchase, isDisputed: true }
    expect(discretionaryRefundRefusal(disputed, 1)).toEqual(paymentRefusals.refund_while_disputed)
    expect(discretionaryRefundRefusal({ ...disputed, refundedPence: 4500 }, 1)).toEqual(
      paymentRefusals.refund_while_disputed,
    )
  })
})

test.each([
  ['untouched', { creditsRemaining: 8, creditsCorrected: 0 }, true],
  ['deleted before anything was booked', { creditsRemaining: 0, creditsCorrected: -8 }, true],
  ['deleted, and its only booking cancelled in time since', { creditsRemaining: 1, creditsCorrected: -7 }, true],
  ['deleted with a class still booked', { creditsRemaining: 0, creditsCorrected: -7 }, false],
  ['with a class booked', { creditsRemaining: 7, creditsCorrected: 0 }, false],
])('whether a sale whose pass is %s can be voided', (_, pass, mayVoid) => {
  const sale = { deskMethod: 'cash' as const, voidedAt: null, refundedPence: 0, purchasedAt: inTime }
  const refusal = voidRefusal(sale, { creditsTotal: 8, ...pass }, inTime)
  expect(refusal).toEqual(mayVoid ? undefined : deskRefusals.void_pass_used)
})

describe("the provider's records end the pass", () => {
  const refund = (amount: number, status: ProviderRefund['status']): ProviderRefund => ({
    id: `re_${amount}`,
    amount,
    status,
    failure: null,
    reference: null,
    createdAt: inTime,
  })
  const dispute = (status: ProviderDispute['status']): ProviderDispute => ({
    id: `dp_${status}`,
    amount: 4500,
    status,
    reason: 'fraudulent',
    openedAt: inTime,
    respondBy: null,
  })
  const there = (refunds: ProviderRefund[], disputes: ProviderDispute[]): ProviderPayment => ({
    intent: { status: 'succeeded', amount_received: 4500, currency: 'gbp', metadata: {} },
    refunds,
    disputes,
    warnings: [],
  })
  test.each([
    ['nothing', [], [], false],
    ['all of it back', [refund(4500, 'succeeded')], [], true],
    ['all of it on its way back', [refund(4500, 'pending')], [], true],
    ['parts that make up all', [refund(4000, 'succeeded'), refund(500, 'pending')], [], true],
    ['a part', [refund(4499, 'succeeded')], [], false],
    ['all of it, but the refund failed', [refund(4500, 'failed')], [], false],
    ['parts of which one failed', [refund(4000, 'succeeded'), refund(500, 'failed')], [], false],
    ['a dispute that is lost', [], [dispute('won'), dispute('lost')], true],
    ['disputes that are not', [], (['inquiry', 'open', 'won', 'closed'] as const).map(dispute), false],
  ])('%s', (_what, refunds, disputes, ends) => {
    expect(endsPass(there(refunds, disputes), 4500)).toBe(ends)
  })
})

describe('the decision that the owner must make about a refund', () => {
  const refund: RefundRow = {
    id: 2,
    paymentIntentId: 'pi',
    purchaseId: 1,
    providerId: 're',
    reference: 'ref',
    amountPence: 1500,
    method: null,
    reason: null,
    failure: null,
    creditsTaken: null,
    createdAt: inTime,
    sentAt: inTime,
    settledAt: inTime,
    answeredAt: null,
    origin: 'provider',
    status: 'succeeded',
  }
  const failed: RefundRow = { ...refund, status: 'failed' }
  const other = (facts: Partial<RefundRow>): RefundRow => ({ ...refund, origin: 'owner', ...facts })
  test.each<[string, RefundRow, RefundRow[], boolean, string | null]>([
    ['a part refunded there: the credits', refund, [], true, 'credits'],
    ['one on its way there: the credits', { ...refund, status: 'pending' }, [], true, 'credits'],
    ['once the pass has ended: nothing', refund, [], false, null],
    ['a refund of our own: nothing', other({ id: 2 }), [], true, null],
    ['what was answered: nothing', { ...refund, answeredAt: inTime }, [], true, null],
    ['a failed one that was answered: nothing', { ...failed, answeredAt: inTime }, [], true, null],
    ['a failed one: what to do', failed, [], true, 'failed'],
    ['a failed one of a pass that has ended: what to do', failed, [], false, 'failed'],
    ['a failed one after another went well: what to do', failed, [other({ id: 1 })], true, 'failed'],
    ['a failed one that was sent again: nothing', failed, [other({ id: 3, status: 'decided' })], true, null],
    ['failed again: what to do', failed, [other({ id: 3, status: 'failed' })], true, 'failed'],
  ])('%s', (_what, asked, others, hasPass, decision) => {
    expect(pendingDecision(asked, { all: [asked, ...others], hasPass })).toBe(decision)
  })
})

describe('what is left after a refund', () => {
  const part = { isWhole: false, hasVoucher: false, hasPass: true, isEnded: false }
  const whole = { ...part, isWhole: true, isEnded: true }
  test.each([
    ['whole', whole, 'ended', 'refunded_there'],
    ['whole, with credits taken before', { ...whole, creditsTaken: 2 }, 'ended', 'refunded_there'],
    ['part', part, 'kept', 'partly_refunded_there'],
    ['part, for no credits', { ...part, creditsTaken: 0 }, 'kept', 'partly_refunded_there'],
    ['part, for a credit', { ...part, creditsTaken: 1 }, 'fewer_credits', 'more_refunded_there'],
    ['part, of a pass that had ended', { ...part, isEnded: true }, 'ended', 'more_refunded_there'],
    ['whole, of a pass that is gone', { ...whole, hasPass: false }, 'none', 'refunded_there'],
    ['part, of a pass that is gone', { ...part, hasPass: false }, 'none', 'more_refunded_there'],
    ['whole, of a gift', { ...whole, isGiven: true }, 'gift_ended', 'refunded_there'],
    ['part, of a gift', { ...part, isGiven: true }, 'gift_kept', 'partly_refunded_there'],
    [
      'part, for a credit of a gift',
      { ...part, isGiven: true, creditsTaken: 1 },
      'gift_fewer_credits',
      'more_refunded_there',
    ],
    ['whole, of a voucher', { ...whole, hasPass: false, hasVoucher: true }, 'voucher_void', 'refunded_there'],
    ['part, of a voucher', { ...part, hasPass: false, hasVoucher: true }, 'voucher_kept', 'more_refunded_there'],
  ])('%s', (_, refund, after, notice) => {
    expect(afterRefund(refund)).toBe(after)
    expect(providerRefundNotice(afterRefund(refund), refund.isWhole)).toBe(notice)
  })
})
