import { expect, test } from 'vitest'
import { london } from '#testing/frozen-clock.ts'
import { CODE_LETTERS, codeInGroups, normalCode, sendingTime, stateOf, voucherExpiry } from './rules.ts'

test('a code is read as people type it, and shown in groups of four', () => {
  for (const typed of ['ABCD-EFGH-JKMN', ' abcd efgh jkmn ', 'abcd–EFGHjkmn'])
    expect(normalCode(typed)).toBe('ABCDEFGHJKMN')
  expect(codeInGroups('ABCDEFGHJKMN')).toBe('ABCD-EFGH-JKMN')
  expect(CODE_LETTERS).not.toMatch(/[01ILO]/)
})

test('a voucher is valid to the end of the day 24 months after the sale', () => {
  expect(voucherExpiry(london('2026-12-07 09:00'))).toEqual(london('2028-12-08 00:00').subtract({ seconds: 1 }))
  expect(voucherExpiry(london('2028-02-29 23:59'))).toEqual(london('2030-03-01 00:00').subtract({ seconds: 1 }))
})

test('a voucher can be redeemed until its last second', () => {
  const expiresAt = london('2028-12-07 23:59')
  const open = { redeemedAt: null, voidedAt: null, frozenAt: null, expiresAt }
  expect(stateOf(open, expiresAt)).toBe('valid')
  expect(stateOf(open, expiresAt.add({ seconds: 1 }))).toBe('expired')
  expect(stateOf({ ...open, frozenAt: expiresAt }, expiresAt.add({ seconds: 1 }))).toBe('frozen')
  expect(stateOf({ ...open, voidedAt: expiresAt, frozenAt: expiresAt }, expiresAt)).toBe('void')
  expect(stateOf({ ...open, redeemedAt: expiresAt }, expiresAt.add({ seconds: 1 }))).toBe('redeemed')
})

test.each([
  [undefined, 'now'],
  ['2026-12-06', undefined],
  ['2026-12-07', '2026-12-07 09:00'],
  ['2027-07-01', '2027-07-01 09:00'],
  ['2027-12-07', '2027-12-07 09:00'],
  ['2027-12-08', undefined],
])('on 7 December 2026 a voucher for %s is sent at %s', (day, expected) => {
  const now = london('2026-12-07 15:00')
  expect(sendingTime(day, now)).toEqual(expected === 'now' ? now : expected && london(expected))
})
