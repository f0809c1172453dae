import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { createMailer, DeliveryError } from './delivery.ts'
import { readMailbox } from './mailbox-files.ts'
import type { RenderedMail } from './render-mail.ts'

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** A real mail server on a free port of this machine, and what it has been sent. */
async function openMailServer({ port: wanted = 0, ...options }: SMTPServerOptions & { port?: number } = {}) {
  const received: { raw: Buffer; recipients: string[] }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    // Milliseconds; a pooled connection would keep the server open for half a minute.
    closeTimeout: 10,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          raw: Buffer.concat(chunks),
          recipients: session.envelope.rcptTo.map(({ address }) => address),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(wanted, '127.0.0.1', listening))
  toClose.push(() => new Promise((closed) => server.close(() => closed(undefined))))
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `smtp://127.0.0.1:${port}`, received }
}

function openMailer(url: string, timeouts?: { ms: number; graceMs: number }, requireTls = false) {
  const from = 'Aldergate Pilates <hello@aldergate.example>'
  const opened = createMailer(
    { smtp: { url, from, requireTls } },
    { mailboxDir: '/nowhere', ...(timeouts && { timeouts }) },
  )
  toClose.push(async () => opened.close())
  return opened
}

const mail: RenderedMail = {
  to: 'zoe@mail.example',
  fromName: 'Aldergate Pilates',
  replyTo: 'hello@aldergate.example',
  subject: 'Zoë, your class is booked – 09:30',
  html: '<p>Hello Zoë 🐈, £45.50</p>',
  text: 'Hello Zoë 🐈, £45.50',
  attachments: [
    {
      filename: 'class.ics',
      content: 'BEGIN:VCALENDAR\r\nSUMMARY:Zoë\r\nEND:VCALENDAR\r\n',
      contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
    },
  ],
}

test('does not send mail without TLS if TLS is required, nor with an invalid certificate', async () => {
  for (const disabledCommands of [['STARTTLS', 'AUTH'], ['AUTH']]) {
    const server = await openMailServer({ disabledCommands })
    // smtp-server's built-in certificate is self-signed.
    await expect(openMailer(server.url, undefined, true).deliver(mail, 'job')).rejects.toBeInstanceOf(DeliveryError)
    expect(server.received).toEqual([])
  }
  const plain = await openMailServer()
  await openMailer(plain.url).deliver(mail, 'job')
  expect(plain.received).toHaveLength(1)
})

describe('over SMTP', () => {
  test('adds unsubscribe headers (RFC 8058) to mails with an unsubscribe link only', async () => {
    const server = await openMailServer()
    const mailer = openMailer(server.url)
    const unsubscribe = `https://studio.example/api/newsletter/unsubscribe?token=${'t'.repeat(43)}`
    await mailer.deliver({ ...mail, unsubscribe }, 'job-1')
    await mailer.deliver(mail, 'job-2')

    const headers = await Promise.all(server.received.map(async ({ raw }) => (await PostalMime.parse(raw)).headers))
    const listHeaders = headers.map((all) =>
      all.filter(({ key }) => key.startsWith('list-')).map(({ key, value }) => [key, value]),
    )
    expect(listHeaders).toEqual([
      [
        ['list-unsubscribe', `<${unsubscribe}>`],
        ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'],
      ],
      [],
    ])
  })

  test('delivers a whole mail: addresses, both parts, special characters, attachment', async () => {
    const server = await openMailServer()
    await openMailer(server.url).deliver(mail, 'job-1')

    expect(server.received.map(({ recipients }) => recipients)).toEqual([['zoe@mail.example']])
    const parsed = await PostalMime.parse(server.received[0]?.raw ?? '')
    expect(parsed.from).toMatchObject({ name: 'Aldergate Pilates', address: 'hello@aldergate.example' })
    expect(parsed.to).toMatchObject([{ name: '', address: 'zoe@mail.example' }])
    expect(parsed.subject).toBe(mail.subject)
    expect(parsed.html?.trim()).toBe(mail.html)
    expect(parsed.text?.trim()).toBe(mail.text)
    expect(parsed.attachments).toMatchObject([{ filename: 'class.ics', mimeType: 'text/calendar', method: 'PUBLISH' }])
    // The parser rewrites a calendar's line ends, so its bytes are looked for on the wire.
    const onTheWire = server.received[0]?.raw.toString().replaceAll('\r\n', '')
    expect(onTheWire).toContain(Buffer.from(mail.attachments[0]?.content ?? '').toString('base64'))
  })

  test('uses the same Message-ID for a repeat, and another for another mail', async () => {
    const server = await openMailServer()
    // Another process does not know what the first one handed over.
    const [smtp, elsewhere] = [openMailer(server.url), openMailer(server.url)]
    await smtp.deliver(mail, 'job-1')
    for (const id of ['job-1', 'job-2']) await elsewhere.deliver(mail, id)
    const parsed = await Promise.all(server.received.map(({ raw }) => PostalMime.parse(raw)))
    expect(parsed.map(({ messageId }) => messageId)).toEqual([
      '<job-1@aldergate.example>',
      '<job-1@aldergate.example>',
      '<job-2@aldergate.example>',
    ])
  })

  test('repeats a failed delivery, but not a running or finished one', async () => {
    let isBusy = true
    const server = await openMailServer({
      onMailFrom(_address, _session, done) {
        done(isBusy ? Object.assign(new Error('later, please'), { responseCode: 451 }) : null)
      },
    })
    const smtp = openMailer(server.url)
    await expect(smtp.deliver(mail, 'job-1')).rejects.toThrow('later, please')
    isBusy = false
    await Promise.all([smtp.deliver(mail, 'job-1'), smtp.deliver(mail, 'job-1')])
    await smtp.deliver(mail, 'job-1')
    expect(server.received).toHaveLength(1)
  })

  test('reads a response within the grace time, and fails after it', async () => {
    const server = await openMailServer()
    await openMailer(server.url, { ms: 0, graceMs: 30_000 }).deliver(mail, 'job-1')
    expect(server.received).toHaveLength(1)

    const mute = await openMailServer({ onData: () => {} })
    const given = openMailer(mute.url, { ms: 0, graceMs: 1 }).deliver(mail, 'job-1')
    await expect(given).rejects.toThrow('email job-1 was not accepted')
  })

  test('treats a recipient that looks like a list as one address', async () => {
    const server = await openMailServer()
    const smtp = openMailer(server.url)
    await smtp.deliver({ ...mail, to: 'a@mail.example, eve@mail.example' }, 'job-1').catch(() => {})
    expect(server.received.flatMap(({ recipients }) => recipients)).not.toContain('eve@mail.example')
  })

  test('fails while the server is down, and works again when it is back', async () => {
    const first = await openMailServer()
    const smtp = openMailer(first.url)
    await smtp.deliver(mail, 'job-1')
    await toClose.splice(0, 1)[0]?.()
    await expect(smtp.deliver(mail, 'job-2')).rejects.toThrow(/email job-2 was not accepted/)

    const back = await openMailServer({ port: Number(new URL(first.url).port) })
    await smtp.deliver(mail, 'job-2')
    expect(back.received).toHaveLength(1)
  })

  test('fails with the server’s reason but without the address', async () => {
    const server = await openMailServer({
      onRcptTo(address, _session, done) {
        done(Object.assign(new Error(`<${address.address}> is unknown here`), { responseCode: 550 }))
      },
    })
    const failure = await openMailer(server.url)
      .deliver(mail, 'job-1')
      .catch((error: Error) => error)
    expect(failure).toMatchObject({ name: 'DeliveryError', message: expect.stringContaining('550') })
    expect(`${failure?.message}${failure?.cause ?? ''}`).not.toContain('zoe@mail.example')
  })
})

test('the local mailbox saves a repeated mail once', async () => {
  const mailboxDir = await mkdtemp(join(tmpdir(), 'mailbox-'))
  toClose.push(() => rm(mailboxDir, { recursive: true }))
  const mailer = createMailer({ smtp: undefined }, { mailboxDir })
  for (const id of ['job-1', 'job-1']) await mailer.deliver(mail, id)
  expect(await readMailbox(mailboxDir)).toMatchObject([{ to: 'zoe@mail.example', subject: mail.subject }])
})
