import { describe, expect, test } from 'vitest'
import { codeRefusals } from './code-refusals.ts'
import { codeRefusal, lineWords, listPence, orderOf, packageNameOf, totalRefusal } from './order-rules.ts'

const sold = { name: '8 Class Pass', pricePence: 42400 }
const percent = (value: number) => ({ code: 'SPRING', kind: 'percent' as const, value })
const amount = (value: number) => ({ code: 'FIVER', kind: 'amount' as const, value })

describe('an order', () => {
  test('without a code has the package alone', () => {
    expect(orderOf(sold)).toEqual({
      lines: [{ kind: 'package', label: '8 Class Pass', amountPence: 42400 }],
      totalPence: 42400,
    })
  })

  test.each([
    [42400, percent(10), 38160],
    [42400, percent(100), 0],
    // A third of a penny is in the member's favour.
    [2825, percent(10), 2542],
    [30, percent(1), 29],
    [42400, amount(500), 41900],
    [400, amount(500), 0],
  ])('of %i pence with a code costs %o', (pricePence, code, totalPence) => {
    const order = orderOf({ ...sold, pricePence }, code)
    expect(order.totalPence).toBe(totalPence)
    expect(order.lines.reduce((sum, line) => sum + line.amountPence, 0)).toBe(totalPence)
    expect(listPence(order)).toBe(pricePence)
  })

  test.each([
    [0, undefined],
    [1, codeRefusals.total_too_low],
    [29, codeRefusals.total_too_low],
    [30, undefined],
  ])('of %i pence', (pence, refusal) => {
    expect(totalRefusal(pence)).toBe(refusal)
  })

  test('of a gift says so in words, and keeps the name of its package', () => {
    const order = orderOf(sold, percent(10), true)
    expect(order.lines.map(lineWords)).toEqual(['Gift voucher: 8 Class Pass', 'Code SPRING, 10% off'])
    expect(packageNameOf(order)).toBe('8 Class Pass')
  })
})

describe('a code', () => {
  const code = {
    endedAt: null,
    fromDay: '2026-12-01',
    untilDay: '2026-12-31',
    packageIds: [7],
    maxUses: 2,
    uses: 1,
    oncePerMember: true,
    firstPurchaseOnly: true,
  }
  const use = { packageId: 7, day: '2026-12-10', member: { hasUsed: false, hasBought: false } }

  test.each([
    ['works', code, use, undefined],
    ['works on its first day', code, { ...use, day: '2026-12-01' }, undefined],
    ['works on its last day', code, { ...use, day: '2026-12-31' }, undefined],
    ['does not work before', code, { ...use, day: '2026-11-30' }, codeRefusals.code_not_started],
    ['does not work after', code, { ...use, day: '2027-01-01' }, codeRefusals.code_ended],
    ['does not work once ended', { ...code, endedAt: Temporal.Now.instant() }, use, codeRefusals.code_ended],
    ['is for some packages', code, { ...use, packageId: 8 }, codeRefusals.code_not_for_package],
    ['is for every package', { ...code, packageIds: null }, { ...use, packageId: 8 }, undefined],
    ['is used up', { ...code, uses: 2 }, use, codeRefusals.code_used_up],
    ['has no limit', { ...code, uses: 2, maxUses: null }, use, undefined],
    ['is used once', code, { ...use, member: { hasUsed: true, hasBought: false } }, codeRefusals.code_already_used],
    [
      'is used again',
      { ...code, oncePerMember: false },
      { ...use, member: { hasUsed: true, hasBought: false } },
      undefined,
    ],
    [
      'is for a first purchase',
      code,
      { ...use, member: { hasUsed: false, hasBought: true } },
      codeRefusals.code_for_first_purchase,
    ],
  ])('%s', (_what, given, at, refusal) => {
    expect(codeRefusal(given, at)).toBe(refusal)
  })
})
