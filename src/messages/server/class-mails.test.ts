import { describe, expect, test } from 'vitest'
import { beginning } from '#studio.ts'
import type { MailJob, MailName, Mails } from '../mail.ts'
import { renderMail } from './render-mail.ts'
import { data, monday } from './sample-mails.ts'

const APP = 'https://studio.example/site'
const written = <M extends MailName>(mail: M, said: Mails[M] = data[mail]) =>
  renderMail({ mail, data: said } as MailJob, APP, { facts: beginning, tokenOf: (linkId) => `token-of-${linkId}` })

test('a confirmation says when, where, and until when the credit comes back', async () => {
  const { text } = await written('booking-confirmed')
  expect(text).toContain('Reformer Duo with Eleanor Marsh')
  expect(text).toContain('Monday 7 December 2026, 09:30 to 10:15')
  expect(text).toContain(beginning.address.street)
  expect(text).toContain('Before 07:30 on Monday 7 December your credit comes back')
  expect(text).toContain('no longer move it. If you can, please give us 12 hours’ notice.')
})

describe('a place taken when its credit no longer comes back', () => {
  test.each<['booking-confirmed' | 'booking-rescheduled']>([['booking-confirmed'], ['booking-rescheduled']])(
    'is told with that said: %s',
    async (mail) => {
      const late = await written(mail, { ...data[mail], ifCancelled: 'forfeited' })
      expect(late.text).toContain('starts within 120 minutes, so its credit is used')
      expect(late.text).not.toMatch(/comes back|notice/)
      const early = await written(mail, { ...data[mail], ifCancelled: 'credit_returned' })
      expect(early.text).toContain('your credit comes back')
      expect(early.text).not.toContain('so its credit is used')
    },
  )

  test('in a class that has begun: nothing can be cancelled any more, and nothing is said of it', async () => {
    const { text } = await written('booking-confirmed', { ...data['booking-confirmed'], ifCancelled: 'too_late' })
    expect(text).toContain('one credit of your class pass has been taken')
    expect(text).not.toMatch(/cancel|comes back|reserved/)
  })
})

test('a cancellation says what became of the credit, and why', async () => {
  const returned = await written('booking-cancelled')
  expect(returned.text).toContain('more than 120 minutes before the start. Your credit is back on your pass')
  const outcome = 'forfeited'
  const late = await written('booking-cancelled', { ...data['booking-cancelled'], outcome, reason: 'late' })
  expect(late.text).toContain('in the last 120 minutes before the start. The credit has been used')
  expect(late.text).not.toContain('back on your pass')
  const moved = await written('booking-cancelled', { ...data['booking-cancelled'], reason: 'moved' })
  expect(moved.text).toContain('We had moved this class, so cancelling it costs you nothing. Your credit is back')
  const decided = await written('booking-cancelled', { ...data['booking-cancelled'], outcome, reason: 'decided' })
  expect(decided.text).toContain('your place is free again. The credit has been used.')
})

describe('a class that the studio moved', () => {
  test('is told with the old time, the new time, when it was moved, the way out and a file', async () => {
    const { text, attachments } = await written('class-moved')
    expect(text).toContain('We moved this class at 09:05 on Tuesday 1 December')
    expect(text).toContain('Before\nFriday 4 December 2026, 10:00 to 10:45')
    expect(text).toContain('Now\nMonday 7 December 2026, 09:30 to 10:15')
    expect(text).toContain('Your credit comes back until the class starts, on Monday 7 December at 09:30')
    expect(text).toContain(`${APP}/dashboard`)
    expect(attachments).toHaveLength(1)
  })

  test('only in its end says so', async () => {
    const { subject } = await written('class-moved', { ...data['class-moved'], from: { ...monday, endTime: '10:30' } })
    expect(subject).toBe('The end of your class on Monday 7 December at 09:30 has moved to 10:15')
  })

  test('asks who waits whether they still want it, or says that a place is free', async () => {
    const asked = await written('awaited-class-moved')
    expect(asked.text).toContain('only once you have told us that you still want it')
    expect(asked.text).toContain(`${APP}/dashboard?waiting=7`)
    const free = await written('awaited-class-moved', { ...data['awaited-class-moved'], isFree: true })
    expect(free.text).toContain('the first to book has the place')
    expect(free.text).toContain(`${APP}/booking?date=2026-12-07`)
  })

  test('is reminded of without the 120 minutes', async () => {
    expect((await written('class-reminder')).text).toContain('Before 07:30 on Monday 7 December your credit comes back')
    const { text } = await written('class-reminder', { ...data['class-reminder'], isMoved: true })
    expect(text).toContain('Because we moved this class, your credit comes back until it starts')
    expect(text).not.toContain('07:30')
  })
})
