import { expect, test } from 'vitest'
import { london } from '#testing/frozen-clock.ts'
import { openingDay } from './week-strip.tsx'

const at = (date: string, time: string, availableSpots = 1, isActive = true) => ({
  date,
  startsAt: london(`${date} ${time}`).toString(),
  availableSpots,
  isActive,
})
const SATURDAY = '2026-12-12'
const finished = at(SATURDAY, '07:00')
const evening = london(`${SATURDAY} 19:00`)

test.each([
  ['today if a class is still to come', [finished, at(SATURDAY, '19:01')], SATURDAY],
  ['today even if its future classes are full', [at(SATURDAY, '19:01', 0), at('2026-12-14', '09:30')], SATURDAY],
  ['another day once today’s last class has started', [at(SATURDAY, '19:00'), at('2026-12-14', '09:30')], '2026-12-14'],
  [
    'the first day with a free place',
    [at('2026-12-14', '09:30', 0), at('2026-12-16', '09:30'), at('2026-12-15', '12:00')],
    '2026-12-15',
  ],
  ['no day for an inactive class', [at('2026-12-14', '09:30', 1, false)], undefined],
  ['no day if all classes have ended or are full', [finished, at('2026-12-14', '09:30', 0)], undefined],
  ['no day without classes', [], undefined],
])('the calendar opens on %s', (_which, classes, day) => {
  expect(openingDay(classes, evening)).toBe(day)
})
