import { expect, test } from 'vitest'
import { cutoffsAt, isSameName, mustTypeName, reasonToHold, recentPurchasesSince } from './rules.ts'

const at = (now: string) => {
  const { contact, health, invitation, financial, records } = cutoffsAt(Temporal.Instant.from(now))
  expect(String(invitation)).toBe(String(health))
  return [contact, health, financial, records].map(String)
}

test.each([
  [
    '2026-12-07T09:00:00Z',
    ['2024-12-07T09:00:00Z', '2026-06-07T08:00:00Z', '2020-12-07T09:00:00Z', '2025-12-07T09:00:00Z'],
  ],
  // The clock of London: 10:00 in summer is 09:00 in UTC.
  [
    '2026-07-01T09:00:00Z',
    ['2024-07-01T09:00:00Z', '2026-01-01T10:00:00Z', '2020-07-01T09:00:00Z', '2025-07-01T09:00:00Z'],
  ],
  // A month that has no such day ends on its last.
  [
    '2028-08-31T11:00:00Z',
    ['2026-08-31T11:00:00Z', '2028-02-29T12:00:00Z', '2022-08-31T11:00:00Z', '2027-08-31T11:00:00Z'],
  ],
])('calculates the cutoffs at %s', (now, cutoffs) => {
  expect(at(now)).toEqual(cutoffs)
})

test.each([
  ['2026-12-21T23:59:59Z', '2026-12-07T00:00:00Z'],
  ['2026-12-22T00:00:00Z', '2026-12-08T00:00:00Z'],
  // Over the change to winter time, by London's calendar.
  ['2026-10-26T03:45:00Z', '2026-10-11T23:00:00Z'],
])('at %s keeps members with purchases since %s', (now, since) => {
  expect(String(recentPurchasesSince(Temporal.Instant.from(now)))).toBe(since)
})

const night = Temporal.Instant.from('2026-12-08T03:45:00Z')
const usual = {
  now: night,
  processNow: night,
  databaseNow: night,
  lastRunAt: night.subtract({ hours: 24 }),
  members: 100,
  due: 5,
}
test.each([
  ['a usual night', {}, undefined],
  ['a first run', { lastRunAt: null }, undefined],
  ['clocks 5 minutes apart', { databaseNow: night.add({ minutes: 5 }) }, undefined],
  ['a database that is ahead', { databaseNow: night.add({ minutes: 5, milliseconds: 1 }) }, 'clocks_differ'],
  ['a database that is behind', { databaseNow: night.subtract({ minutes: 5, milliseconds: 1 }) }, 'clocks_differ'],
  ['a second run in the same instant', { lastRunAt: night }, undefined],
  ['a last run in the future', { lastRunAt: night.add({ milliseconds: 1 }) }, 'last_run_ahead'],
  ['a last run a week ago', { lastRunAt: night.subtract({ hours: 168 }) }, undefined],
  ['a last run before that', { lastRunAt: night.subtract({ hours: 168, milliseconds: 1 }) }, 'last_run_long_ago'],
  ['5 of 99 members', { members: 99 }, 'many_due'],
  ['4 of 4 members', { members: 4, due: 4 }, undefined],
])('decides whether to hold a run after %s', (_what, run, reason) => {
  expect(reasonToHold({ ...usual, ...run })).toBe(reason)
})

test.for([
  [{ credits: 0, upcomingBookings: 0, openComplaints: 0 }, false],
  [{ credits: 1, upcomingBookings: 0, openComplaints: 0 }, true],
  [{ credits: 0, upcomingBookings: 1, openComplaints: 0 }, true],
  [{ credits: 0, upcomingBookings: 0, openComplaints: 1 }, true],
] as const)('with %j the name is typed before deleting: %s', ([facts, expected]) => {
  expect(mustTypeName(facts)).toBe(expected)
})

test.for([
  ['Anna  Maria Cast', ' anna maria cast ', true],
  ['Zoë Cast', 'ZOË CAST', true],
  ['Siân O’Neill', "sian o'neill", true],
  ['Ana Cast', 'Ana', false],
  ['Ana Cast', '', false],
] as const)('%s typed as “%s” is the same name: %s', ([name, typed, expected]) => {
  expect(isSameName(typed, name)).toBe(expected)
})
