import { expect, test } from 'vitest'
import { addMember } from '#accounts/contract-invitations.ts'
import { getClassForAdmin } from '#booking/contract-classes.ts'
import { joinWaitingList } from '#booking/contract-waiting.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { closeDays } from '../contract-closures.ts'
import { previewEmails } from '../contract-emails.ts'
import { createSeriesAndNeighbours, describeClasses, editClassAs, listClassesAs, remove } from './classes-under-test.ts'

const previewAs = (admin: Person, body: object) => admin.call(previewEmails, { body })

/** Ana has booked the first two of three Tuesdays, and Boris, who has booked the second, waits for the first. */
async function aSeries() {
  const story = await openStudio()
  const { studio, ana, boris, dora } = story
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 3)
  const { series } = await createSeriesAndNeighbours(studio, dora)
  const [first = 0, second = 0] = series
  await ana.book(first)
  await ana.book(second)
  await boris.book(second)
  await editClassAs(dora, first, { maxParticipants: 1 })
  await boris.call(joinWaitingList, { params: { id: first } })
  await studio.mailbox()
  return { ...story, series, first, second }
}

test('shows the emails that each change will send, without changing or sending anything', async () => {
  const { studio, ana, dora, series, first, second } = await aSeries()
  const later = { startTime: '17:30', endTime: '18:15', applyToRecurring: 'later' }
  const closure = { from: '2026-12-08', to: '2026-12-15', reason: 'Illness' }
  const before = [
    describeClasses(await listClassesAs(dora)),
    (await studio.mailbox()).length,
    await studio.creditsOf(ana),
  ]
  const preview = async (body: object) => (await previewAs(dora, body)).body
  const kinds = ({ people, emails }: { people: number; emails: { count: number; subject: string }[] }) => [
    people,
    ...emails.map(({ count, subject }) => `${count} × ${subject}`),
  ]
  expect(kinds(await preview({ change: 'edit', classId: first, edit: later }))).toEqual([
    2,
    '3 × Your class on Tuesday 8 December at 18:00 has moved to Tuesday 8 December at 17:30',
    '1 × The class you are waiting for on Tuesday 8 December at 18:00 has moved to Tuesday 8 December at 17:30',
  ])
  expect(kinds(await preview({ change: 'edit', classId: second, edit: later }))[0]).toBe(2)
  expect(kinds(await preview({ change: 'edit', classId: first, edit: { title: 'Quiet' } }))).toEqual([0])
  const cancelled = 'We are sorry: your class on Tuesday 8 December at 18:00 is cancelled'
  const waited = 'Series on Tuesday 8 December at 18:00 is cancelled'
  expect(kinds(await preview({ change: 'delete', classId: first }))).toEqual([2, `1 × ${cancelled}`, `1 × ${waited}`])
  expect(kinds(await preview({ change: 'takeOff', classIds: [first] }))).toEqual([
    2,
    `1 × ${cancelled}`,
    `1 × ${waited}`,
  ])
  const shift = { classIds: series, days: 1, minutes: 0 }
  expect(kinds(await preview({ change: 'shift', shift }))[1]).toContain('has moved to Wednesday 9 December')
  const { people, emails } = await preview({ change: 'close', closure })
  expect([people, emails]).toMatchObject([2, [{ count: 2, to: 'Ana' }]])
  expect(emails[0].text).toContain('the studio is closed from Tuesday 8 December to Tuesday 15 December: Illness')
  expect([
    describeClasses(await listClassesAs(dora)),
    (await studio.mailbox()).length,
    await studio.creditsOf(ana),
  ]).toEqual(before)

  await dora.call(closeDays, { body: closure })
  studio.clock.advance({ minutes: 2 })
  const [sent] = (await studio.mailTo(ana)).filter(({ text }) => text.includes('Illness'))
  expect([sent?.subject, sent?.text]).toEqual([emails[0].subject, emails[0].text])
})

test('refuses what the change itself would refuse, and leaves the dialog’s own questions to it', async () => {
  const { studio, ana, dora, first } = await aSeries()
  const edit = (change: object) => previewAs(dora, { change: 'edit', classId: first, edit: change })
  await dora.call(closeDays, { body: { from: '2026-12-24', to: '2026-12-24', reason: 'Christmas' } })
  expect(await edit({ date: '2026-12-24', ifUpdatedAt: '2026-01-01T00:00:00Z', ifNoOverlap: true })).toMatchObject({
    status: 200,
  })
  expect(await edit({ date: '2026-01-01' })).toBeRefused(bookingRefusals.new_time_in_past)
  expect(await previewAs(ana, { change: 'delete', classId: first })).toMatchObject({ status: 403 })
  await remove(dora, first)
  expect(await previewAs(dora, { change: 'delete', classId: first })).toBeRefused(timetableRefusals.class_not_found)
  expect(await studio.count("select count(*) from studio_cancellations where classes @> '[]'")).toBe(2)
})

test('counts members without an email address as people to call, and leaves no call behind', async () => {
  const { studio, dora, series, first, second } = await aSeries()
  const third = series[2] ?? 0
  const { body: rita } = await dora.call(addMember, {
    body: { firstName: 'Rita', lastName: 'Phone', email: '', phone: '01632 960 222' },
  })
  await studio.grantCredits(rita, 2)
  await dora.request('POST', '/api/bookings', { classId: third, userId: rita.id, override: true })
  const edit = { startTime: '17:30', endTime: '18:15', applyToRecurring: 'later' }
  const { body } = await previewAs(dora, { change: 'edit', classId: first, edit })
  expect([body.people, body.toCall]).toEqual([2, 1])
  expect((await dora.read(getClassForAdmin, { params: { id: third } })).touches.one).toMatchObject({
    people: 1,
    calls: 1,
  })
  expect((await previewAs(dora, { change: 'delete', classId: second })).body).toMatchObject({ toCall: 0 })
  // Only the one about the booking.
  expect(await studio.count('select count(*) from calls')).toBe(1)
})
