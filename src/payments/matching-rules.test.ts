import { describe, expect, test } from 'vitest'
import type { ProviderRefund } from './provider-state.ts'
import { findSentRefund, matchRefunds } from './rules.ts'
import type { RefundRow } from './tables.ts'

const at = Temporal.Instant.from('2026-12-07T08:00:00Z')

/** Our own refund, sent but not yet answered. */
const row = (id: number, has: Partial<RefundRow> = {}): RefundRow => ({
  id,
  paymentIntentId: 'pi_1',
  purchaseId: 7,
  providerId: null,
  origin: 'owner',
  amountPence: 1500,
  reference: `ref-${id}`,
  status: 'pending',
  reason: null,
  failure: null,
  creditsTaken: null,
  createdAt: at,
  sentAt: at,
  settledAt: null,
  answeredAt: null,
  ...has,
})
/** A refund at the provider without our marks. */
const there = (id: string, has: Partial<ProviderRefund> = {}): ProviderRefund => ({
  id,
  amount: 1500,
  status: 'succeeded',
  failure: null,
  reference: null,
  purchaseId: null,
  createdAt: at,
  ...has,
})
/** Provider refund id → id of our row. */
const matched = (rows: RefundRow[], remote: ProviderRefund[]) =>
  Object.fromEntries([...matchRefunds(rows, remote)].map(([refund, { id }]) => [refund.id, id]))

describe('a provider refund matches one of ours', () => {
  test("by the provider's id first", () => {
    const rows = [row(1), row(2, { providerId: 're_a' })]
    expect(matched(rows, [there('re_a', { reference: 'ref-1' })])).toEqual({ re_a: 2 })
  })

  test('by our reference and amount, while we lack its id', () => {
    expect(matched([row(1), row(2)], [there('re_a', { reference: 'ref-2' })])).toEqual({ re_a: 2 })
    expect(matched([row(1)], [there('re_a', { reference: 'ref-1', amount: 1499 })])).toEqual({})
    expect(matched([row(1, { providerId: 're_b' })], [there('re_a', { reference: 'ref-1' })])).toEqual({})
  })

  test('by its number, if sent before references were random', () => {
    expect(matched([row(7, { reference: '7' })], [there('re_a', { reference: '7' })])).toEqual({ re_a: 7 })
    expect(matched([row(7)], [there('re_a', { reference: '7' })])).toEqual({})
  })

  test.each<[string, Partial<RefundRow>, Partial<ProviderRefund>, boolean]>([
    ['it names the purchase of a refund by the rule', { origin: 'rule' }, { purchaseId: 7 }, true],
    ['it names the purchase, but another amount', { origin: 'rule' }, { purchaseId: 7, amount: 1 }, false],
    ['it names the purchase of a discretionary refund', { origin: 'owner' }, { purchaseId: 7 }, false],
    ['it names another purchase', { origin: 'rule' }, { purchaseId: 8 }, false],
    ['it names nothing and the amount is the same', {}, {}, true],
    ['the sum is another', {}, { amount: 1499 }, false],
    ['ours has failed', { status: 'failed' }, {}, false],
    ['ours is known by another id', { providerId: 're_b' }, {}, false],
    ['it carries another reference', {}, { reference: 'ref-99' }, false],
    ['ours is only decided', { status: 'decided' }, {}, false],
    ['ours is only decided, and gives a payment back', { status: 'decided', origin: 'given_back' }, {}, true],
  ])('by legacy marks: %s', (_, own, remote, isMatch) => {
    expect(matched([row(1, own)], [there('re_a', remote)])).toEqual(isMatch ? { re_a: 1 } : {})
  })

  test('if failed, only if nothing else matches; each row once', () => {
    const failed = there('re_failed', { status: 'failed' })
    expect(matched([row(1)], [failed, there('re_good')])).toEqual({ re_good: 1 })
    expect(matched([row(1)], [failed])).toEqual({ re_failed: 1 })
    expect(matched([row(1), row(2)], [there('re_a'), there('re_b')])).toEqual({ re_a: 1, re_b: 2 })
    expect(matched([row(1)], [there('re_a'), there('re_b')])).toEqual({ re_a: 1 })
  })
})

describe('a decided refund already exists at the provider', () => {
  const decided = row(3, { status: 'decided', origin: 'given_back' })

  test('by our reference, even if it failed', () => {
    const failed = there('re_a', { reference: 'ref-3', status: 'failed' })
    expect(findSentRefund(decided, [there('re_b', { reference: 'ref-4' }), failed])).toBe(failed)
  })

  test('not by reference if the amount differs', () => {
    expect(findSentRefund(decided, [there('re_a', { reference: 'ref-3', amount: 500 })])).toBeUndefined()
  })

  test('by legacy marks, unless it failed', () => {
    const [failed, good] = [there('re_a', { status: 'failed' }), there('re_b')]
    expect(findSentRefund(decided, [failed, good])).toBe(good)
    expect(findSentRefund(decided, [failed])).toBeUndefined()
  })
})
