import { expect, test } from 'vitest'
import type { MailJob } from '#messages/mail.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { deleteUser } from '../contract.ts'

/** What the queues keep that names an address, whatever became of the jobs. */
async function jobsNaming(studio: StudioUnderTest, { email }: { email: string }): Promise<string[]> {
  const { rows } = await studio.server.database.pool.query<{ job: string }>(
    `select state || ' ' || (data ->> 'mail') as job from pgboss.job where data::text ilike '%' || $1 || '%' order by 1`,
    [email],
  )
  return rows.map(({ job }) => job)
}

const erase = async (admin: Person, whom: Person) =>
  expect((await admin.call(deleteUser, { params: { id: whom.id } })).status).toBe(200)

const notice = (member: Person): MailJob => ({
  mail: 'payment-notice',
  data: {
    to: { email: 'owner@studio.example', firstName: 'Dora' },
    kind: 'refunded_there',
    member: { name: 'Ana Cast', email: member.email },
    packageName: 'Eight',
    paid: '45.00',
    amount: '45.00',
    detail: null,
    respondBy: null,
    bookingsCancelled: 0,
  },
})

test('erases the member from sent and queued mails and from mails to the owner, and nobody else', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.mailbox()
  const items = [{ title: 'Mail', text: `A mail to ${ana.email.toUpperCase()} was not accepted.` }]
  const attention: MailJob = { mail: 'attention', data: { to: { email: dora.email, firstName: 'Dora' }, items } }
  await studio.server.database.transaction((tx) => tx.enqueue('mail', notice(ana), attention))
  await studio.runQueue('mail')
  const classId = await studio.createClass('Tuesday 18:00')
  await ana.book(classId)
  expect(await jobsNaming(studio, ana)).toEqual(
    expect.arrayContaining([
      'completed welcome',
      'created booking-confirmed',
      'completed payment-notice',
      'completed attention',
    ]),
  )
  const ofBoris = await jobsNaming(studio, boris)
  expect(ofBoris).not.toEqual([])

  await erase(dora, ana)
  // The mail about the erasure.
  expect(await jobsNaming(studio, ana)).toEqual(['created account-erased'])
  expect(await jobsNaming(studio, boris)).toEqual(ofBoris)
  const mails = await studio.mailTo(ana)
  expect(mails.filter(({ subject }) => subject.includes('cancelled'))).toHaveLength(1)
  expect(await jobsNaming(studio, ana)).toEqual([])
})

test('erases a mail that is being sent, and does not send it on a retry', async () => {
  const { studio, boris, dora } = await openStudio()
  const { pool } = studio.server.database
  await studio.mailbox()
  await studio.server.database.transaction((tx) =>
    tx.enqueue('mail', { mail: 'welcome', data: { to: { email: boris.email, firstName: 'Boris' } } }),
  )
  await pool.query(`update pgboss.job set state = 'active' where data ->> 'mail' = 'welcome' and state = 'created'`)
  await erase(dora, boris)
  expect(await jobsNaming(studio, boris)).toEqual(['created account-erased'])
  const { rows } = await pool.query<{ id: string; data: MailJob }>(
    `select id, data from pgboss.job where state = 'active' and name = 'mail'`,
  )
  expect(rows).toHaveLength(1)
  const before = (await studio.mailbox()).length
  for (const { id, data } of rows) await studio.server.workers.mail(data, id)
  expect((await studio.mailbox()).length).toBe(before)
})

test('does not send mails to erased members from a restored backup', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const { pool } = studio.server.database
  for (const { email } of [ana, boris])
    await pool.query(
      `insert into restored_jobs (id, queue, data, created_at) values (gen_random_uuid(), 'mail', $1, now())`,
      [JSON.stringify({ mail: 'welcome', data: { to: { email, firstName: 'Somebody' } } })],
    )
  await erase(dora, ana)
  const { rows } = await pool.query(`select data #>> '{data,to,email}' as address from restored_jobs`)
  expect(rows).toEqual([{ address: boris.email }])
})
