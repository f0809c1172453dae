import { expect, test } from 'vitest'
import { MIN_PRICE_PENCE, mayBeSaved } from './rules.ts'

test.each([
  ['on sale at the least price', 0, { pricePence: 30, isActive: true }, true],
  ['on sale for a penny less', 0, { pricePence: 29, isActive: true }, false],
  ['hidden for a penny less', 0, { pricePence: 29, isActive: false }, false],
  ['on sale for the nothing that it cost before', 0, { pricePence: 0, isActive: true }, false],
  ['hidden for the nothing that it cost before', 0, { pricePence: 0, isActive: false }, true],
  ['hidden, and cheaper than before', 20, { pricePence: 10, isActive: false }, false],
])('whether a package may be saved %s', (_how, pricePence, after, maySave) => {
  expect(mayBeSaved({ pricePence }, after)).toBe(maySave)
})

test('the lowest price is thirty pence', () => {
  expect(MIN_PRICE_PENCE).toBe(30)
})
