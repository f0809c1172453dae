/** For booking tests: what an admin does to classes, and how others see it. */

import { listBookings, listUpcomingBookings } from '#booking/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listClasses, type StudioClass } from '#timetable/contract.ts'
import { deleteClass, editClass } from '../contract.ts'

export const editClassAs = (admin: Person, id: number, body: object) => admin.call(editClass, { params: { id }, body })
export const remove = (admin: Person, id: number, body?: object) => admin.call(deleteClass, { params: { id }, body })
export const listClassesAs = (person: Person) => person.read(listClasses)
export const historyOf = (person: Person) => person.read(listBookings)
export const upcomingOf = (person: Person) => person.read(listUpcomingBookings)
export const mailSubjectsTo = async (studio: StudioUnderTest, person: Person) =>
  (await studio.mailTo(person)).map(({ subject }) => subject)
export const cancellationMails = async (studio: StudioUnderTest, person: Person) =>
  (await mailSubjectsTo(studio, person)).filter((subject) => /^We are sorry.* is cancelled$/.test(subject))

/** Three Tuesdays at 18:00, and classes around them that end later, start earlier, are later or on a Wednesday. */
export async function createSeriesAndNeighbours(studio: StudioUnderTest, admin: Person) {
  const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-22' }
  const form = { title: 'Series', date: '2026-12-08', startTime: '18:00', endTime: '18:45' }
  await admin.request('POST', '/api/classes', { ...form, ...repeat })
  const alone = await studio.createClass({ at: '2026-12-29 18:00', title: 'Alone' })
  await studio.createClass({ at: '2026-12-15 18:00', ends: '19:00', title: 'Longer' })
  await studio.createClass({ at: '2026-12-15 19:00', title: 'Later' })
  await studio.createClass({ at: '2026-12-15 17:45', ends: '18:45', title: 'Ahead' })
  await studio.createClass({ at: '2026-12-16 18:00', title: 'Wednesday' })
  const classes = await listClassesAs(admin)
  return { series: classes.filter(({ title }) => title === 'Series').map(({ id }) => id), alone }
}

/** The neighbours, which an edit of the series leaves alone. */
export const UNTOUCHED = [
  'Ahead 2026-12-15 17:45-18:45',
  'Later 2026-12-15 19:00-19:45',
  'Longer 2026-12-15 18:00-19:00',
  'Wednesday 2026-12-16 18:00-18:45',
]

export const describeClasses = (classes: StudioClass[]) =>
  classes.map((one) => `${one.title} ${one.date} ${one.startTime}-${one.endTime}`).sort()

export const mailsOf = async (studio: StudioUnderTest, person: Person, subject: RegExp) =>
  (await studio.mailTo(person)).filter((mail) => subject.test(mail.subject))
export const moveMails = async (studio: StudioUnderTest, person: Person) =>
  (await mailsOf(studio, person, /moved/)).map(({ subject }) => subject)

export async function openStudioWithBooking(now = 'Monday 09:00') {
  const story = await openStudio({ now })
  const id = await story.studio.createClass('Tuesday 18:00')
  const booking: number = (await story.ana.book(id)).body.id
  return { ...story, id, booking }
}
