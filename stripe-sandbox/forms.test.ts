import { expect, test } from 'vitest'
import { z } from 'zod'
import { formOf, Metadata, read, Text, Whole } from './forms.ts'

test.each([
  ['amount=4500&currency=gbp', { amount: '4500', currency: 'gbp' }],
  ['metadata[user]=7&metadata[note]=a+b%20c', { metadata: { user: '7', note: 'a b c' } }],
  ['metadata%5Buser%5D=7', { metadata: { user: '7' } }],
  ['expand[]=latest_charge', { expand: { 0: 'latest_charge' } }],
  ['expand[0]=latest_charge', { expand: { 0: 'latest_charge' } }],
  ['a[card][number]=4242&a[type]=card', { a: { card: { number: '4242' }, type: 'card' } }],
  ['description=&flag', { description: '', flag: '' }],
  ['name=%F0%9F%A7%98%E2%80%8F', { name: '🧘\u200f' }],
  ['', {}],
])('reads %s', (text, form) => {
  expect(JSON.parse(JSON.stringify(formOf(text)))).toEqual(form)
})

test.each(['name=%00', 'a=1&a[b]=2', '=1'])('refuses %s', (text) => {
  expect(() => formOf(text)).toThrow(expect.objectContaining({ status: 400 }))
})

test.each(['__proto__[admin]=1', 'metadata[__proto__][admin]=1', 'metadata[constructor][prototype][admin]=1'])(
  '%s does not reach a prototype',
  (text) => {
    formOf(text)
    expect({}).not.toHaveProperty('admin')
  },
)

const Call = z.strictObject({ amount: Whole, name: Text.optional(), metadata: Metadata.optional() })

test.each([
  ['', 'parameter_missing', 'amount'],
  ['amount=', 'parameter_invalid_empty', 'amount'],
  ['amount=45.50', 'parameter_invalid_integer', 'amount'],
  ['amount=-1', 'parameter_invalid_integer', 'amount'],
  ['amount=1&prize=1', 'parameter_unknown', 'prize'],
  ['amount=1&metadata=x', undefined, 'metadata'],
  ['amount=1&metadata[a][b]=x', undefined, 'metadata[a]'],
])('refuses %s: %s %s', (text, code, param) => {
  const body = expect.objectContaining({ type: 'invalid_request_error', code, param })
  expect(() => read(Call, formOf(text))).toThrow(expect.objectContaining({ status: 400, body }))
})
