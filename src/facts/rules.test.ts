import { describe, expect, test } from 'vitest'
import { initialFacts } from '#studio.ts'
import { fillPolicyNumbers, unknownPlaceholders } from './numbers.ts'
import { publicFacts, vatIn, vatOn } from './rules.ts'
import { DAYS, hoursInWords, type Opening } from './rules-hours.ts'
import { completeTimetables } from './rules-timetable.ts'

describe('opening hours in words', () => {
  const day: Opening = { opens: '10:00', closes: '20:00' }
  const short: Opening = { opens: '08:00', closes: '13:00' }
  const week = (...hours: Opening[]) =>
    Object.fromEntries(DAYS.map((name, i) => [name, hours[i] ?? null])) as Record<(typeof DAYS)[number], Opening>

  test.each<[string, Opening[], [string, string | null][]]>([
    [
      'the default hours',
      [day, day, day, day, day, short, null],
      [
        ['Monday to Friday', '10:00 - 20:00'],
        ['Saturday', '08:00 - 13:00'],
        ['Sunday', null],
      ],
    ],
    [
      'a different Friday',
      [day, day, day, day, short, short, null],
      [
        ['Monday to Thursday', '10:00 - 20:00'],
        ['Friday to Saturday', '08:00 - 13:00'],
        ['Sunday', null],
      ],
    ],
    ['always closed', [], [['Monday to Sunday', null]]],
    [
      'equal but not consecutive days',
      [day, null, day, null, null, null, null],
      [
        ['Monday', '10:00 - 20:00'],
        ['Tuesday', null],
        ['Wednesday', '10:00 - 20:00'],
        ['Thursday to Sunday', null],
      ],
    ],
  ])('%s', (_case, hours, words) => {
    expect(hoursInWords(week(...hours)).map(({ days, times }) => [days, times])).toEqual(words)
  })
})

test('fills in the numbers of policy texts and finds unknown placeholders', () => {
  expect(fillPolicyNumbers('{minutes} minutes, {hours} hours, {days} days, {percent}%, {months} months')).toBe(
    '120 minutes, 12 hours, 14 days, 10%, 24 months',
  )
  expect(unknownPlaceholders('{minutes} or {mintues} or {}')).toEqual(['mintues', ''])
  expect(fillPolicyNumbers(initialFacts.policies.cancelling)).not.toContain('{')
})

test('applies a VAT period from its first day until the next one starts', () => {
  const vat = (rate: number) => ({ number: '123456789', rate })
  const periods = [
    { from: '2026-12-07', vat: vat(20) },
    { from: '2027-01-01', vat: null },
    { from: '2027-02-01', vat: vat(5) },
  ]
  const on = ['2026-12-06', '2026-12-07', '2026-12-31', '2027-01-01', '2027-03-01'].map((day) => vatOn(periods, day))
  expect(on).toEqual([null, vat(20), vat(20), null, vat(5)])
})

test.each([
  [12_000, 20, 2000],
  [1005, 20, 168],
  [12_000, 0, 0],
])('finds the VAT included in %i pence at %i%%, and the same in a refund', (pence, rate, vat) => {
  expect([vatIn(pence, { rate }), vatIn(-pence, { rate }) + vat, vatIn(pence, null)]).toEqual([vat, 0, 0])
})

test('shows a notice until the end of its last day', () => {
  const until = (day: string | null) => ({ ...initialFacts, notice: { text: 'Closed on Friday', until: day } })
  expect(publicFacts(until('2026-12-11'), '2026-12-11').notice?.text).toBe('Closed on Friday')
  expect(publicFacts(until('2026-12-11'), '2026-12-12').notice).toBeNull()
  expect(publicFacts(until(null), '2030-01-01').notice?.text).toBe('Closed on Friday')
  expect(publicFacts(initialFacts, '2026-12-11')).not.toHaveProperty('ownerEmail')
})

test('has a timetable in force from its first day until the next one starts', () => {
  const timetables = completeTimetables([
    { from: '2027-01-04', slots: [] },
    {
      from: '2026-12-08',
      slots: [
        { day: 'Friday', startTime: '08:00' },
        { day: 'Monday', startTime: '18:00', endTime: '18:30', maxParticipants: 1 },
        { day: 'Monday', startTime: '09:30' },
      ],
    },
  ])
  expect(timetables.map(({ from }) => from)).toEqual(['2026-12-08', '2027-01-04'])
  expect(timetables[0]?.slots).toEqual([
    { day: 'Monday', startTime: '09:30', endTime: '10:15', maxParticipants: 2 },
    { day: 'Monday', startTime: '18:00', endTime: '18:30', maxParticipants: 1 },
    { day: 'Friday', startTime: '08:00', endTime: '08:45', maxParticipants: 2 },
  ])
  const on = (day: string) => {
    const { timetable, nextTimetable } = publicFacts({ ...initialFacts, timetables }, day)
    return [timetable?.from ?? null, nextTimetable?.from ?? null]
  }
  expect([on('2026-12-07'), on('2026-12-08'), on('2027-01-03'), on('2027-01-04')]).toEqual([
    [null, '2026-12-08'],
    ['2026-12-08', '2027-01-04'],
    ['2026-12-08', '2027-01-04'],
    ['2027-01-04', null],
  ])
})
