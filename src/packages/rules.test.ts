import { describe, expect, test } from 'vitest'
import { inForce, isFormerPriceKept, MIN_PRICE_PENCE, priceOfOne } from './rules.ts'

test('the lowest price is thirty pence', () => {
  expect(MIN_PRICE_PENCE).toBe(30)
})

describe('a price from a day on', () => {
  const sold = { pricePence: 4500, nextPricePence: 5000, nextPriceFrom: '2026-07-01', cameIntoForceAt: null }
  const midnight = Temporal.Instant.from('2026-06-30T23:00:00Z')

  test.each([
    ['2026-06-30T22:59:59Z', 4500],
    ['2026-06-30T23:00:00Z', 5000],
    ['2027-01-01T00:00:00Z', 5000],
  ])('counts from midnight in London: %s', (now, pricePence) => {
    expect(inForce(sold, Temporal.Instant.from(now)).pricePence).toBe(pricePence)
  })

  test('leaves no next price once it has come, and says when it came', () => {
    expect(inForce(sold, midnight)).toEqual({
      pricePence: 5000,
      nextPricePence: null,
      nextPriceFrom: null,
      cameIntoForceAt: midnight,
    })
    const none = { ...sold, nextPricePence: null, nextPriceFrom: null }
    expect(inForce(none, midnight)).toBe(none)
  })

  test.each([
    ['2026-06-30T23:29:59Z', true],
    ['2026-06-30T23:30:00Z', false],
  ])('keeps the former price for payments already started: %s', (now, isKept) => {
    expect(isFormerPriceKept(midnight, Temporal.Instant.from(now))).toBe(isKept)
    expect(isFormerPriceKept(null, Temporal.Instant.from(now))).toBe(false)
  })
})

test('the price of one class is that of the cheapest package of one that can be bought again', () => {
  const one = { price: '65.00', classCount: 1, purchaseOncePerUser: false }
  const intro = { price: '30.00', classCount: 1, purchaseOncePerUser: true }
  const eight = { price: '424.00', classCount: 8, purchaseOncePerUser: false }
  expect(priceOfOne([intro, one, { ...one, price: '9.00' }, eight])).toBe('9.00')
  expect(priceOfOne([intro, eight])).toBeUndefined()
})
