import { randomUUID } from 'node:crypto'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import type { MailJob } from '../mail.ts'
import { refusalOf, resendUndelivered, undeliveredByAddress } from './undelivered.ts'

type Sending = { job?: MailJob; id?: string; isLast?: boolean }
type SmtpResponse = { code: number; words: string; to: RegExp }

/** A mail server that answers each recipient as `mailServer` wishes, and a studio that sends through it. */
async function openStudioWithMail() {
  const mailServer: { responses: SmtpResponse[]; atEnd?: SmtpResponse } = { responses: [] }
  const taken: string[] = []
  const no = ({ code, words }: SmtpResponse) => Object.assign(new Error(words), { responseCode: code })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 10,
    onRcptTo({ address }, _session, done) {
      const response = mailServer.responses.find(({ to }) => to.test(address))
      done(response ? no(response) : null)
    },
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        if (mailServer.atEnd) return done(no(mailServer.atEnd))
        taken.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise((closed) => server.close(() => closed())))
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const story = await openStudio({
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Studio <hello@studio.example>' },
  })
  const { studio, ana } = story
  const { database, workers } = studio.server
  const welcome: MailJob = { mail: 'welcome', data: { to: { email: ana.email, firstName: 'Ana' } } }
  const sendMail = (tries: number, { job = welcome, id = randomUUID(), isLast = false }: Sending = {}) =>
    workers.mail(job, id, { tries, isLast })
  return { ...story, mailServer, taken, sendMail, welcome, kept: () => undeliveredByAddress(database.db) }
}

const unknown = { code: 550, words: '5.1.1 no such user', to: /ana/ }

test('gives up a refused address after three tries, saves the mail for the owner, and marks the address until a mail arrives', async () => {
  const { studio, ana, mailServer, taken, sendMail, kept } = await openStudioWithMail()
  mailServer.responses = [unknown]
  await expect(sendMail(2)).rejects.toThrow('was not accepted')
  expect(await kept()).toEqual([])
  const id = randomUUID()
  for (const tries of [3, 4]) await sendMail(tries, { id })
  expect(await kept()).toMatchObject([{ address: ana.email, mails: 1, reason: '550 5.1.1 no such user' }])
  const { db, transaction } = studio.server.database
  expect(await refusalOf(db, ana.email.toUpperCase())).toMatchObject({ since: studio.clock.now() })

  mailServer.responses = []
  expect(await transaction((tx) => resendUndelivered(tx, ana.email))).toBe(1)
  expect(await transaction((tx) => resendUndelivered(tx, ana.email))).toBe(0)
  await studio.runQueue('mail')
  expect(taken.filter((address) => address === ana.email).length).toBeGreaterThan(0)
  expect(await kept()).toEqual([])
  expect(await refusalOf(db, ana.email)).toBeUndefined()
})

test('does not mark the address of a refused mail, and retries temporary and general failures', async () => {
  const { studio, ana, mailServer, sendMail, kept } = await openStudioWithMail()
  mailServer.atEnd = { code: 554, words: 'too long', to: /./ }
  await sendMail(3)
  expect(await kept()).toMatchObject([{ mails: 1, reason: '554 too long' }])
  expect(await refusalOf(studio.server.database.db, ana.email)).toBeUndefined()
  for (const atEnd of [
    { code: 450, words: 'try again later', to: /./ },
    { code: 550, words: '5.7.1 relaying denied', to: /./ },
  ]) {
    mailServer.atEnd = atEnd
    await expect(sendMail(300)).rejects.toThrow('was not accepted')
  }
  expect(await kept()).toMatchObject([{ mails: 1 }])
  studio.clock.advance({ seconds: 1 })
  await sendMail(501, { isLast: true })
  expect(await kept()).toMatchObject([{ mails: 2, reason: '550 5.7.1 relaying denied' }])
})

test('moves undelivered mails to a corrected address, except sign-in links', async () => {
  const { studio, ana, dora, mailServer, taken, sendMail, kept } = await openStudioWithMail()
  mailServer.responses = [unknown]
  await sendMail(3)
  await sendMail(3, {
    job: { mail: 'set-password', data: { to: { email: ana.email, firstName: 'Ana' }, linkId: 'one' } },
  })
  expect(await kept()).toMatchObject([{ address: ana.email, mails: 2 }])
  await dora.call(editUser, { params: { id: ana.id }, body: { email: 'anna@mail.example' } })
  expect(await kept()).toMatchObject([{ address: 'anna@mail.example', mails: 1, names: ['welcome'] }])
  expect(await refusalOf(studio.server.database.db, ana.email)).toBeUndefined()
  mailServer.responses = []
  await studio.server.database.transaction((tx) => resendUndelivered(tx, 'anna@mail.example'))
  await studio.runQueue('mail')
  expect(taken).toContain('anna@mail.example')
})

test('erasing a member deletes undelivered mails; others are deleted after 90 days', async () => {
  const { studio, ana, boris, dora, mailServer, sendMail, kept } = await openStudioWithMail()
  mailServer.responses = [{ ...unknown, to: /./ }]
  await sendMail(3)
  await sendMail(3, { job: { mail: 'welcome', data: { to: { email: boris.email, firstName: 'Boris' } } } })
  expect((await dora.request('DELETE', `/api/admin/users/${ana.id}`)).status).toBe(200)
  expect(await kept()).toMatchObject([{ address: boris.email }])
  expect(await refusalOf(studio.server.database.db, ana.email)).toBeUndefined()
  await sendMail(3, {
    job: { mail: 'account-erased', data: { to: { email: ana.email, firstName: 'Ana' }, classes: [] } },
  })
  expect(await kept()).toMatchObject([{ address: boris.email }])
  studio.clock.advance({ hours: 90 * 24 - 1, minutes: 59, seconds: 59 })
  await studio.server.workers['tidy-up']({}, 'by hand')
  expect(await kept()).toHaveLength(1)
  studio.clock.advance({ seconds: 1 })
  await studio.server.workers['tidy-up']({}, 'by hand')
  expect(await kept()).toEqual([])
})
