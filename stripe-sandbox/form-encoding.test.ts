import { expect, test } from 'vitest'
import { parseForm } from './form-encoding.ts'

const plain = (text: string) => JSON.parse(JSON.stringify(parseForm(text)))

test.each([
  ['amount=4500&currency=gbp', { amount: '4500', currency: 'gbp' }],
  ['metadata[user]=7&metadata[note]=a+b%20c', { metadata: { user: '7', note: 'a b c' } }],
  ['metadata%5Buser%5D=7', { metadata: { user: '7' } }],
  ['expand[]=latest_charge&expand[]=payment_method', { expand: { 0: 'latest_charge', 1: 'payment_method' } }],
  ['payment_method_types[0]=card', { payment_method_types: { 0: 'card' } }],
  ['a[card][number]=4242&a[type]=card', { a: { card: { number: '4242' }, type: 'card' } }],
  ['description=&flag', { description: '', flag: '' }],
  ['name=%F0%9F%A7%98%E2%80%8F', { name: '🧘\u200f' }],
  ['', {}],
])('reads %s', (text, form) => {
  expect(plain(text)).toEqual(form)
})

test.each([
  '__proto__[admin]=1',
  'metadata[__proto__]=1',
  'metadata[constructor][prototype]=1',
  'a[b][c][d][e][f][g]=1',
  'name=%00',
  'name=%E0%A4%A',
  'a=1&a[b]=2',
  'a[b]=1&a=2',
  'a[b=1',
  '[a]=1',
  Array.from({ length: 1001 }, (_, at) => `k${at}=1`).join('&'),
])('refuses %s', (text) => {
  expect(() => parseForm(text)).toThrow(expect.objectContaining({ status: 400 }))
  expect(({} as Record<string, unknown>).admin).toBeUndefined()
})
