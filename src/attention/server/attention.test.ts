import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { defined } from '#foundation/collections.ts'
import type { MailJob } from '#messages/mail.ts'
import { refundPurchase } from '#payments/contract.ts'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { type AttentionItem, attentionRefusals, listAttention, markDone, sendAgain } from '../contract.ts'

const itemsOf = async (dora: Person): Promise<AttentionItem[]> => (await dora.call(listAttention)).body
const kindsOf = async (dora: Person) => (await itemsOf(dora)).map(({ kind, about }) => [kind, about])

/** An email that the mail server refused for good. */
async function undelivered(studio: StudioUnderTest, email: string, job?: MailJob) {
  const mail: MailJob = job ?? { mail: 'welcome', data: { to: { email, firstName: 'Ana' } } }
  await studio.server.database.pool.query(
    `insert into undelivered_mails (id, address, mail, reason, failed_at) values ($1, $2, $3, '550 no such user', $4)`,
    [randomUUID(), email, mail, studio.clock.now().toString()],
  )
}

test('lists nothing on a good day; only admins may read or act', async () => {
  const { studio, ana, dora } = await openStudio()
  expect(await itemsOf(dora)).toEqual([])
  expect((await ana.call(listAttention)).status).toBe(403)
  const body = { kind: 'mail_undelivered', about: ana.email } as const
  await undelivered(studio, ana.email)
  expect((await ana.call(markDone, { body })).status).toBe(403)
  expect((await studio.visitor().call(sendAgain, { body })).status).toBe(401)
  expect(await kindsOf(dora)).toEqual([['mail_undelivered', ana.email]])
})

test('groups undelivered emails by address; they can be sent again or marked as done', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.mailbox()
  await undelivered(studio, ana.email)
  await undelivered(studio, ana.email.toUpperCase())
  await undelivered(studio, boris.email)
  expect(await itemsOf(dora)).toMatchObject([
    { about: ana.email, title: `2 emails to ${ana.email} did not arrive`, actions: ['send_again', 'done'] },
    { about: boris.email, title: `1 email to ${boris.email} did not arrive` },
  ])
  const sent = await dora.call(sendAgain, { body: { kind: 'mail_undelivered', about: ana.email } })
  expect(sent.body).toMatchObject([{ about: boris.email }])
  expect(await studio.count(`select count(*) from pgboss.job where name = 'mail' and state = 'created'`)).toBe(2)
  const done = await dora.call(markDone, { body: { kind: 'mail_undelivered', about: boris.email } })
  expect(done.body).toEqual([])
  const again = await dora.call(markDone, { body: { kind: 'mail_undelivered', about: boris.email } })
  expect(again).toBeRefused(attentionRefusals.already_settled)
  const { rows } = await studio.server.database.pool.query(
    `select action, subject_kind || ':' || subject_id as subject from audit_log order by id desc limit 2`,
  )
  expect(rows).toEqual([
    { action: 'marked_done', subject: 'attention:mail_undelivered' },
    { action: 'sent_again', subject: 'attention:mail_undelivered' },
  ])
})

test('does not send an email again when its link has expired', async () => {
  const { studio, ana, dora } = await openStudio()
  const to = { email: ana.email, firstName: 'Ana' }
  await undelivered(studio, ana.email, { mail: 'set-password', data: { to, linkId: 'one' } })
  expect(await itemsOf(dora)).toMatchObject([{ actions: ['done'] }])
  const response = await dora.call(sendAgain, { body: { kind: 'mail_undelivered', about: ana.email } })
  expect(response).toBeRefused(attentionRefusals.action_not_available)
})

test('lists jobs that have waited for 15 minutes, which can be retried now', async () => {
  const { studio, dora } = await openStudio()
  await studio.mailbox()
  const { pool, transaction } = studio.server.database
  await transaction((tx) => tx.enqueue('send-refund', { refundId: 1 }))
  const waits = (minutes: number) =>
    pool.query(
      `update pgboss.job set state = 'retry', start_after = now() + interval '1 hour', output = '{"message":"no route"}',
       created_on = now() - $1 * interval '1 minute' where name = 'send-refund'`,
      [minutes],
    )
  await waits(14)
  expect(await kindsOf(dora)).toEqual([])
  await waits(15)
  const [item] = await itemsOf(dora)
  expect(item).toMatchObject({ kind: 'queue_late', about: 'send-refund', title: '1 delayed job: refunds' })
  expect(item?.text).toContain('“no route”')
  await dora.call(sendAgain, { body: { kind: 'queue_late', about: 'send-refund' } })
  expect(await studio.count(`select count(*) from pgboss.job where start_after <= now() and state = 'retry'`)).toBe(1)
  const done = await dora.call(markDone, { body: { kind: 'queue_late', about: 'send-refund' } })
  expect(done).toBeRefused(attentionRefusals.action_not_available)
})

test('does not list a long-running job as late unless it has failed before', async () => {
  const { studio, dora } = await openStudio()
  await studio.mailbox()
  const { pool, transaction } = studio.server.database
  await transaction((tx) => tx.enqueue('send-refund', { refundId: 1 }))
  const underWay = (tries: number) =>
    pool.query(
      `update pgboss.job set state = 'active', retry_count = $1, started_on = now() - interval '40 minutes',
       created_on = now() - interval '40 minutes' where name = 'send-refund'`,
      [tries],
    )
  await underWay(0)
  expect(await kindsOf(dora)).toEqual([])
  await underWay(1)
  expect(await kindsOf(dora)).toEqual([['queue_late', 'send-refund']])
})

test('retries a job that has failed for good', async () => {
  const { studio, dora } = await openStudio()
  await studio.mailbox()
  await studio.server.database.transaction((tx) => tx.enqueue('send-refund', { refundId: 1 }))
  await studio.server.database.pool.query(
    `update pgboss.job set state = 'failed', retry_count = retry_limit, completed_on = now() where name = 'send-refund'`,
  )
  expect(await kindsOf(dora)).toEqual([['job_failed', 'send-refund']])
  await dora.call(sendAgain, { body: { kind: 'job_failed', about: 'send-refund' } })
  await studio.runQueue('send-refund')
  expect(await kindsOf(dora)).toEqual([])
})

test('lists a refund that has not reached the provider within an hour', async () => {
  const { studio, bank, ana, dora } = await openStudioWithBank()
  const bought = await studio.createPackage()
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  await activatePass(ana, bought, started)
  await studio.mailbox()
  const { pool } = studio.server.database
  const { rows } = await pool.query('select id from purchases')
  await dora.call(refundPurchase, { params: { id: rows[0].id }, body: { amount: '20', reason: 'A gift', credits: 0 } })
  studio.clock.advance({ minutes: 59 })
  expect(await kindsOf(dora)).toEqual([])
  studio.clock.advance({ minutes: 1 })
  const { rows: refunds } = await pool.query('select id::text from refunds')
  const [item] = await itemsOf(dora)
  expect(item).toMatchObject({ about: refunds[0].id, title: 'A refund of £20.00 has not been sent' })
  await dora.call(sendAgain, { body: { kind: 'refund_unsent', about: refunds[0].id } })
  await studio.runQueue('send-refund')
  expect(await kindsOf(dora)).toEqual([])
})

test('lists payments that could not be checked with the provider for an hour', async () => {
  const { studio, bank, ana, dora } = await openStudioWithBank()
  const started = await startPayment(ana, await studio.createPackage())
  await studio.mailbox()
  studio.clock.advance({ minutes: 2 })
  const { provider, workers } = studio.server
  const outage = vi.spyOn(defined(provider), 'read').mockRejectedValue(new Error('no route to the bank'))
  await workers['reconcile-payments']({}, 'by hand')
  outage.mockRestore()
  studio.clock.advance({ minutes: 59 })
  expect(await kindsOf(dora)).toEqual([])
  studio.clock.advance({ minutes: 1 })
  expect(await itemsOf(dora)).toMatchObject([
    { kind: 'payment_unread', title: '1 payment could not be checked with the card provider' },
  ])
  await studio.server.database.pool.query('update payment_intents set next_poll_at = null')
  await bank.pay(started)
  await dora.call(sendAgain, { body: { kind: 'payment_unread', about: 'all' } })
  await studio.runQueue('reconcile-payments')
  expect(await kindsOf(dora)).toEqual([])
  expect(await studio.creditsOf(ana)).toBe(18)
})

test('lists an outdated backup until the next one is made', async () => {
  const { studio, dora } = await openStudio()
  await studio.server.workers['back-up']({}, 'by hand')
  studio.clock.advance({ hours: 36 })
  expect(await kindsOf(dora)).toEqual([])
  studio.clock.advance({ seconds: 1 })
  expect(await itemsOf(dora)).toMatchObject([{ kind: 'backup_old', title: 'The last backup is too old', actions: [] }])
  await studio.server.workers['back-up']({}, 'by hand')
  expect(await kindsOf(dora)).toEqual([])
})

test('emails the owner once a day while the list is not empty', async () => {
  const { studio, ana, dora } = await openStudio()
  const mails = async () => {
    for (const _ of [1, 2]) await studio.server.workers['mail-attention']({}, 'at seven')
    return (await studio.mailbox()).filter(({ subject }) => subject.endsWith('your attention'))
  }
  expect(await mails()).toEqual([])
  await undelivered(studio, ana.email)
  const [first, ...more] = await mails()
  expect(first).toMatchObject({ subject: 'One thing needs your attention' })
  expect(first?.text).toContain(`1 email to ${ana.email} did not arrive`)
  expect(more).toEqual([])
  studio.clock.advance({ hours: 24 })
  expect(await mails()).toHaveLength(2)
  await dora.call(markDone, { body: { kind: 'mail_undelivered', about: ana.email } })
  studio.clock.advance({ hours: 24 })
  expect(await mails()).toHaveLength(2)
})
