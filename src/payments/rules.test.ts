import { describe, expect, test } from 'vitest'
import { isPayable, isPrice, paysFor } from './rules.ts'

describe('what a caller thinks a package costs', () => {
  test.each(['45', '45.0', '45.00', '45.000', 45, 45.0])('%j is the price of £45', (amount) => {
    expect(isPrice(amount, 4500)).toBe(true)
  })

  test.each([
    '44.99',
    '45.01',
    '45.001',
    '45.004',
    45.001,
    '4500',
    '0',
    '-45',
    '45,00',
    '£45',
    '1e2',
    '',
    Number.NaN,
    1e21,
  ])('%j is not', (amount) => {
    expect(isPrice(amount, 4500)).toBe(false)
  })

  test.each([
    [45.5, 4550],
    ['45.5', 4550],
    [1.1, 110],
    [0.29, 29],
    [64.35, 6435],
  ])('%j and %i pence agree to the penny', (amount, pence) => {
    expect(isPrice(amount, pence)).toBe(true)
  })
})

describe('a payment pays for what was asked', () => {
  const asked = { amountPence: 4500, userId: 'ana', packageId: 7 }
  const paid = {
    status: 'succeeded',
    amount_received: 4500,
    currency: 'gbp',
    metadata: { userId: 'ana', packageId: '7' },
  }

  test('when everything agrees, and also when the member is gone', () => {
    expect(paysFor(paid, asked)).toBe(true)
    expect(paysFor(paid, { ...asked, userId: null })).toBe(true)
  })

  test.each([
    { status: 'processing' },
    { amount_received: 4499 },
    { amount_received: 4501 },
    { amount_received: 0 },
    { currency: 'eur' },
    { metadata: { userId: 'boris', packageId: '7' } },
    { metadata: { userId: 'ana', packageId: '8' } },
    { metadata: {} },
  ])('not with %j', (other) => {
    expect(paysFor({ ...paid, ...other } as typeof paid, asked)).toBe(false)
  })
})

test.each([
  ['requires_payment_method', true],
  ['requires_confirmation', true],
  ['requires_action', true],
  ['processing', false],
  ['succeeded', false],
  ['canceled', false],
])('whether %s can still be paid: %s', (status, payable) => {
  expect(isPayable(status)).toBe(payable)
})
