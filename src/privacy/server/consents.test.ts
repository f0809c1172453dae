import { expect, test } from 'vitest'
import { listUpcomingBookings } from '#booking/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { consents } from '#health/consents.ts'
import { getMemberHealth, getQuestionnaire, saveQuestionnaire } from '#health/contract.ts'
import { listSecurityRecord } from '#insights/contract-security.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { getConsents, withdrawHealthConsent } from '../contract-own.ts'
import { hasHealth } from './retention-under-test.ts'

test('shows consents in the words the member agreed to', async () => {
  const { studio, ana, boris } = await openStudio()
  expect(await boris.read(getConsents)).toEqual({
    health: null,
    marketing: null,
    objectedAt: null,
    newsletterAt: null,
    withdrawnAt: null,
  })
  studio.travelTo('Monday 10:00')
  await ana.call(saveQuestionnaire, { body: { marketingConsent: true } })
  const { version: _, ...words } = consents
  expect(await ana.read(getConsents)).toMatchObject({
    health: {
      agreedAt: '2026-12-07T10:00:00Z',
      healthDisclaimer: words.healthDisclaimer,
      dataConsent: words.dataConsent,
    },
    marketing: { agreedAt: '2026-12-07T10:00:00Z', text: words.marketingConsent },
  })
  expect(await studio.visitor().call(getConsents)).toBeRefused(commonRefusals.unauthorized)
})

test('withdrawing consent erases the answers, keeps bookings and is recorded once', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.completeHealth(boris)
  const [booked, next] = [await studio.createClass('Tuesday 10:00'), await studio.createClass('Friday 10:00')]
  await ana.book(booked)
  const both = await Promise.all([ana.call(withdrawHealthConsent), ana.call(withdrawHealthConsent)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect([await hasHealth(studio, ana), (await hasHealth(studio, boris)) > 0]).toEqual([0, true])
  expect(await ana.read(getQuestionnaire)).toBeNull()
  expect(await ana.read(listUpcomingBookings)).toMatchObject([{ classId: booked }])
  expect((await ana.book(next)).status).toBe(400)
  expect((await dora.read(getMemberHealth, { params: { id: ana.id } })).questionnaire).toBeNull()
  expect(await ana.read(getConsents)).toMatchObject({ health: null, withdrawnAt: '2026-12-07T09:00:00Z' })
  const record = await dora.read(listSecurityRecord, { query: { kind: 'health_withdrawn' } })
  expect(record).toMatchObject([{ subject: { name: 'Ana Cast' }, outcome: 'done', from: '127.0.0.0/24' }])

  // The form again is a new agreement.
  await studio.completeHealth(ana)
  expect((await ana.book(next)).status).toBe(201)
  expect(await studio.visitor().call(withdrawHealthConsent)).toBeRefused(commonRefusals.unauthorized)
})
