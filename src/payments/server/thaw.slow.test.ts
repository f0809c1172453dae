import { expect, test } from 'vitest'
import { activatePass, openStudioWithBank, startPayment } from './bank-under-test.ts'

/** Valid for a month; each expires at the end of a day before a clock change. */
test.each([
  // That day has 25 hours: 25 hours end with its last second, one second more is the next day.
  { bought: '2026-09-24 10:00', frozen: { hours: 25 }, until: '2026-10-25T23:59:59Z' },
  { bought: '2026-09-24 10:00', frozen: { hours: 25, seconds: 1 }, until: '2026-10-26T23:59:59Z' },
  // That day has 23 hours.
  { bought: '2027-02-27 10:00', frozen: { hours: 23 }, until: '2027-03-28T22:59:59Z' },
  { bought: '2027-02-27 10:00', frozen: { hours: 23, seconds: 1 }, until: '2027-03-29T22:59:59Z' },
])('a pass bought on $bought and frozen for $frozen is valid until $until', async ({ bought, frozen, until }) => {
  const { studio, bank } = await openStudioWithBank({ now: bought })
  const member = await studio.member('Wanda')
  const month = await studio.createPackage({ price: '45.50', validityMonths: 1 })
  const started = await startPayment(member, month)
  await bank.pay(started)
  await activatePass(member, month, started)
  const { paymentIntentId } = started.body
  const dispute = await bank.simulate('dispute', paymentIntentId)
  await bank.deliverEvents(studio, paymentIntentId)
  studio.clock.advance(frozen)
  await bank.decideDispute(dispute.id, 'winning_evidence')
  await bank.deliverEvents(studio, paymentIntentId)
  const { rows } = await studio.server.database.pool.query(
    'select frozen_at, expires_at from passes where purchase_id is not null',
  )
  expect(rows).toEqual([{ frozen_at: null, expires_at: expect.anything() }])
  expect(Temporal.Instant.from(rows[0].expires_at).toString()).toBe(until)
})
