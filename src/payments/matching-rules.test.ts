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
  method: null,
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
})
