import { expect, test } from 'vitest'
import { wholeTime } from './time-field.tsx'

test.each([
  ['09:30', '09:30'],
  ['9:30', '09:30'],
  ['930', '09:30'],
  ['1830', '18:30'],
  ['18.30', '18:30'],
  ['9', '09:00'],
  ['24', '24'],
  ['12:60', '12:60'],
  ['noon', 'noon'],
  ['', ''],
])('reads %j as %j', (typed, time) => {
  expect(wholeTime(typed)).toBe(time)
})
