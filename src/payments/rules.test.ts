import { describe, expect, test } from 'vitest'
import { isAbandoned, isBeingPaid, isPayable, isPrice, nextPollAt, paysFor, statementSuffix } from './rules.ts'

describe('the amount a caller sends', () => {
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
  ])('%j is not the price of £45', (amount) => {
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

test.each([
  ['requires_payment_method', null, 59, true],
  ['requires_payment_method', null, 60, false],
  ['requires_payment_method', { code: 'card_declined' }, 1, false],
  ['requires_action', null, 14 * 60 + 59, true],
  ['requires_action', null, 15 * 60, false],
  ['canceled', null, 1, false],
] as const)(
  'a payment that is %s, with the error %o, %i seconds after the press',
  (status, error, seconds, isPaying) => {
    const at = Temporal.Instant.from('2026-12-07T09:00:00Z')
    expect(isBeingPaid(at, { status, last_payment_error: error }, at.add({ seconds }))).toBe(isPaying)
  },
)

describe('a payment matches its request', () => {
  const asked = { amountPence: 4500, userId: 'ana', packageId: 7 }
  const paid = {
    status: 'succeeded',
    amount_received: 4500,
    currency: 'gbp',
    metadata: { userId: 'ana', packageId: '7' },
  }

  test('if everything matches, even if the member has been erased', () => {
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
  ])('does not, with %j', (other) => {
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

describe('the suffix on a card statement', () => {
  test.each([
    ['Aldergate Pilates', 'ALDERGATE'],
    ['Pilates in the Park', 'PILATES IN'],
    ['Çelik Studio', 'CELIK'],
    ['Reformerandmore', 'REFORMERAN'],
    ['& Reformerandmore', 'REFORMERAN'],
    ['Reformeria Studio', 'REFORMERIA'],
    ['54', 'CLASS PASS'],
    ['普拉提', 'CLASS PASS'],
    [`O'Neil's "Gym" <1>*`, 'ONEILS GYM'],
  ])('%s is %s', (name, suffix) => {
    expect(statementSuffix(name)).toBe(suffix)
    expect(suffix).toMatch(/^(?=.*[A-Z])[A-Z0-9 ]{1,10}$/)
  })
})

describe('polls the provider less and less often, and finally not at all', () => {
  const began = Temporal.Instant.from('2026-12-07T09:00:00Z')
  const later = (duration: Temporal.DurationLike) => began.add(duration)
  test.each([
    ['open', { seconds: 0 }, { minutes: 1 }],
    ['open', { minutes: 10 }, { minutes: 20 }],
    ['open', { hours: 8 }, { hours: 14 }],
    // Cancelled at the provider after exactly a day.
    ['open', { hours: 23 }, { hours: 24 }],
    ['open', { hours: 25 }, { hours: 31 }],
    ['processing', { minutes: 1 }, { minutes: 6 }],
    ['processing', { hours: 23 }, { hours: 46 }],
    ['processing', { hours: 72 }, { hours: 96 }],
    ['moving', { minutes: 0 }, { hours: 1 }],
    ['moving', { hours: 240 }, { hours: 264 }],
    ['settled', { hours: 2 }, { hours: 4 }],
    ['settled', { hours: 24 * 170 }, { hours: 24 * 180 }],
  ] as const)('%s for %j: at %j', (asked, age, next) => {
    expect(nextPollAt(asked, began, later(age))?.toString()).toBe(later(next).toString())
  })

  test.each([
    ['open', 30],
    ['processing', 30],
    ['moving', 400],
    ['settled', 180],
    ['over', 0],
  ] as const)('%s is not asked about after %i days', (asked, days) => {
    expect(nextPollAt(asked, began, later({ hours: 24 * days }))).toBeUndefined()
  })

  test('abandons an unpaid payment after a day, to the second', () => {
    expect(isAbandoned(began, later({ hours: 24 }).subtract({ nanoseconds: 1 }))).toBe(false)
    expect(isAbandoned(began, later({ hours: 24 }))).toBe(true)
  })
})
