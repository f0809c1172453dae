import { expect, test } from 'vitest'
import { openEmptyStudio } from '#testing/studio-under-test.ts'

const to = { email: 'ana@mail.example', firstName: 'Ana' }
const monday = {
  title: 'Reformer Duo',
  date: '2026-12-14',
  startTime: '09:30',
  endTime: '10:15',
  instructorName: 'Eleanor Marsh',
  startsAt: '2026-12-14T09:30:00Z',
  endsAt: '2026-12-14T10:15:00Z',
}
const paid = { to, packageName: '8 Classes', paid: '45.00', amount: '43.50' }
const returned = { to, packageName: 'Starter', amount: '45.00' }
const member = { name: 'Ana Silva', email: 'ana@mail.example' }

/** As release e2b7259 queued them. */
const queued: [mail: string, data: unknown, expected: RegExp[]][] = [
  [
    'class-reminder',
    { to, class: monday },
    [/See you on Monday 14 December at 09:30/, /cancel before 07:30 on Monday 14 December/],
  ],
  ['place-free', { to, class: monday }, [/A place is free now/]],
  ['class-cancelled', { to, class: monday }, [/We had to cancel your class/]],
  ['booking-cancelled', { to, class: monday, outcome: 'forfeited' }, [/The credit has been used/]],
  [
    'receipt',
    { ...returned, classCount: 8, paidAt: monday.startsAt, expiresAt: monday.endsAt, purchaseId: 7 },
    [/£45/],
  ],
  ['purchase-refunded', paid, [/Your pass has been refunded/, /can no longer be used/, /Processing fee\s+£1\.50/]],
  ['payment-returned', returned, [/you already have\. .*to the way you paid/s, /£45\.00/]],
  ['payment-returned-notice', { ...returned, member }, [/Ana Silva/, /they already have/, /£45\.00/]],
  ['payment-returned-notice', { ...returned, member: null }, [/then deleted the account/, /£45\.00/]],
]

test.each(queued)(
  'sends a %s queued by an earlier release in full and without an “out of date” note',
  async (mail, data, expected) => {
    const studio = await openEmptyStudio()
    // Through the database's JSON, as a job of another release comes.
    await studio.server.workers.mail(JSON.parse(JSON.stringify({ mail, data })), 'old')
    const [sent, ...more] = await studio.mailTo(to)
    expect(more).toEqual([])
    const text = `${sent?.subject}\n${sent?.text}`
    for (const words of expected) expect(text).toMatch(words)
    expect(text).not.toMatch(/undefined|NaN|Something has changed/)
  },
)
