import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDate, formatLongDate, monthOf, weekdayOf } from './dates.ts'
import {
  endOfDay,
  formatInstant,
  formatInstantDate,
  instantAt,
  studioDate,
  studioMonth,
  studioTime,
} from './instants.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const date = fc
  .integer({ min: 0, max: 80_000 })
  .map((days) => Temporal.PlainDate.from('1990-01-01').add({ days }).toString())
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)

describe('the instant of a wall time', () => {
  test.each([
    ['winter is UTC', '2026-12-07', '18:00', '2026-12-07T18:00:00Z'],
    ['summer is an hour ahead', '2026-07-06', '18:00', '2026-07-06T17:00:00Z'],
    ['the minute before the clocks go forward', '2026-03-29', '00:59', '2026-03-29T00:59:00Z'],
    ['a time in the gap moves forward', '2026-03-29', '01:30', '2026-03-29T01:30:00Z'],
    ['the first minute after the gap', '2026-03-29', '02:00', '2026-03-29T01:00:00Z'],
    ['a time that comes twice is its first', '2026-10-25', '01:30', '2026-10-25T00:30:00Z'],
    ['the minute after the repeat', '2026-10-25', '02:00', '2026-10-25T02:00:00Z'],
  ])('%s', (_, day, wall, expected) => {
    expect(instantAt(day, wall).toString()).toBe(expected)
  })

  test('is an hour later within a gap', () => {
    expect(studioTime(instantAt('2026-03-29', '01:30'))).toBe('02:30')
  })

  test('converts back on every day, except in a gap', () => {
    fc.assert(
      fc.property(date, time, (day, wall) => {
        const at = instantAt(day, wall)
        expect(studioDate(at).toString()).toBe(day)
        if (studioTime(at) !== wall) {
          const midnight = instantAt(day, '00:00')
          const next = instantAt(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), '00:00')
          expect(midnight.until(next).total('hours')).toBe(23)
        }
      }),
    )
  })
})

test.each([
  ['an ordinary day', '2026-12-07', '2026-12-07T23:59:59Z'],
  ['a summer day', '2026-07-06', '2026-07-06T22:59:59Z'],
  ['the day of 23 hours', '2026-03-29', '2026-03-29T22:59:59Z'],
  ['the day of 25 hours', '2026-10-25', '2026-10-25T23:59:59Z'],
])('ends %s with its last second in London', (_, day, expected) => {
  expect(endOfDay(Temporal.PlainDate.from(day)).toString()).toBe(expected)
})

test('converts an instant to London’s date and time', () => {
  expect(studioDate(instant('2026-07-06T23:30:00Z')).toString()).toBe('2026-07-07')
  expect(studioTime(instant('2026-07-06T23:30:00Z'))).toBe('00:30')
  expect(studioDate(instant('2026-12-07T23:30:00Z')).toString()).toBe('2026-12-07')
})

test.each([
  ['a winter month', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['a month in which the clocks go forward', '2026-03-15T12:00:00Z', '2026-03-01T00:00:00Z', '2026-03-31T23:00:00Z'],
  ['London is already in July', '2026-06-30T23:00:00Z', '2026-06-30T23:00:00Z', '2026-07-31T23:00:00Z'],
  ['London is still in June', '2026-06-30T22:59:59Z', '2026-05-31T23:00:00Z', '2026-06-30T23:00:00Z'],
])('the calendar month: %s', (_, now, from, until) => {
  const month = studioMonth(instant(now))
  expect([month.from.toString(), month.until.toString()]).toEqual([from, until])
})

test('formats an instant with the studio’s date and time', () => {
  expect(formatInstantDate('2026-07-06T23:30:00Z')).toBe('07/07/2026')
  expect(formatInstant('2026-07-06T08:15:00Z')).toBe('06/07/2026 09:15')
})

test('formats dates the British way', () => {
  expect(formatDate('2026-12-07')).toBe('07/12/2026')
  expect(formatLongDate('2026-12-07')).toBe('Monday 7 December 2026')
  expect(monthOf('2026-02-28')).toBe('February')
})

test('calculates the same weekday as Temporal, including before 1970 and in leap years', () => {
  const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  fc.assert(fc.property(date, (day) => weekdayOf(day) === names[Temporal.PlainDate.from(day).dayOfWeek - 1]))
  expect(weekdayOf('1900-01-01')).toBe('Monday')
  expect(weekdayOf('2024-02-29')).toBe('Thursday')
})
