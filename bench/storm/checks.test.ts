import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { listPackages } from '#packages/contract.ts'
import { recordSale } from '#payments/contract-desk.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { violationsIn } from './checks.ts'
import { Witness } from './witness.ts'

/** A studio in which Ana has booked, and a witness who knows. */
async function openWitnessed() {
  const { studio, ana, dora } = await openStudio()
  const classId = await studio.class('Tuesday 18:00')
  const { body } = await studio.books(ana, classId)
  const witness = new Witness()
  witness.bookings.set(body.id, { userId: ana.id, classId, state: 'booked' })
  const client = new pg.Client({ connectionString: studio.settings.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  return {
    studio,
    ana,
    dora,
    bookingId: body.id as number,
    witness,
    violations: () => violationsIn(client, witness, join(studio.settings.dataDir, 'mailbox')),
    /** As no code of the studio could: past its triggers. */
    damage: async (statement: string) => {
      await client.query(`begin; set local session_replication_role = replica; ${statement}; commit`)
    },
  }
}

test('a whole studio has nothing to find, with a sale at the desk, its mail waiting and its mail sent', async () => {
  const { studio, ana, dora, bookingId, witness, violations } = await openWitnessed()
  const [sold] = (await dora.call(listPackages)).body
  expect(
    (await dora.call(recordSale, { params: { id: ana.id }, body: { packageId: sold.id, method: 'cash' } })).status,
  ).toBe(201)
  expect(await violations()).toEqual([])
  await studio.mailTo(ana)
  expect(await violations()).toEqual([])
  await studio.cancels(ana, bookingId)
  expect(await violations()).toEqual([
    expect.stringMatching(/^acknowledged bookings or cancellations that are not so: 1/),
  ])
  ;(witness.bookings.get(bookingId) as { state: string }).state = 'cancelling'
  expect(await violations()).toEqual([])
  ;(witness.bookings.get(bookingId) as { state: string }).state = 'cancelled'
  expect(await violations()).toEqual([])
})

test.each([
  ["update bookings set status = 'cancelled', cancelled_at = now()", /acknowledged bookings/],
  ['delete from bookings', /acknowledged bookings/],
  ["delete from credit_ledger where kind = 'booking'", /a booking without exactly one line/],
  ['update classes set booked_count = 0', /a class that counts other places/],
  ['update passes set credits_remaining = credits_remaining + 1', /credits are not the sum/],
  ["delete from pgboss.job_common where data ->> 'mail' = 'booking-confirmed'", /mails that are neither/],
  [
    "update pgboss.job_common set state = 'completed' where data ->> 'mail' = 'booking-confirmed'",
    /mails that are neither/,
  ],
  [
    "update pgboss.job_common set state = 'failed' where data ->> 'mail' = 'booking-confirmed'",
    /a mail that was given up/,
  ],
])('after %s something is found', async (statement, found) => {
  const { damage, violations } = await openWitnessed()
  await damage(statement)
  expect(await violations()).toEqual(expect.arrayContaining([expect.stringMatching(found)]))
})

test('a purchase that was acknowledged and is gone is found', async () => {
  const { witness, ana, violations } = await openWitnessed()
  witness.purchases.set('pi_gone', { userId: ana.id, passId: 1 })
  witness.paid.add('pi_gone')
  const found = await violations()
  expect(found).toEqual([
    expect.stringMatching(/^acknowledged purchases that are not there: 1/),
    expect.stringMatching(/^payments that the sandbox confirmed and forgot: 1/),
  ])
})
