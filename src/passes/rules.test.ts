import { expect, test } from 'vitest'
import { london } from '#testing/frozen-clock.ts'
import { expiryOf, expiryWarningAt, isValidFor } from './rules.ts'

test.each([
  ['2026-12-07 09:00', 4, '2027-04-07T22:59:59Z'],
  ['2026-12-07 00:00', 1, '2027-01-07T23:59:59Z'],
  ['2026-12-07 23:59:59', 1, '2027-01-07T23:59:59Z'],
  ['2026-11-30 10:00', 3, '2027-02-28T23:59:59Z'],
  ['2027-11-30 10:00', 3, '2028-02-29T23:59:59Z'],
  ['2026-12-31 10:00', 6, '2027-06-30T22:59:59Z'],
  ['2026-09-25 10:00', 1, '2026-10-25T23:59:59Z'],
  // Half past midnight in a London summer is still yesterday in UTC.
  ['2026-07-01 00:30', 12, '2027-07-01T22:59:59Z'],
])('a pass from %s for %i months is valid until %s', (from, months, until) => {
  expect(expiryOf(london(from), months).toString()).toBe(until)
})

test.each([
  ['2027-04-07 23:59:59', true],
  ['2027-04-08 00:00', false],
  ['2027-04-07 07:00', true],
])('whether a pass that expires on 7 April pays for a class at %s: %s', (startsAt, pays) => {
  const expiresAt = expiryOf(london('2026-12-07 09:00'), 4)
  expect(isValidFor({ expiresAt }, london(startsAt))).toBe(pays)
})

test.each([
  ['2026-12-07T10:00:00Z', '2026-12-22T23:59:59Z', null],
  ['2026-12-07T10:00:00Z', '2026-12-21T23:59:59Z', 14],
  ['2026-12-17T10:00:00Z', '2026-12-21T23:59:59Z', 14],
  ['2026-12-18T00:00:00Z', '2026-12-21T23:59:59Z', 3],
  ['2026-12-21T23:59:58Z', '2026-12-21T23:59:59Z', 3],
  ['2026-12-21T23:59:59Z', '2026-12-21T23:59:59Z', null],
  // The clocks change on 28 March: 14 days of London's calendar.
  ['2027-03-20T23:30:00Z', '2027-04-03T22:59:59Z', 14],
])('at %s the warning for a pass that expires at %s is the one of %s days', (now, expiresAt, days) => {
  expect(expiryWarningAt(Temporal.Instant.from(now), Temporal.Instant.from(expiresAt))).toBe(days)
})
