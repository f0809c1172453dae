import { expect, test } from 'vitest'
import { describeMethod } from './provider-state.ts'

const card = (more: object = {}) => ({
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242', ...more } },
})

test.each([
  [card(), 'Visa ending 4242'],
  [card({ brand: 'amex', last4: '0005' }), 'American Express ending 0005'],
  [card({ wallet: { type: 'apple_pay' } }), 'Apple Pay (Visa ending 4242)'],
  [card({ wallet: { type: 'link' } }), 'Link (Visa ending 4242)'],
  [card({ brand: 'something_new' }), 'Card ending 4242'],
  [card({ brand: null, last4: null }), 'Card'],
  [{ payment_method_details: { type: 'bacs_debit', bacs_debit: { last4: '2345' } } }, 'Bank debit ending 2345'],
  [{ payment_method_details: { type: 'link' } }, 'Link'],
  [{ payment_method_details: { type: 'pay_by_bank' } }, 'Pay by Bank'],
  [{ payment_method_details: { type: 'future_bank_thing' } }, 'Future bank thing'],
  [{ payment_method_details: null }, null],
  [null, null],
])('%j is %s', (charge, words) => {
  expect(describeMethod(charge)).toBe(words)
})
