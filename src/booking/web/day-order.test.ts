import { describe, expect, test } from 'vitest'
import { london } from '#testing/frozen-clock.ts'
import { dayOrder } from './day-order.ts'

const at = (start: string, end: string, more: { people?: number; isActive?: boolean } = {}) => ({
  class: {
    date: '2026-12-07',
    startsAt: london(`2026-12-07 ${start}`).toString(),
    endsAt: london(`2026-12-07 ${end}`).toString(),
    isActive: more.isActive ?? true,
    name: start,
  },
  bookings: Array.from({ length: more.people ?? 1 }),
})
const day = [
  at('08:00', '08:45'),
  at('09:30', '10:15'),
  at('11:00', '11:45', { people: 0 }),
  at('12:00', '12:45', { isActive: false }),
  at('18:00', '18:45'),
]
const names = (sessions: readonly { class: { name: string } }[]) => sessions.map((session) => session.class.name)

describe('the day’s list', () => {
  test.each([
    ['07:00', [], [], '08:00'],
    ['08:00', [], ['08:00'], '09:30'],
    ['08:44', [], ['08:00'], '09:30'],
    ['08:45', ['08:00'], [], '09:30'],
    ['10:15', ['08:00', '09:30'], [], '18:00'],
    ['18:00', ['08:00', '09:30', '11:00', '12:00'], ['18:00'], undefined],
    ['21:00', ['08:00', '09:30', '11:00', '12:00', '18:00'], [], undefined],
  ])('at %s: finished %j, now %j, next %s', (time, finished, now, next) => {
    const order = dayOrder(day, london(`2026-12-07 ${time}`))
    expect([names(order.finished), names(order.now), order.next?.class.name]).toEqual([finished, now, next])
    expect(order.open).toHaveLength(day.length - finished.length)
  })
})
