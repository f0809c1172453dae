import type { Booking } from '../contract.ts'

type Booked = Booking['class']

/**
 * Links that add a class to web calendars, and the URL of a file for others.
 *
 * @param where the studio's name and address
 */
export function calendarLinks(id: number, studioClass: Booked, where: string): { name: string; href: string }[] {
  const { startsAt, endsAt } = studioClass
  const title = `${studioClass.title} with ${studioClass.instructorName}`
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(startsAt)}/${compact(endsAt)}`,
    location: where,
  })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: startsAt,
    enddt: endsAt,
    location: where,
  })
  return [
    { name: 'Google', href: `https://calendar.google.com/calendar/render?${google}` },
    { name: 'Apple', href: `/api/bookings/${id}/calendar.ics` },
    { name: 'Outlook', href: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}` },
  ]
}

/** `20261210T100000Z`. */
const compact = (instant: string) => instant.replace(/[-:]/g, '')
