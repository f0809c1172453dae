import { describe, expect, test } from 'vitest'
import { initialFacts } from '#studio.ts'
import type { MailJob, MailName, Mails } from '../mail.ts'
import { renderMail } from './render-mail.ts'
import { monday, sampleMails } from './sample-mails.ts'

const APP = 'https://studio.example/site'
const written = <M extends MailName>(mail: M, data: Mails[M] = sampleMails[mail]) =>
  renderMail({ mail, data } as MailJob, APP, { facts: initialFacts, tokenOf: (linkId) => `token-of-${linkId}` })

test('a confirmation shows when, where and until when the credit is returned', async () => {
  const { text } = await written('booking-confirmed')
  expect(text).toContain('Reformer Duo with Eleanor Marsh')
  expect(text).toContain('Monday 7 December 2026, 09:30 to 10:15')
  expect(text).toContain(initialFacts.address.street)
  expect(text).toContain('To get your credit back, cancel before 07:30 on Monday 7 December')
  expect(text).toContain('no longer move the class. If you can, please give us 12 hours’ notice.')
})

describe('a late booking', () => {
  test.each<['booking-confirmed' | 'booking-rescheduled']>([['booking-confirmed'], ['booking-rescheduled']])(
    'is confirmed without the promise of a returned credit: %s',
    async (mail) => {
      const late = await written(mail, { ...sampleMails[mail], ifCancelled: 'forfeited' })
      expect(late.text).toContain('starts within 120 minutes, so you will not get the credit back')
      expect(late.text).not.toMatch(/get your credit back|notice/)
      const early = await written(mail, { ...sampleMails[mail], ifCancelled: 'credit_returned' })
      expect(early.text).toContain('get your credit back')
      expect(early.text).not.toContain('will not get the credit back')
    },
  )

  test('does not mention cancelling once the class has started', async () => {
    const { text } = await written('booking-confirmed', {
      ...sampleMails['booking-confirmed'],
      ifCancelled: 'too_late',
    })
    expect(text).toContain('We have taken one credit from your class pass')
    expect(text).not.toMatch(/cancel|credit back|reserved/)
  })
})

test('a cancellation explains whether the credit was returned, and why', async () => {
  const returned = await written('booking-cancelled')
  expect(returned.text).toContain('more than 120 minutes before the start. Your credit is back on your pass')
  const outcome = 'forfeited'
  const late = await written('booking-cancelled', { ...sampleMails['booking-cancelled'], outcome, reason: 'late' })
  expect(late.text).toContain('in the last 120 minutes before the start. The credit has been used')
  expect(late.text).not.toContain('back on your pass')
  const moved = await written('booking-cancelled', { ...sampleMails['booking-cancelled'], reason: 'moved' })
  expect(moved.text).toContain('We had moved this class, so the credit is not lost. Your credit is back')
  const decided = await written('booking-cancelled', {
    ...sampleMails['booking-cancelled'],
    outcome,
    reason: 'decided',
  })
  expect(decided.text).toContain('Your booking is cancelled. The credit has been used')
})

describe('a class that the studio moved', () => {
  test('is announced with both times, the time of the change, the cancellation terms and a calendar file', async () => {
    const { text, attachments } = await written('class-moved')
    expect(text).toContain('We moved this class and your booking at 09:05 on Tuesday 1 December')
    expect(text).toContain('Before\nFriday 4 December 2026, 10:00 to 10:45')
    expect(text).toContain('Now\nMonday 7 December 2026, 09:30 to 10:15')
    expect(text).toContain(
      'If you cancel before the class starts on Monday 7 December at 09:30, you get your credit back',
    )
    expect(text).toContain(`${APP}/dashboard`)
    expect(attachments).toHaveLength(1)
  })

  test('is announced as a new end if only the end has changed', async () => {
    const { subject } = await written('class-moved', {
      ...sampleMails['class-moved'],
      from: { ...monday, endTime: '10:30' },
    })
    expect(subject).toBe('The end of your class on Monday 7 December at 09:30 has moved to 10:15')
  })

  test('asks the waiting list to confirm, or announces a free place', async () => {
    const asked = await written('awaited-class-moved')
    expect(asked.text).toContain('until you confirm that you still want it')
    expect(asked.text).toContain(`${APP}/dashboard?waiting=7`)
    const free = await written('awaited-class-moved', { ...sampleMails['awaited-class-moved'], isFree: true })
    expect(free.text).toContain('the first to book gets the place')
    expect(free.text).toContain(`${APP}/booking?date=2026-12-07`)
  })

  test('has a reminder without the 120 minutes', async () => {
    expect((await written('class-reminder')).text).toContain(
      'If you cancel before 07:30 on Monday 7 December, you get your credit back',
    )
    const { text } = await written('class-reminder', { ...sampleMails['class-reminder'], isMoved: true })
    expect(text).toContain('If you cancel before the class starts, you get your credit back')
    expect(text).not.toContain('07:30')
  })
})
