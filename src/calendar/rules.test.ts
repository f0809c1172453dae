import { expect, test } from 'vitest'
import { busyInWords, clashOf, feedStart, unreadInWords } from './rules.ts'

test('a feed starts ninety days back, to the second', () => {
  expect(feedStart(Temporal.Instant.from('2026-12-07T09:00:01Z')).toString()).toBe('2026-09-08T09:00:01Z')
})

test.each([
  ['2026-12-08T09:00:00Z', '2026-12-08T10:00:00Z', false, '09:00 to 10:00'],
  ['2026-12-07T22:00:00Z', '2026-12-08T10:00:00Z', false, 'until 10:00'],
  ['2026-12-08T18:00:00Z', '2026-12-09T10:00:00Z', false, 'from 18:00'],
  ['2026-12-08T00:00:00Z', '2026-12-09T00:00:00Z', false, 'all day'],
  ['2026-12-08T00:00:00Z', '2026-12-10T00:00:00Z', true, 'all day'],
])('says when the owner is busy: %s to %s', (startsAt, endsAt, isAllDay, words) => {
  expect(busyInWords('2026-12-08', { startsAt, endsAt, isAllDay })).toBe(words)
})

test('says why an event could not be read, and on which day', () => {
  expect(unreadInWords({ day: '2026-12-08', reason: 'end' })).toBe('An event on 08/12/2026 ends before it starts.')
  expect(unreadInWords({ day: null, reason: 'start' })).toBe('An event has no start.')
})

test.each([
  ['08:15', '09:00', false],
  ['08:16', '09:01', true],
  ['09:59', '10:44', true],
  ['10:00', '10:45', false],
])('a class from %s to %s clashes with 09:00 to 10:00: %s', (start, end, clashes) => {
  const busy = { startsAt: '2026-12-08T09:00:00Z', endsAt: '2026-12-08T10:00:00Z' }
  const held = { startsAt: `2026-12-08T${start}:00Z`, endsAt: `2026-12-08T${end}:00Z` }
  expect(clashOf(held, [busy]) !== undefined).toBe(clashes)
})
