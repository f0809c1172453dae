import { describe, expect, test } from 'vitest'
import type { Slot } from '#facts/contract-timetable.ts'
import { london } from '#testing/frozen-clock.ts'
import type { RepeatFrequency } from './contract.ts'
import { classType, closureOf, closureOn, hasStarted, spanOf } from './rules.ts'
import {
  datesOfTerm,
  inForceInstead,
  MAX_OCCURRENCES,
  occurrences,
  overlappingSlots,
  withSlotChanged,
} from './rules-planning.ts'

test('the dates of a term follow the timetable in force on each day', () => {
  const slot = (day: Slot['day'], startTime = '09:30') => ({ day, startTime, endTime: '10:15', maxParticipants: 2 })
  const timetables = [
    { from: '2026-01-01', slots: [slot('Sunday'), slot('Monday')] },
    { from: '2027-01-11', slots: [slot('Monday'), slot('Monday'), slot('Sunday', '10:00')] },
    { from: '2027-01-18', slots: [] },
  ]
  const dates = (from: string, to: string) =>
    datesOfTerm(timetables, { from, to }).map((one) => `${one.day} ${one.startTime} #${one.nth}: ${one.dates}`)
  expect(dates('2027-01-03', '2027-01-31')).toEqual([
    'Monday 09:30 #1: 2027-01-04,2027-01-11',
    'Monday 09:30 #2: 2027-01-11',
    'Sunday 09:30 #1: 2027-01-03,2027-01-10',
    'Sunday 10:00 #1: 2027-01-17',
  ])
  expect(dates('2027-01-10', '2027-01-10')).toEqual(['Sunday 09:30 #1: 2027-01-10'])
  expect(dates('2025-12-01', '2026-01-03')).toEqual([])
})

test('weekly classes overlap if one starts before the other ends on the same day', () => {
  const slot = (day: Slot['day'], startTime: string, endTime: string) => ({
    day,
    startTime,
    endTime,
    maxParticipants: 2,
  })
  const pairs = (...slots: Slot[]) => overlappingSlots(slots).map(([a, b]) => `${a.startTime} ${b.startTime}`)
  expect(pairs(slot('Friday', '09:00', '09:45'), slot('Friday', '08:15', '09:00'))).toEqual([])
  expect(pairs(slot('Friday', '09:00', '09:45'), slot('Friday', '08:15', '09:01'))).toEqual(['08:15 09:00'])
  expect(pairs(slot('Friday', '08:00', '08:45'), slot('Monday', '08:00', '08:45'))).toEqual([])
  expect(pairs(slot('Friday', '08:00', '08:00'), slot('Friday', '08:44', '09:30'))).toEqual(['08:00 08:44'])
})

test('a timetable is never shown if a later one is already in force', () => {
  const others = [
    { from: '2026-01-01', slots: [] },
    { from: '2026-12-01', slots: [] },
  ]
  const instead = (from: string) => inForceInstead(others, from, '2026-12-07')?.from
  expect(['2026-11-30', '2026-12-02', '2026-12-07', '2027-01-04'].map(instead)).toEqual([
    '2026-12-01',
    undefined,
    undefined,
    undefined,
  ])
  expect(inForceInstead([{ from: '2027-01-04', slots: [] }], '2026-12-01', '2026-12-07')).toBeUndefined()
})

describe('the timetable after a slot changed', () => {
  const slot = (startTime: string, endTime: string): Slot => ({ day: 'Friday', startTime, endTime, maxParticipants: 2 })
  const [before, after, other] = [slot('08:00', '08:45'), slot('08:15', '09:00'), slot('10:00', '10:45')]
  const timetables = [
    { from: '2026-01-01', slots: [before, other] },
    { from: '2027-01-04', slots: [before] },
  ]
  const [first, second] = timetables

  test('has a new version from that day, and later versions follow', () => {
    expect(withSlotChanged(timetables, { before, after, from: '2026-12-11' })).toEqual([
      first,
      { from: '2026-12-11', slots: [after, other] },
      { from: '2027-01-04', slots: [after] },
    ])
    expect(withSlotChanged(timetables, { before, after, from: '2027-01-04' })).toEqual([
      first,
      { from: '2027-01-04', slots: [after] },
    ])
    expect(withSlotChanged(timetables, { before, after: null, from: '2027-01-05' })).toEqual([
      first,
      second,
      { from: '2027-01-05', slots: [] },
    ])
  })

  test('keeps the teacher of a slot that changes', () => {
    const taught = [{ from: '2026-01-01', slots: [{ ...before, instructorName: 'Jo Hart' }] }]
    const changed = withSlotChanged(taught, { before, after, from: '2026-12-11' })
    expect(changed?.at(-1)?.slots).toEqual([{ ...after, instructorName: 'Jo Hart' }])
  })

  test('is not changed by a slot that it does not have, or by the same slot', () => {
    expect(withSlotChanged(timetables, { before: after, after: before, from: '2026-12-11' })).toBeNull()
    expect(withSlotChanged(timetables, { before: other, after, from: '2027-01-04' })).toBeNull()
    expect(withSlotChanged(timetables, { before, after: { ...before }, from: '2026-12-11' })).toBeNull()
  })
})

test('a class with one place is a one-on-one, any other a duo', () => {
  expect([1, 2].map(classType)).toEqual(['One-on-one', 'Duo'])
})

describe('the closure of a class', () => {
  const whole = { from: '2026-12-24', to: '2026-12-26', fromTime: null, toTime: null }
  const morning = { from: '2026-12-26', to: '2026-12-26', fromTime: '09:00', toTime: '12:00' }

  test.each([
    ['2026-12-23', '23:59', undefined],
    ['2026-12-24', '00:00', whole],
    ['2026-12-26', '10:00', whole],
    ['2026-12-27', '00:00', undefined],
  ])('%s %s', (date, startTime, closure) => {
    expect(closureOf({ date, startTime }, [whole, morning])).toBe(closure)
  })

  test.each([
    ['08:59', undefined],
    ['09:00', morning],
    ['11:59', morning],
    ['12:00', undefined],
  ])('with hours, %s', (startTime, closure) => {
    expect(closureOf({ date: '2026-12-26', startTime }, [morning])).toBe(closure)
    expect(closureOf({ date: '2026-12-25', startTime }, [morning])).toBeUndefined()
  })

  test('is one of the whole day before one of some hours', () => {
    expect(closureOn('2026-12-26', [morning, whole])).toBe(whole)
    expect(closureOn('2026-12-26', [morning])).toBe(morning)
    expect(closureOn('2026-12-27', [morning, whole])).toBeUndefined()
  })
})

describe('the dates of a repeating class', () => {
  test.each<[RepeatFrequency, string, string, string[]]>([
    ['weekly', '2026-12-07', '2026-12-21', ['2026-12-07', '2026-12-14', '2026-12-21']],
    ['weekly', '2026-12-07', '2026-12-20', ['2026-12-07', '2026-12-14']],
    ['weekly', '2026-12-07', '2026-12-07', ['2026-12-07']],
    ['weekly', '2026-12-07', '2026-01-01', ['2026-12-07']],
    ['biweekly', '2026-12-07', '2027-01-05', ['2026-12-07', '2026-12-21', '2027-01-04']],
    ['monthly', '2027-01-31', '2027-05-31', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
    ['monthly', '2028-01-30', '2028-03-29', ['2028-01-30', '2028-02-29']],
    ['monthly', '2026-12-15', '2027-02-15', ['2026-12-15', '2027-01-15', '2027-02-15']],
  ])('%s from %s until %s', (frequency, first, until, dates) => {
    expect(occurrences(first, frequency, until)).toEqual(dates)
  })

  test('stop at 367, one more than allowed', () => {
    const last = Temporal.PlainDate.from('2026-12-07').add({ weeks: 365 })
    expect(occurrences('2026-12-07', 'weekly', last.toString())).toHaveLength(MAX_OCCURRENCES)
    expect(occurrences('2026-12-07', 'weekly', last.add({ weeks: 1 }).toString())).toHaveLength(MAX_OCCURRENCES + 1)
    expect(occurrences('2026-12-07', 'weekly', '2199-12-31')).toHaveLength(MAX_OCCURRENCES + 1)
  })
})

describe('when a class runs', () => {
  test.each([
    // Ordinary days in winter and summer.
    ['2026-12-07', '18:00', '18:45', '2026-12-07T18:00:00Z', '2026-12-07T18:45:00Z'],
    ['2027-06-07', '18:00', '18:45', '2027-06-07T17:00:00Z', '2027-06-07T17:45:00Z'],
    // An end that is not after the start counts as 45 minutes.
    ['2026-12-07', '18:00', '18:00', '2026-12-07T18:00:00Z', '2026-12-07T18:45:00Z'],
    ['2026-12-07', '18:00', '17:00', '2026-12-07T18:00:00Z', '2026-12-07T18:45:00Z'],
    ['2026-12-07', '23:30', '00:15', '2026-12-07T23:30:00Z', '2026-12-08T00:15:00Z'],
    ['2026-12-07', '18:00', '18:01', '2026-12-07T18:00:00Z', '2026-12-07T18:01:00Z'],
    // The clock goes forward at 01:00: 01:30 does not exist and becomes 02:30.
    ['2027-03-28', '00:30', '01:15', '2027-03-28T00:30:00Z', '2027-03-28T01:15:00Z'],
    ['2027-03-28', '01:30', '02:15', '2027-03-28T01:30:00Z', '2027-03-28T02:15:00Z'],
    ['2027-03-28', '09:30', '10:15', '2027-03-28T08:30:00Z', '2027-03-28T09:15:00Z'],
    // It goes back at 02:00: 01:30 happens twice, and the first one counts.
    ['2027-10-31', '01:30', '02:15', '2027-10-31T00:30:00Z', '2027-10-31T02:15:00Z'],
    ['2027-10-31', '09:30', '10:15', '2027-10-31T09:30:00Z', '2027-10-31T10:15:00Z'],
  ])('%s %s to %s', (date, startTime, endTime, startsAt, endsAt) => {
    const span = spanOf({ date, startTime, endTime })
    expect([span.startsAt.toString(), span.endsAt.toString()]).toEqual([startsAt, endsAt])
  })

  test.each([
    ['17:59:59', false],
    ['18:00:00', true],
    ['18:00:01', true],
  ])('at %s a class at 18:00 has started: %s', (now, started) => {
    expect(hasStarted(london('2026-12-07 18:00'), london(`2026-12-07 ${now}`))).toBe(started)
  })
})
