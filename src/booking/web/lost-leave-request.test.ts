import { expect, test } from 'vitest'
import { resolveLostLeaveRequest } from './change-bookings.ts'

const other = { classId: 8, status: 'confirmed' } as const

test.each([
  ['who still waits has not left', [{ classId: 7 }], [other], undefined],
  ['who waits no more and has no place has left', [{ classId: 8 }], [other], { isBooked: false }],
  ['a cancelled place is none', [], [{ classId: 7, status: 'cancelled' }], { isBooked: false }],
  ['who was given the place meanwhile is booked', [], [other, { classId: 7, status: 'confirmed' }], { isBooked: true }],
] as const)('when the answer to leaving a line was lost, %s', (_, line, bookings, how) => {
  expect(resolveLostLeaveRequest(7, line, bookings)).toEqual(how)
})
