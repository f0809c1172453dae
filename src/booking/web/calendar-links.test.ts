import { expect, test } from 'vitest'
import { calendarLinks } from './calendar-links.ts'

const booked = {
  title: 'Reformer & Stretch',
  date: '2026-07-06',
  startTime: '09:30',
  endTime: '10:15',
  instructorName: 'Eleanor Marsh',
  startsAt: '2026-07-06T08:30:00Z',
  endsAt: '2026-07-06T09:15:00Z',
}

test('links to each calendar with the title, the times in UTC and the place', () => {
  const links = calendarLinks(12, booked, 'Aldergate Pilates, 7 Aldergate Mews')
  expect(links.map(({ name }) => name)).toEqual(['Google', 'Apple', 'Outlook'])
  const [google, apple, outlook] = links.map(({ href }) => new URL(href, 'https://studio.example'))
  expect(Object.fromEntries(google?.searchParams ?? [])).toMatchObject({
    text: 'Reformer & Stretch with Eleanor Marsh',
    dates: '20260706T083000Z/20260706T091500Z',
    location: 'Aldergate Pilates, 7 Aldergate Mews',
  })
  expect(apple?.pathname).toBe('/api/bookings/12/calendar.ics')
  expect(Object.fromEntries(outlook?.searchParams ?? [])).toMatchObject({
    subject: 'Reformer & Stretch with Eleanor Marsh',
    startdt: '2026-07-06T08:30:00Z',
    enddt: '2026-07-06T09:15:00Z',
  })
})
