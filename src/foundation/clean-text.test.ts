import { expect, test } from 'vitest'
import { cleanLine, cleanLogin, cleanPhone, VISIBLE, withoutInvisible } from './clean-text.ts'

test.each([
  ['\u200bAnn\u200b', 'Ann'],
  ['Ann\u202eeel', 'Anneel'],
  ['An\u00adna', 'Anna'],
  ['\ufeffAnna\u2066', 'Anna'],
  ['A\u200dnn', 'Ann'],
  ['\u3164\u200b\u2800', ''],
  ['Zoe\u0308\u00a0Brand\u3000', 'Zoë Brand '],
  ['Ann\nLee', 'Ann\nLee'],
])('%j is cleaned to %j', (text, cleaned) => {
  expect(cleanLine(text)).toBe(cleaned)
})

test.each([
  ['emoji with joiners', '👩‍👧 ❤️‍🔥 👍🏽 1️⃣'],
  ['the flag of England', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['Persian', 'می‌خواهم'],
  ['a Hindi conjunct', 'क्‍ष'],
  ['a variant of an ideograph', '葛\u{e0100}'],
  ['lines', 'One\r\n\ttwo'],
])('%s stays as it is', (_, text) => {
  expect(withoutInvisible(text)).toBe(text)
})

test('sees whether a text shows anything', () => {
  for (const text of ['', ' \n', '\u200b', '\u3164', '\u202e\u00a0', '\u2800'])
    expect([text, VISIBLE.test(text)]).toEqual([text, false])
  for (const text of ['a', '\u200b.', '王', '😀']) expect([text, VISIBLE.test(text)]).toEqual([text, true])
})

test.each([
  ['\u200bann3@field.example', 'ann3@field.example'],
  ['ann@field.example.', 'ann@field.example'],
  [' ann@field.example. \n', 'ann@field.example'],
  ['ａｎｎ@field.example', 'ann@field.example'],
  ['cafe\u0301', 'café'],
  ['ﬁona', 'fiona'],
  ['j.r.', 'j.r'],
])('the login %j is %j', (typed, login) => {
  expect(cleanLogin(typed)).toBe(login)
  expect(cleanLogin(login)).toBe(login)
})

test.each([
  ['\u202a+44 7700 900111\u202c', '+44 7700 900111'],
  ['07700\u2011900112', '07700-900112'],
  ['07700\u2013900112', '07700-900112'],
  ['07700\u00a0900112', '07700 900112'],
  ['０７７００ ９００１１２', '07700 900112'],
  ["'07700900109", '07700900109'],
  ['="07700900110"', '07700900110'],
  ['Tel: 07700 900113', '07700 900113'],
  ['+44 (0)20 7946 0958', '+44 (0)20 7946 0958'],
])('the phone number %j is %j', (typed, number) => {
  expect(cleanPhone(typed)).toBe(number)
})
