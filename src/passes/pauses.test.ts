import { describe, expect, test } from 'vitest'
import { london } from '#testing/frozen-clock.ts'
import { expiryAfter, frozenDaysOf, isPausedOn, pauseFrom, pausesBefore } from './rules.ts'

const range = (from: string, to = from) => ({ from: `2026-${from}`, to: `2026-${to}` })
const pass = { expiresAt: london('2026-12-20 23:59:59'), paused: [], frozenDays: [] }

describe('the expiry', () => {
  test.each([
    ['moves by both days of a pause', [range('12-07', '12-08')], [], '2026-12-22 23:59:59'],
    ['moves by a pause of one day', [range('12-07')], [], '2026-12-21 23:59:59'],
    ['counts shared days once', [range('12-01', '12-07'), range('12-05', '12-10')], [], '2026-12-30 23:59:59'],
    ['counts days of a dispute once', [range('12-01', '12-07')], [range('12-06', '12-10')], '2026-12-30 23:59:59'],
    ['counts days apart', [range('12-01'), range('12-03')], [], '2026-12-22 23:59:59'],
    [
      'is an end of day across the change to summer time',
      [{ from: '2026-12-21', to: '2027-04-20' }],
      [],
      '2027-04-20 23:59:59',
    ],
  ])('%s', (_, paused, frozenDays, expiry) => {
    expect(expiryAfter(pass, { paused, frozenDays })).toEqual(london(expiry))
  })

  test('moves back by the days that are taken off a pause', () => {
    const paused = { ...pass, paused: [range('12-01', '12-10')] }
    expect(expiryAfter(paused, { paused: [range('12-01', '12-04')] })).toEqual(london('2026-12-14 23:59:59'))
  })

  test('stays exactly as it was if no day is added', () => {
    const odd = { ...pass, expiresAt: london('2026-12-20 12:00:00'), frozenDays: [range('12-01', '12-10')] }
    expect(expiryAfter(odd, { paused: [range('12-02', '12-03')] })).toEqual(odd.expiresAt)
  })
})

test.each([
  ['12-06', false],
  ['12-07', true],
  ['12-09', true],
  ['12-10', false],
])('a pass paused from 7 to 9 December is paused on %s: %s', (date, isPaused) => {
  expect(isPausedOn({ paused: [range('12-07', '12-09')] }, `2026-${date}`)).toBe(isPaused)
})

test.each([
  ['12-06', []],
  ['12-07', []],
  ['12-08', [range('12-07')]],
  ['12-09', [range('12-07', '12-08')]],
  ['12-12', [range('12-07', '12-09')]],
  ['12-16', [range('12-07', '12-09'), range('12-15')]],
])('ended on %s, pauses from 7 to 9 and from 15 to 20 December leave %j', (date, left) => {
  expect(pausesBefore([range('12-07', '12-09'), range('12-15', '12-20')], `2026-${date}`)).toEqual(left)
})

test('shows the pause that a pass is in, or the next', () => {
  const paused = [range('12-15', '12-20'), range('12-07', '12-09')]
  const dates = ['12-01', '12-09', '12-10', '12-21']
  expect(dates.map((date) => pauseFrom({ paused }, `2026-${date}`)?.from)).toEqual([
    '2026-12-07',
    '2026-12-07',
    '2026-12-15',
    undefined,
  ])
})

test.each([
  ['2026-12-07 10:00', '2026-12-07 10:00', []],
  ['2026-12-07 10:00', '2026-12-07 10:01', [range('12-07')]],
  ['2026-12-07 10:00', '2026-12-08 09:59', [range('12-07')]],
  ['2026-12-07 10:00', '2026-12-09 15:00', [range('12-07', '12-09')]],
])('a dispute from %s to %s takes the days %j', (from, to, days) => {
  expect(frozenDaysOf(pass, london(from), london(to))).toEqual(days)
})
