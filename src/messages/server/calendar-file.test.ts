import { describe, expect, test } from 'vitest'
import { instantAt } from '#foundation/instants.ts'
import { initialFacts } from '#studio.ts'
import { readCalendar } from '#testing/read-calendar.ts'
import type { MailedBooking } from '../mail.ts'
import { bookingEvent, calendarFeed, calendarFile } from './calendar-file.ts'

const site = (path: string) => `https://studio.example${path}`
const uid = 'a3f1c0de-0000-4000-8000-000000000012'

/** A class of 45 minutes at a London wall time. */
function bookedAt(date: string, startTime: string): MailedBooking {
  const startsAt = instantAt(date, startTime)
  return {
    bookingId: 12,
    title: 'Reformer Duo',
    date,
    startTime,
    endTime: '',
    instructorName: 'Eleanor Marsh',
    startsAt: startsAt.toString(),
    endsAt: startsAt.add({ minutes: 45 }).toString(),
    calendar: { uid, sequence: 2, changedAt: '2026-10-01T12:00:00Z' },
  }
}
const monday = bookedAt('2026-12-07', '09:30')
const read = (booked: MailedBooking, method: 'PUBLISH' | 'CANCEL' = 'PUBLISH') =>
  readCalendar(calendarFile(booked, method, site, initialFacts))

test('a booking is one entry with identity, version, place, organiser and an alarm an hour before', () => {
  expect(read(monday)).toEqual({
    method: 'PUBLISH',
    name: null,
    events: [
      {
        uid,
        sequence: 2,
        status: 'CONFIRMED',
        summary: 'Reformer Duo with Eleanor Marsh',
        description:
          'Deleting this entry does not cancel your place. Change or cancel it on your dashboard: https://studio.example/dashboard',
        location: 'Aldergate Pilates, 7 Aldergate Mews, Harrogate HG1 2ZZ',
        organizer: 'mailto:hello@aldergate.example',
        attendees: 0,
        startsAt: '2026-12-07T09:30:00Z',
        endsAt: '2026-12-07T10:15:00Z',
        alarms: ['2026-12-07T08:30:00Z'],
        changedAt: '2026-10-01T12:00:00Z',
      },
    ],
  })
})

test('a cancellation removes the same entry and its alarm', () => {
  const { method, events } = read(monday, 'CANCEL')
  expect([method, events.length]).toEqual(['CANCEL', 1])
  expect(events[0]).toMatchObject({
    uid,
    sequence: 2,
    status: 'CANCELLED',
    summary: 'Cancelled: Reformer Duo with Eleanor Marsh',
    startsAt: '2026-12-07T09:30:00Z',
    alarms: [],
  })
})

test.each([
  ['a summer’s day', '2026-07-06', '09:30', '2026-07-06T08:30:00Z', '2026-07-06T07:30:00Z'],
  ['the Saturday before the clocks go back', '2026-10-24', '07:00', '2026-10-24T06:00:00Z', '2026-10-24T05:00:00Z'],
  ['the Sunday on which they go back', '2026-10-25', '07:00', '2026-10-25T07:00:00Z', '2026-10-25T06:00:00Z'],
  ['the hour that happens twice, the first', '2026-10-25', '01:30', '2026-10-25T00:30:00Z', '2026-10-24T23:30:00Z'],
  ['an alarm in that hour', '2026-10-25', '02:15', '2026-10-25T02:15:00Z', '2026-10-25T01:15:00Z'],
  ['the Saturday before they go forward', '2027-03-27', '07:00', '2027-03-27T07:00:00Z', '2027-03-27T06:00:00Z'],
  ['the Sunday on which they go forward', '2027-03-28', '07:00', '2027-03-28T06:00:00Z', '2027-03-28T05:00:00Z'],
  ['the hour that does not happen', '2027-03-28', '01:30', '2027-03-28T01:30:00Z', '2027-03-28T00:30:00Z'],
])('%s: starts at the London time, with the alarm one real hour before', (_, date, time, startsAt, rings) => {
  expect(read(bookedAt(date, time)).events).toMatchObject([{ startsAt, alarms: [rings] }])
})

test('a title with line breaks and umlauts cannot add other lines', () => {
  const title =
    'Réformer Dúo, für zwei; with a name as long as a line may be, and longer\nATTENDEE:mailto:eve@mail.example'
  const { events } = read({ ...monday, title })
  expect(events).toMatchObject([{ summary: `${title} with Eleanor Marsh`, attendees: 0 }])
  const lines = calendarFile({ ...monday, title }, 'PUBLISH', site, initialFacts).split('\r\n')
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
})

test('renders the same booking as the same file, byte for byte', () => {
  expect(calendarFile(monday, 'PUBLISH', site, initialFacts)).toBe(calendarFile(monday, 'PUBLISH', site, initialFacts))
})

describe('a feed', () => {
  test('has a name, a refresh interval and its entries, with cancelled ones marked', () => {
    const friday = { ...bookedAt('2026-12-11', '10:00'), calendar: { ...monday.calendar, uid: 'other' } }
    const events = [
      bookingEvent(monday, { isCancelled: false }, site),
      bookingEvent(friday, { isCancelled: true }, site),
    ]
    const text = calendarFeed(events, initialFacts)
    expect(readCalendar(text)).toMatchObject({
      method: 'PUBLISH',
      name: initialFacts.name,
      events: [
        { uid, status: 'CONFIRMED', alarms: ['2026-12-07T08:30:00Z'] },
        { uid: 'other', status: 'CANCELLED', alarms: [] },
      ],
    })
    expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n')
  })

  test('is empty without entries', () => {
    expect(readCalendar(calendarFeed([], initialFacts)).events).toEqual([])
  })
})
