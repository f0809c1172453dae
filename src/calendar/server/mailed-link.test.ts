import { expect, test } from 'vitest'
import { rescheduleBooking } from '#booking/contract.ts'
import { defined } from '#foundation/collections.ts'
import type { Person } from '#testing/person.ts'
import { readCalendar } from '#testing/read-calendar.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { calendarRefusals } from '../contract.ts'

/** The 'Add to calendar' link of a person's newest email that has one. */
async function linkOf(studio: StudioUnderTest, person: Person): Promise<string> {
  const links = (await studio.mailTo(person)).flatMap(({ text }) => /Add to calendar (\S+)/.exec(text)?.[1] ?? [])
  return new URL(defined(links.at(-1))).pathname
}

/** The response without a login. */
async function follow(studio: StudioUnderTest, path: string) {
  const { status, headers, body } = await studio.visitor().request('GET', path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(headers.get('content-disposition')).toBe('inline; filename="class.ics"')
  const { method, events } = readCalendar(body)
  expect(events).toHaveLength(1)
  return { method, ...defined(events[0]) }
}

test('the link in an email opens the calendar entry without login, as it is now', async () => {
  const { studio, ana } = await openStudio()
  const [tuesday, friday] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Friday 10:00')]
  const booking = (await ana.book(tuesday)).body
  const path = await linkOf(studio, ana)
  const booked = await follow(studio, path)
  expect(booked).toMatchObject({ method: 'PUBLISH', status: 'CONFIRMED', startsAt: '2026-12-08T18:00:00Z' })

  const moved = (await ana.call(rescheduleBooking, { params: { id: booking.id }, body: { classId: friday } })).body
  expect(await linkOf(studio, ana)).toBe(path)
  expect(await follow(studio, path)).toMatchObject({
    method: 'PUBLISH',
    uid: booked.uid,
    startsAt: '2026-12-11T10:00:00Z',
  })

  await ana.cancel(moved.id)
  const ended = await follow(studio, path)
  expect(ended).toMatchObject({ method: 'CANCEL', uid: booked.uid, status: 'CANCELLED' })
  expect(ended.sequence).toBeGreaterThan(booked.sequence)
})

test('rejects the token of another booking, part of the token, or none', async () => {
  const { studio, ana } = await openStudio()
  const carl = await studio.member('Carl', { health: true, credits: 3 })
  await ana.book(await studio.createClass('Tuesday 18:00'))
  await carl.book(await studio.createClass('Friday 10:00'))
  const [, , , uid, token] = (await linkOf(studio, ana)).split('/')
  const [, , , other] = (await linkOf(studio, carl)).split('/')
  for (const path of [`${other}/${token}`, `${uid}/${token?.slice(1)}`, `${uid}/x.ics`, `${uid}/.ics`])
    expect(await studio.visitor().request('GET', `/api/calendar/${path}`), path).toBeRefused(
      calendarRefusals.calendar_entry_not_found,
    )
})
