import { expect, test } from 'vitest'
import { resolveLostLeaveRequest } from './change-bookings.ts'

const other = { classId: 8, status: 'confirmed' } as const

test.each([
  ['still waiting if the list has the member', [{ classId: 7 }], [other], undefined],
  ['left if neither list has the member', [{ classId: 8 }], [other], { isBooked: false }],
  ['left if the booking is cancelled', [], [{ classId: 7, status: 'cancelled' }], { isBooked: false }],
  [
    'booked if the place was given in the meantime',
    [],
    [other, { classId: 7, status: 'confirmed' }],
    { isBooked: true },
  ],
] as const)('after a lost response, the member is %s', (_, line, bookings, how) => {
  expect(resolveLostLeaveRequest(7, line, bookings)).toEqual(how)
})
