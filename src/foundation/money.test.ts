import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAmount, toPence } from './amounts.ts'
import { formatMoney, formatPrice, toDecimal } from './money.ts'

const pence = fc.integer({ min: 0, max: 999_999_99 })

test('parses formatted pounds back to the same pence, as text and as a number', () => {
  fc.assert(
    fc.property(pence, (amount) => {
      expect(toDecimal(amount)).toMatch(/^\d+\.\d{2}$/)
      expect(toPence(toDecimal(amount))).toBe(amount)
      expect(toPence(Number(toDecimal(amount)))).toBe(amount)
    }),
  )
})

test.each([
  ['45', 4500],
  ['45.5', 4550],
  ['45.05', 4505],
  ['0.01', 1],
  [' 45.00 ', 4500],
  [45, 4500],
  [45.5, 4550],
  // 1.1 * 100 and 4.35 * 100 are not whole in binary.
  [1.1, 110],
  [4.35, 435],
  [0, 0],
])('%j pounds are %i pence', (pounds, expected) => {
  expect(toPence(pounds)).toBe(expected)
})

test.each([
  ['£45', 4500],
  ['£ 45.50', 4550],
  ['1,200', 120000],
  ['£1,250.5', 125050],
  ['999,999.99', 99999999],
  ['\u00a045 ', 4500],
])('parses %j as %i pence', (typed, expected) => {
  expect(parseAmount(typed)).toEqual({ pence: expected })
})

test.each([undefined, null, '', '  '])('%j is a missing price', (nothing) => {
  expect(parseAmount(nothing)).toEqual({ fault: 'missing' })
})

test.each([
  'free',
  '-1',
  '1.234',
  '1e3',
  '£',
  '.5',
  '5.',
  Number.NaN,
  0.1 + 0.2,
  1e21,
  true,
  [],
  {},
  ['45'],
  '45 pounds',
])('%j is not an amount', (other) => {
  expect(parseAmount(other)).toEqual({ fault: 'not_an_amount' })
})

test.each(['45,50', '1,2', '1,20', '12,34,567', '1200,000', '0,450', ',450', '1,200,', '1.200,50'])(
  '%j could mean two things, and neither is guessed',
  (ambiguous) => {
    expect(parseAmount(ambiguous)).toEqual({ fault: 'not_an_amount' })
    expect(() => toPence(ambiguous)).toThrow(RangeError)
  },
)

test('refuses a million pounds', () => {
  expect(parseAmount('999999.99')).toEqual({ pence: 99999999 })
  for (const much of ['1000000', '1,000,000', 1_000_000]) expect(parseAmount(much)).toEqual({ fault: 'too_much' })
})

test('omits unneeded decimals of package prices only, and separates thousands', () => {
  expect(formatPrice('120.00')).toBe('£120')
  expect(formatPrice('45.50')).toBe('£45.50')
  expect(formatPrice(0)).toBe('£0')
  expect(formatPrice('1250.00')).toBe('£1,250')
  expect(formatMoney('120')).toBe('£120.00')
  expect(formatMoney(45.5)).toBe('£45.50')
  expect(formatMoney('0.05')).toBe('£0.05')
  expect(formatMoney('1250')).toBe('£1,250.00')
  expect(formatMoney(1_250_000.5)).toBe('£1,250,000.50')
  expect(formatMoney('-12.00')).toBe('-£12.00')
})

test('parses what it formats', () => {
  fc.assert(
    fc.property(pence, (amount) => {
      expect(parseAmount(formatMoney(toDecimal(amount)))).toEqual({ pence: amount })
      expect(parseAmount(formatPrice(toDecimal(amount)))).toEqual({ pence: amount })
    }),
  )
})
