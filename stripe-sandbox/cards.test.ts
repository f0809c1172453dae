import { expect, test } from 'vitest'
import { methodFromData, methodFromTestName, passesLuhn } from './cards.ts'
import { parseForm } from './form-encoding.ts'
import { Parameters } from './parameters.ts'
import { testCardByName, testCardByNumber, testCards } from './test-cards.ts'

const november2026 = new Date('2026-11-21T10:00:00Z')

function method(number: string, month: string | number = 12, year: string | number = 34, cvc = '123') {
  const form = `type=card&card[number]=${number}&card[exp_month]=${month}&card[exp_year]=${year}&card[cvc]=${cvc}`
  return methodFromData(new Parameters(parseForm(form)), november2026)
}

test('every published number carries a right check digit and no name is taken twice', () => {
  expect(testCards.filter((card) => !passesLuhn(card.number))).toEqual([])
  const names = testCards.flatMap((card) => card.names)
  expect(new Set(names).size).toBe(names.length)
})

test.each([
  ['pm_card_visa', '4242424242424242'],
  ['tok_visa', '4242424242424242'],
  ['pm_card_mastercard', '5555555555554444'],
  ['pm_card_amex', '378282246310005'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_visa_chargeDeclined', '4000000000000002'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_chargeDeclinedExpiredCard', '4000000000000069'],
  ['pm_card_threeDSecure2Required', '4000000000003220'],
  ['pm_card_authenticationRequired', '4000002760003184'],
  ['pm_card_authenticationRequiredOnSetup', '4000002500003155'],
])('%s is %s', (name, number) => {
  expect(testCardByName(name)).toBe(testCardByNumber(number))
  expect(testCardByName(name)).toBeDefined()
})

test('keeps brand, last four digits and expiry of a card, and nothing else of it', () => {
  const made = method('4242 4242-4242 4242')
  expect(made.object.card).toMatchObject({ brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 })
  expect(JSON.stringify(made)).not.toContain('42424242')
  expect(JSON.stringify(made)).not.toContain('"123"')
})

test.each([
  ['4242424242424241', 12, 34, '123', 'incorrect_number'],
  ['42', 12, 34, '123', 'incorrect_number'],
  ['4242424242424242', 13, 34, '123', 'invalid_expiry_month'],
  ['4242424242424242', 0, 34, '123', 'invalid_expiry_month'],
  ['4242424242424242', 10, 26, '123', 'invalid_expiry_month'],
  ['4242424242424242', 12, 25, '123', 'invalid_expiry_year'],
  ['4242424242424242', 12, 2025, '123', 'invalid_expiry_year'],
  ['4242424242424242', 12, 2077, '123', 'invalid_expiry_year'],
  ['4242424242424242', 12, 34, '12', 'invalid_cvc'],
  ['4242424242424242', 12, 34, '1234', 'invalid_cvc'],
  ['4111111111111111', 12, 34, '123', 'card_declined'],
])('refuses %s %i/%i %s: %s', (number, month, year, cvc, code) => {
  expect(() => method(number, month, year, cvc)).toThrow(
    expect.objectContaining({ status: 402, body: expect.objectContaining({ type: 'card_error', code }) }),
  )
})

test('a card is good in the month it expires, and American Express has four digits', () => {
  expect(method('4242424242424242', 11, 26).object.card?.exp_year).toBe(2026)
  expect(method('378282246310005', 12, 34, '1234').object.card?.brand).toBe('amex')
})

test('an id that is not the name of a test card makes no payment method', () => {
  expect(methodFromTestName('pm_card_nobody', november2026)).toBeUndefined()
  expect(methodFromTestName('tok_visa', november2026)).toBeUndefined()
})
