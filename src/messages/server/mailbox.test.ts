import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOURS } from '#content/hour-of-room.ts'
import { keysOf } from '#foundation/collections.ts'
import { readPolicy } from '#platform/http/policy-under-test.ts'
import { mailboxRoutes } from './mailbox.ts'
import { readMailbox, saveToMailbox } from './mailbox-files.ts'
import type { RenderedMail } from './render-mail.ts'
import { sampleMails } from './sample-mails.ts'

const now = Temporal.Instant.from('2026-12-07T09:30:00Z')
const mail: RenderedMail = {
  to: 'zoe@mail.example',
  fromName: 'Aldergate Pilates',
  replyTo: 'hello@aldergate.example',
  subject: 'Zoë & <b>friends</b>',
  html: '<p>Hello "Zoë"</p><script>alert(1)</script>',
  text: 'Hello <Zoë>',
  attachments: [{ filename: 'class.ics', content: 'BEGIN:VCALENDAR', contentType: 'text/calendar; charset=utf-8' }],
}

let dir: string
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'mailbox-')), 'mailbox')
})
afterEach(() => rm(join(dir, '..'), { recursive: true }))

describe('the mailbox', () => {
  test('is empty before the first mail', async () => {
    expect(await readMailbox(dir)).toEqual([])
  })

  test('saves a mail once for repeated and concurrent deliveries', async () => {
    await saveToMailbox(dir, mail, 'job-1', now)
    await saveToMailbox(dir, mail, 'job-1', now.add({ hours: 1 }))
    await Promise.all([1, 2, 3].map(() => saveToMailbox(dir, mail, 'job-2', now.add({ hours: 2 }))))
    expect((await readdir(dir)).sort()).toEqual(['job-1.json', 'job-2.json'])
    // Some microseconds later where a mail of another story came at this moment.
    const at = expect.stringMatching(/^2026-12-07T09:30:00\.0000\d\dZ$/)
    expect((await readMailbox(dir)).at(-1)).toMatchObject({ id: 'job-1', at })
  })

  test('lists the newest first, even if the clock has not moved', async () => {
    const later = now.add({ hours: 24 })
    for (const id of ['c', 'a', 'b']) await saveToMailbox(dir, mail, id, later)
    await saveToMailbox(dir, mail, 'd', later.subtract({ hours: 1 }))
    expect((await readMailbox(dir)).map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd'])
  })

  test.skipIf(process.platform === 'win32')('is readable by its owner only', async () => {
    await saveToMailbox(dir, mail, 'job-1', now)
    const modes = await Promise.all([dir, join(dir, 'job-1.json')].map(async (path) => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o600])
  })

  test.each(['../job', 'a/b', ''])('refuses the id %j', async (id) => {
    await expect(saveToMailbox(dir, mail, id, now)).rejects.toThrow(RangeError)
  })
})

describe('its pages', () => {
  async function opened() {
    const app = Fastify()
    mailboxRoutes(app, { dir, appUrl: 'https://studio.example', texts: async () => [], pushes: [] })
    await saveToMailbox(dir, mail, 'job-1', now)
    return { get: (url: string) => app.inject({ url }) }
  }

  test('JSON has exactly the documented fields', async () => {
    const { get } = await opened()
    const response = await get('/dev/mailbox.json')
    const { to, subject, text, html } = mail
    expect(response.json()).toEqual([{ to, subject, text, html, at: expect.any(String), attachments: ['class.ics'] }])
  })

  test('the list links to each mail', async () => {
    const { get } = await opened()
    const response = await get('/dev/mailbox')
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = readPolicy(String(response.headers['content-security-policy']))
    expect(policy['default-src']).toEqual(["'none'"])
    expect(policy['img-src']).toEqual(['https://studio.example/email-pictures/'])
    expect(response.body).toContain('<a href="/dev/mailbox/job-1">Zoë &amp; &lt;b&gt;friends&lt;/b&gt;</a>')
    expect(response.body).toContain('to zoe@mail.example · 07/12/2026 09:30 · with class.ics')
  })

  test('shows a mail in a sandbox without scripts, with its text and attachment', async () => {
    const { get } = await opened()
    const { body } = await get('/dev/mailbox/job-1')
    expect(body).not.toContain('<script')
    expect(body).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
    expect(body).toContain('<pre>Hello &lt;Zoë&gt;</pre>')
    expect(body).toContain('href="/dev/mailbox/job-1/class.ics"')
    const file = await get('/dev/mailbox/job-1/class.ics')
    expect(file.body).toBe('BEGIN:VCALENDAR')
    expect(file.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': "attachment; filename*=UTF-8''class.ics",
    })
  })

  test('shows every kind of mail at two widths, in light and dark', async () => {
    const { get } = await opened()
    const { body } = await get('/dev/mailbox/templates')
    for (const kind of keysOf(sampleMails))
      for (const how of ['375 px, light', '375 px, dark', '640 px, light', '640 px, dark'])
        expect(body).toContain(`title="${kind}: ${how}"`)
    expect(body).not.toContain('<script')
    for (const hour of HOURS) expect(body).toContain(`https://studio.example/email-pictures/room-${hour}.jpg`)
  })

  test.each(['/dev/mailbox/job-2', '/dev/mailbox/..%2Fsecrets', '/dev/mailbox/job-1/other.ics'])(
    '%s is not found',
    async (url) => {
      const { get } = await opened()
      expect((await get(url)).statusCode).toBe(404)
    },
  )

  test('shows that the mailbox is empty', async () => {
    const app = Fastify()
    mailboxRoutes(app, { dir, appUrl: 'https://studio.example', texts: async () => [], pushes: [] })
    expect((await app.inject({ url: '/dev/mailbox' })).body).toContain('No emails yet')
    expect((await app.inject({ url: '/dev/mailbox.json' })).json()).toEqual([])
  })
})
