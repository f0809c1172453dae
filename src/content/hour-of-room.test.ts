import { expect, test } from 'vitest'
import { hourOfRoom } from './hour-of-room.ts'

const at = (instant: string) => hourOfRoom(Date.parse(instant), 'Europe/London')

test.each([
  ['00:00:00', 'evening'],
  ['04:59:59.999', 'evening'],
  ['05:00:00', 'early'],
  ['08:29:59.999', 'early'],
  ['08:30:00', 'morning'],
  ['11:29:59.999', 'morning'],
  ['11:30:00', 'noon'],
  ['16:29:59.999', 'noon'],
  ['16:30:00', 'evening'],
  ['23:59:59.999', 'evening'],
])('at %s the room is in its %s light, in winter and in summer', (time, hour) => {
  expect(at(`2026-12-07T${time}Z`)).toBe(hour)
  expect(at(`2026-07-06T${time}+01:00`)).toBe(hour)
})

test.each([
  ['the day before the clocks go forward', '2026-03-28T04:59:59Z', 'evening'],
  ['the day before the clocks go forward', '2026-03-28T05:00:00Z', 'early'],
  ['the day they go forward', '2026-03-29T03:59:59Z', 'evening'],
  ['the day they go forward', '2026-03-29T04:00:00Z', 'early'],
  ['the day before they go back', '2026-10-24T04:00:00Z', 'early'],
  ['the day they go back', '2026-10-25T04:59:59Z', 'evening'],
  ['the day they go back', '2026-10-25T05:00:00Z', 'early'],
])('uses the studio’s local time, %s: %s', (_day, instant, hour) => {
  expect(at(instant)).toBe(hour)
})
