import { expect, test } from 'vitest'
import { joinWaitingList } from '#booking/contract-waiting.ts'
import type { StoredMail } from '#messages/server/mailbox-files.ts'
import { readCalendar } from '#testing/read-calendar.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { deleteClass, editClass } from '../contract.ts'

/** The calendar files attached to an email. */
const calendarFilesOf = ({ attachments }: StoredMail) =>
  attachments.map(({ filename, content }) => {
    const { method, events } = readCalendar(content)
    return { filename, method, events: events.map(({ uid, sequence, startsAt }) => ({ uid, sequence, startsAt })) }
  })

/** Ana and Boris have booked Tuesday 13:00 and Thursday 12:00, Carl waits for both, Una is not involved. */
async function openStudioWithTwoFullClasses() {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 2)
  const carl = await studio.member('Carl', { health: true, credits: 2 })
  const una = await studio.member('Una', { health: true, credits: 2 })
  const tuesday = await studio.createClass({ at: 'Tuesday 13:00', title: 'Gentle Reformer' })
  const thursday = await studio.createClass({ at: 'Thursday 12:00', title: 'Reformer' })
  await una.book(await studio.createClass('Friday 10:00'))
  for (const classId of [tuesday, thursday]) {
    for (const member of [ana, boris]) expect((await member.book(classId)).status).toBe(201)
    expect((await carl.call(joinWaitingList, { params: { id: classId } })).status).toBe(201)
  }
  const mails = await studio.mailbox()
  /** The UID of the calendar entry emailed to a member for the class that starts at this time. */
  const entryUidOf = (who: { email: string }, startsAt: string) =>
    mails
      .filter(({ to }) => to === who.email)
      .flatMap(calendarFilesOf)
      .flatMap(({ events }) => events)
      .find((event) => event.startsAt === startsAt)?.uid
  return { studio, ana, boris, carl, una, dora, tuesday, thursday, entryUidOf }
}

test('sends exactly these emails when one class is moved and another cancelled', async () => {
  const { studio, ana, boris, carl, dora, tuesday, thursday, entryUidOf } = await openStudioWithTwoFullClasses()
  const entries = (startsAt: string) => [ana, boris].map((member) => entryUidOf(member, startsAt))
  const [tuesdays, thursdays] = [entries('2026-12-08T13:00:00Z'), entries('2026-12-10T12:00:00Z')]
  let seen = (await studio.mailbox()).length
  const newMails = async () => {
    const mails = (await studio.mailbox()).slice(seen)
    seen += mails.length
    return mails
      .map((mail) => ({ to: mail.to, subject: mail.subject, files: calendarFilesOf(mail) }))
      .sort((a, b) => a.to.localeCompare(b.to))
  }

  studio.travelTo('Monday 10:00')
  const body = { startTime: '15:00', endTime: '15:45' }
  expect((await dora.call(editClass, { params: { id: tuesday }, body })).status).toBe(200)
  const movedFile = (uid: string | undefined) => [
    { filename: 'class.ics', method: 'PUBLISH', events: [{ uid, sequence: 1, startsAt: '2026-12-08T15:00:00Z' }] },
  ]
  const hasMoved = 'on Tuesday 8 December at 13:00 has moved to Tuesday 8 December at 15:00'
  expect(await newMails()).toEqual([
    { to: ana.email, subject: `Your class ${hasMoved}`, files: movedFile(tuesdays[0]) },
    { to: boris.email, subject: `Your class ${hasMoved}`, files: movedFile(tuesdays[1]) },
    { to: carl.email, subject: `The class you are waiting for ${hasMoved}`, files: [] },
  ])

  studio.travelTo('Monday 11:00')
  expect((await dora.call(deleteClass, { params: { id: thursday }, body: {} })).status).toBe(200)
  const cancelledFile = (uid: string | undefined) => [
    {
      filename: 'class-cancelled.ics',
      method: 'CANCEL',
      events: [{ uid, sequence: 1, startsAt: '2026-12-10T12:00:00Z' }],
    },
  ]
  const isCancelled = 'on Thursday 10 December at 12:00 is cancelled'
  expect(await newMails()).toEqual([
    { to: ana.email, subject: `We are sorry: your class ${isCancelled}`, files: cancelledFile(thursdays[0]) },
    { to: boris.email, subject: `We are sorry: your class ${isCancelled}`, files: cancelledFile(thursdays[1]) },
    { to: carl.email, subject: `Reformer ${isCancelled}`, files: [] },
  ])

  // The next run adds nothing.
  studio.travelTo('Monday 11:01')
  await studio.server.workers['remind-members']({}, 'job')
  await studio.server.workers['complete-classes']({}, 'job')
  expect(await newMails()).toEqual([])
})
