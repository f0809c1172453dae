import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sendAgain } from '#attention/contract.ts'
import { DeliveryError } from '#messages/server/delivery.ts'
import { mailWorker } from '#messages/server/worker.ts'
import { getMessage } from '../contract.ts'
import { mayStillSend, recordOutcome } from './mailings.ts'
import { previews, sendAs, sentOf, tomorrow } from './mailings-under-test.ts'

/** Sends the queued messages, each at its last attempt, through a mail server that refuses those in `refused`. */
async function delivers(story: Awaited<ReturnType<typeof tomorrow>>, refused: string) {
  const { database } = story.studio.server
  const mailer = {
    async deliver({ to }: { to: string }, id: string) {
      if (to === refused)
        throw new DeliveryError(id, {
          message: 'no',
          command: 'RCPT TO',
          response: '550 5.1.1 no such user',
          responseCode: 550,
        })
    },
    close() {},
  }
  const work = mailWorker(mailer, 'http://studio.example', {
    database,
    clock: story.studio.clock,
    tokenOf: String,
    mode: 'demo',
    isOutdated: async () => false,
    stillTrue: async (_, job) => job,
    mayStillSend,
    recordOutcome,
    onError: () => {},
  })
  await story.studio.server.jobs.drain('mail-to-many', (job, id) => work(job, id, { tries: 3, isLast: false }))
}

test('names undelivered emails with the reason, until they are sent again and accepted', async () => {
  const story = await tomorrow()
  const { studio, ana, boris, dora, day } = story
  await sendAs(dora, { audience: day })
  expect(await sentOf(dora)).toMatchObject({ queued: 2, handedOver: 0 })
  await delivers(story, boris.email)
  expect(await sentOf(dora)).toMatchObject({ recipients: 2, handedOver: 1, failed: 1, queued: 0 })
  const { notReached } = await dora.read(getMessage, { params: { id: 1 } })
  expect(notReached).toEqual([
    {
      userId: boris.id,
      firstName: 'Boris',
      lastName: 'Cast',
      email: boris.email,
      phone: null,
      reason: '550 5.1.1 no such user',
    },
  ])
  const { recipients, leftOut } = await previews(dora, { audience: day })
  expect([recipients, leftOut.map(({ reason, people }) => [reason, people[0]?.userId])]).toEqual([
    1,
    [['address_refused', boris.id]],
  ])

  await dora.call(sendAgain, { body: { kind: 'mail_undelivered', about: boris.email } })
  await studio.mailbox()
  expect(await sentOf(dora)).toMatchObject({ handedOver: 2, failed: 0 })
  expect((await dora.read(getMessage, { params: { id: 1 } })).notReached).toEqual([])
  expect((await previews(dora, { audience: day })).people.map(({ userId }) => userId)).toEqual([ana.id, boris.id])
})

test('always sends emails that belong to no message, and records no outcome', async () => {
  const { studio, ana } = await tomorrow()
  const { database } = studio.server
  const to = { email: ana.email, firstName: 'Ana' }
  const job = { mail: 'welcome', data: { to } } as const
  expect(await mayStillSend(database.db, job)).toBe(true)
  await recordOutcome(database.db, job, { status: 'failed' }, studio.clock.now())
  const words = { subject: 'x', text: 'x', pictures: [] }
  const gone = { to, recipientId: randomUUID(), ...words, unsubscribe: null, isNewsletter: false }
  expect(await mayStillSend(database.db, { mail: 'studio-message', data: gone })).toBe(false)
  expect(await mayStillSend(database.db, { mail: 'studio-message', data: { ...gone, recipientId: null } })).toBe(true)
})
