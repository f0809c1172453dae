import { expect, test } from 'vitest'
import { z } from 'zod'
import { formOf, read } from './forms.ts'
import { declineOf, MethodFields, methodIn } from './methods.ts'
import { card } from './sandbox-under-test.ts'

const november2026 = new Date('2026-11-21T10:00:00Z')
const methodOf = (form: Record<string, string>) =>
  methodIn(read(z.object(MethodFields), formOf(new URLSearchParams(form).toString())), november2026)
const named = (payment_method: string) => methodIn({ payment_method }, november2026)

test.each([
  ['pm_card_visa', '4242424242424242'],
  ['pm_card_mastercard', '5555555555554444'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_visa_chargeDeclined', '4000000000000002'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_chargeDeclinedExpiredCard', '4000000000000069'],
  ['pm_card_authenticationRequired', '4000002760003184'],
])('%s is the card %s', (name, number) => {
  const [byName, byNumber] = [named(name), methodOf(card(number))]
  const behaviour = (method: typeof byName) => [method?.has3dSecure, method?.aftermath, method && declineOf(method)]
  expect(behaviour(byName)).toEqual(behaviour(byNumber))
  expect(byName?.details).toMatchObject({ card: { last4: number.slice(-4) } })
})

test('keeps only brand, last four digits and expiry of a card', () => {
  const made = methodOf(card('4242 4242-4242 4242'))
  expect(made?.details).toMatchObject({ card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 } })
  expect(JSON.stringify(made)).not.toContain('42424242')
  expect(JSON.stringify(made)).not.toContain('"123"')
})

test.each([
  ['42', '12', '34', '123', 'incorrect_number'],
  ['4242424242424242', '13', '34', '123', 'invalid_expiry_month'],
  ['4242424242424242', '0', '34', '123', 'invalid_expiry_month'],
  ['4242424242424242', '10', '26', '123', 'invalid_expiry_month'],
  ['4242424242424242', '12', '25', '123', 'invalid_expiry_year'],
  ['4242424242424242', '12', '2025', '123', 'invalid_expiry_year'],
  ['4242424242424242', '12', '34', '12', 'invalid_cvc'],
  ['4111111111111111', '12', '34', '123', 'card_declined'],
])('refuses %s %s/%s %s: %s', (number, month, year, cvc, code) => {
  expect(() => methodOf(card(number, { month, year, cvc }))).toThrow(
    expect.objectContaining({ status: 402, body: expect.objectContaining({ type: 'card_error', code }) }),
  )
})

test('accepts a card in the month it expires', () => {
  expect(methodOf(card('4242424242424242', { month: '11', year: '26' }))?.details).toMatchObject({
    card: { exp_year: 2026 },
  })
})

test('refuses a name that is not a test card', () => {
  for (const name of ['pm_card_nobody', 'pm_visa', 'pm_3abc'])
    expect(() => named(name)).toThrow('No such PaymentMethod')
})
