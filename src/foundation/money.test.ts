import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPounds, formatShortPounds, toPence, toPounds } from './money.ts'

const pence = fc.integer({ min: 0, max: 999_999_99 })

test('pence written as pounds are read back as the same pence, as text and as a number', () => {
  fc.assert(
    fc.property(pence, (amount) => {
      expect(toPounds(amount)).toMatch(/^\d+\.\d{2}$/)
      expect(toPence(toPounds(amount))).toBe(amount)
      expect(toPence(Number(toPounds(amount)))).toBe(amount)
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

test.each(['', 'free', '-1', '1.234', '1,50', '1e3', '£5', '.5', '5.', Number.NaN, 0.1 + 0.2])(
  '%j is no amount',
  (pounds) => {
    expect(() => toPence(pounds)).toThrow(RangeError)
  },
)

test('package prices leave out decimals they do not need; everything else has two', () => {
  expect(formatShortPounds('120.00')).toBe('£120')
  expect(formatShortPounds('45.50')).toBe('£45.50')
  expect(formatShortPounds(0)).toBe('£0')
  expect(formatPounds('120')).toBe('£120.00')
  expect(formatPounds(45.5)).toBe('£45.50')
  expect(formatPounds('0.05')).toBe('£0.05')
})
