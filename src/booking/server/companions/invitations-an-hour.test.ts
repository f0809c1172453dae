import { expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { createClass } from '#timetable/contract.ts'
import { acceptInvitation, addCompanion, cancelCompanion } from '../../contract-companions.ts'
import { endRegularBooking, setRegularBooking } from '../../contract-regular.ts'
import { bookingRefusals } from '../../refusals.ts'

const invite = (who: Person, bookingId: number, email: string) =>
  who.call(addCompanion, {
    params: { id: bookingId },
    body: { firstName: 'Ben', lastName: 'Beck', email },
  })

test('counts five invitations an hour by a member and to an address, but no refused ones and no networks', async () => {
  const { studio, ana, boris } = await openStudio({ env: LIVE })
  const eva = await studio.member('Eva', { health: true, credits: 4 })
  const full = (await ana.book(await studio.createClass({ at: 'Tuesday 18:00', places: 2 }))).body
  await eva.book(full.classId)
  for (let time = 0; time < 6; time++)
    expect(await invite(ana, full.id, 'ben@example.com')).toBeRefused(bookingRefusals.class_full)

  const { id } = (await ana.book(await studio.createClass('Thursday 18:00'))).body
  const inviteAndWithdraw = async (email: string) => {
    const response = await invite(ana, id, email)
    if (response.status === 201) await ana.call(cancelCompanion, { params: { id } })
    return response
  }
  for (const who of ['ben', 'ben', 'ben', 'ben', 'cleo'])
    expect((await inviteAndWithdraw(`${who}@example.com`)).status).toBe(201)
  expect(await inviteAndWithdraw('cleo@example.com')).toBeRefused(commonRefusals.too_many_requests)

  // Another member, from the same network.
  const evas = (await eva.book(await studio.createClass('Friday 18:00'))).body.id
  expect((await invite(eva, evas, 'Ben@example.com')).status).toBe(201)
  await eva.call(cancelCompanion, { params: { id: evas } })
  expect(await invite(eva, evas, 'ben@example.com')).toBeRefused(commonRefusals.too_many_requests)
  expect((await invite(eva, evas, boris.email)).status).toBe(201)

  studio.clock.advance({ minutes: 59, seconds: 59 })
  expect(await inviteAndWithdraw('cleo@example.com')).toBeRefused(commonRefusals.too_many_requests)
  studio.clock.advance({ seconds: 1 })
  expect((await inviteAndWithdraw('cleo@example.com')).status).toBe(201)
})

test('counts a regular booking with a companion, so that a member cannot have another one emailed without end', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.completeHealth(boris)
  const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-25' } as const
  const form = { title: 'Fridays', date: '2026-12-11', startTime: '08:00', endTime: '08:45', ...repeat }
  const { id: classId } = (await dora.call(createClass, { body: form })).body
  const { id } = (await ana.book(classId)).body
  await invite(ana, id, boris.email)
  const mails = async () => (await studio.mailTo(boris)).map(({ text }) => text)
  const token = defined((await mails()).map((text) => /#invitation=([\w.-]+)/.exec(text)?.[1]).at(-1))
  expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
  const before = (await mails()).length

  const setUp = (withCompanion: boolean) => ana.call(setRegularBooking, { body: { classId, withCompanion } })
  const end = (regularId: number) =>
    ana.call(endRegularBooking, { params: { id: regularId }, query: { cancelBookings: 'false' } })
  for (let time = 0; time < 4; time++) await end((await setUp(true)).body.id)
  const most = (await mails()).length
  expect(await setUp(true)).toBeRefused(commonRefusals.too_many_requests)
  expect([(await mails()).length, most - before < 10]).toEqual([most, true])
  expect((await setUp(false)).status).toBe(201)
})
