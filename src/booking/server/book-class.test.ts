import { expect, test } from 'vitest'
import { openStudio } from '../../testing/studio-under-test.ts'
import { bookingRefusals } from '../contract.ts'

test('a booking takes a place and a credit, and is confirmed by mail with a calendar file', async () => {
  const { studio, ana } = await openStudio()
  const reformer = await studio.class('Tuesday 18:00')
  const { status, body } = await studio.books(ana, reformer)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    userId: ana.id,
    classId: reformer,
    status: 'confirmed',
    paymentStatus: 'paid',
    participantCount: 1,
    participants: 1,
    totalAmount: '50.00',
    class: { title: 'Reformer', date: '2026-12-08', startTime: '18:00', endTime: '18:45' },
    user: { firstName: 'Ana', lastName: 'Cast' },
  })
  expect(await studio.creditsOf(ana)).toBe(9)
  const [, confirmation] = await studio.mailTo(ana)
  expect(confirmation?.attachments).toHaveLength(1)
  expect(await studio.books(ana, reformer)).toBeRefused(bookingRefusals.already_booked)
})
