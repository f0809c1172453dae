import { expect, test } from 'vitest'
import { london } from '#testing/frozen-clock.ts'
import type { Booking } from '../contract.ts'
import { nextClasses } from './next-classes.ts'

const now = london('2026-12-07 15:44').epochMilliseconds

function booking(
  date: string,
  [startTime, endTime]: [string, string],
  status: Booking['status'] = 'confirmed',
): Booking {
  const [startsAt = '', endsAt = ''] = [startTime, endTime].map((time) => london(`${date} ${time}`).toString())
  const studioClass = {
    title: `At ${startTime}`,
    date,
    startTime,
    endTime,
    startsAt,
    endsAt,
    instructorName: 'Eleanor',
  }
  return {
    id: 7,
    userId: 'a-member',
    classId: 8,
    user: { firstName: 'Ana', lastName: 'Lima' },
    class: studioClass,
    status,
    paymentStatus: 'paid',
    participantCount: 1,
    participants: 1,
    totalAmount: '58.00',
    bookedAt: startsAt,
    cancelledAt: null,
    movedFrom: null,
    bookedWith: null,
    hasPassEnded: false,
    companion: null,
    bookedBy: null,
    hasFreePlace: false,
    isWeekly: false,
    maxParticipants: 2,
  }
}

const running = booking('2026-12-07', ['15:00', '15:45'])
const over = booking('2026-12-07', ['14:00', '14:45'])
const tomorrow = booking('2026-12-08', ['09:00', '09:45'])

test('keeps confirmed classes that have not ended, next first', () => {
  const cancelled = booking('2026-12-08', ['08:00', '08:45'], 'cancelled')
  expect(nextClasses([tomorrow, cancelled, over, running], now)?.classes.map(({ title }) => title)).toEqual([
    'At 15:00',
    'At 09:00',
  ])
})

test('keeps only the title and the times', () => {
  expect(nextClasses([tomorrow], now)).toEqual({
    savedAt: now,
    classes: [
      {
        title: 'At 09:00',
        day: 'Tuesday 8 December 2026',
        startTime: '09:00',
        endTime: '09:45',
        endsAt: '2026-12-08T09:45:00Z',
      },
    ],
  })
})

test('keeps at most three, and returns undefined if there are none', () => {
  expect(nextClasses([tomorrow, tomorrow, tomorrow, tomorrow], now)?.classes).toHaveLength(3)
  expect(nextClasses([over], now)).toBeUndefined()
})
