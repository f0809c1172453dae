import { describe, expect, test } from 'vitest'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { NEWSLETTER_FORM, subscribe } from '../contract.ts'

const subscribeAs = (person: Person, email = person.email) => person.call(subscribe, { body: { email } })
const onTheList = (studio: StudioUnderTest, email: string) =>
  studio.count('select count(*) from newsletter_subscribers where email = $1 and confirmed_at is not null', [email])
const known = (studio: StudioUnderTest) => studio.count('select count(*) from newsletter_subscribers')
/** The links in a person's newest mail. */
async function linksOf(studio: StudioUnderTest, person: { email: string }) {
  const mail = (await studio.mailTo(person)).at(-1)
  const link = (what: string) =>
    new RegExp(`https?://[^/\\s]+(/api/newsletter/${what}\\S+)`).exec(mail?.text ?? '')?.[1]
  return { subject: mail?.subject, confirm: link('confirm') ?? '', unsubscribe: link('unsubscribe') ?? '' }
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** Presses the button of the page that an emailed link opens. */
const confirmSubscription = (who: Person, link: string) =>
  who.request('POST', link, '', { ...FORM, 'sec-fetch-site': 'same-origin' })

const story = shareStudio()

test('adds an address when the button behind the emailed link is pressed, also repeatedly', async () => {
  const { studio } = story
  const vera = studio.visitor('Vera')
  expect(await subscribeAs(vera)).toMatchObject({ status: 200, body: { message: expect.stringContaining('mail') } })
  expect(await onTheList(studio, vera.email)).toBe(0)
  const { subject, confirm } = await linksOf(studio, vera)
  expect(subject).toContain('confirm the newsletter')
  // Opened from webmail or by a scanner, the page changes nothing.
  await vera.request('HEAD', confirm)
  const page = await vera.request('GET', confirm, undefined, { 'sec-fetch-site': 'cross-site' })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.body).toContain('Join the newsletter?')
  expect(page.body).toContain(`action="${confirm}" method="post"`)
  expect(await onTheList(studio, vera.email)).toBe(0)
  for (const _ of ['once', 'twice']) {
    const done = await confirmSubscription(vera, confirm)
    expect([done.status, done.body]).toEqual([200, expect.stringContaining('You are on the list')])
    expect(await onTheList(studio, vera.email)).toBe(1)
  }
  expect((await vera.request('GET', confirm)).body).toContain('You are on the list')
})

test('responds the same way for new, pending and known addresses; only the mail differs', async () => {
  const { studio } = story
  const wilma = studio.visitor('Wilma')
  const [fresh, waiting] = [await subscribeAs(wilma), await subscribeAs(wilma, wilma.email.toUpperCase())]
  const { confirm } = await linksOf(studio, wilma)
  await confirmSubscription(wilma, confirm)
  const again = await subscribeAs(wilma)
  for (const response of [waiting, again]) expect([response.status, response.body]).toEqual([fresh.status, fresh.body])
  expect((await studio.mailTo(wilma)).map(({ subject }) => /already/.test(subject))).toEqual([false, false, true])
  expect(await studio.count('select count(*) from newsletter_subscribers where lower(email) = $1', [wilma.email])).toBe(
    1,
  )
  // An earlier mail's link is still the same one.
  expect((await wilma.request('GET', confirm)).status).toBe(200)
})

test('unsubscribes with the button behind the link, not with the link; a repeat changes nothing', async () => {
  const { studio } = story
  const xenia = studio.visitor('Xenia')
  await subscribeAs(xenia)
  const { confirm, unsubscribe } = await linksOf(studio, xenia)
  await confirmSubscription(xenia, confirm)
  // A mail scanner follows every link before its reader does.
  expect((await xenia.request('GET', unsubscribe)).body).toContain('Leave the newsletter?')
  expect(await onTheList(studio, xenia.email)).toBe(1)
  for (const _ of ['once', 'twice']) {
    const left = await xenia.request('POST', unsubscribe, '', { ...FORM, 'sec-fetch-site': 'same-origin' })
    expect([left.status, left.body]).toEqual([200, expect.stringContaining('You are unsubscribed')])
  }
  expect(await studio.count('select count(*) from newsletter_subscribers where email = $1', [xenia.email])).toBe(0)
  expect((await xenia.request('GET', confirm)).status).toBe(404)
  expect((await xenia.request('GET', unsubscribe)).status).toBe(200)
  await subscribeAs(xenia)
  expect((await linksOf(studio, xenia)).confirm).not.toBe(confirm)
})

test.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
  ],
])('a mail program unsubscribes with one POST (%s), without cookies or origin', async (type, body) => {
  const { studio } = story
  const yara = studio.visitor(`Yara ${type.length}`)
  await subscribeAs(yara)
  const { confirm, unsubscribe } = await linksOf(studio, yara)
  await confirmSubscription(yara, confirm)
  expect((await yara.request('POST', unsubscribe, body, { 'content-type': type })).status).toBe(200)
  expect(await onTheList(studio, yara.email)).toBe(0)
})

test('refuses cross-site requests to subscribe and unsubscribe', async () => {
  const { studio } = story
  const zoe = studio.visitor('Zoe')
  await subscribeAs(zoe)
  const { confirm, unsubscribe } = await linksOf(studio, zoe)
  await confirmSubscription(zoe, confirm)
  const before = await known(studio)
  const evil = { ...FORM, 'sec-fetch-site': 'cross-site' }
  for (const link of [confirm, unsubscribe]) expect((await zoe.request('POST', link, '', evil)).status).toBe(403)
  expect((await zoe.request('POST', NEWSLETTER_FORM, 'email=victim@people.example', evil)).status).toBe(403)
  expect(await known(studio)).toBe(before)
})

test.each(['', 'nobody', 'a b@people.example', '@people.example', `${'x'.repeat(250)}@people.example`, 7, null])(
  'refuses an invalid address: %s',
  async (email) => {
    const before = await known(story.studio)
    const response = await story.studio.visitor().request('POST', '/api/newsletter', { email })
    expect(response).toMatchObject({
      status: 400,
      body: { message: 'Invalid email address', errors: [{ path: 'email', message: 'Invalid email address' }] },
    })
    expect(await known(story.studio)).toBe(before)
  },
)

test('the form works without JavaScript and shows errors on a page', async () => {
  const { studio } = story
  const una = studio.visitor('Una')
  const sent = await una.request('POST', NEWSLETTER_FORM, `email=${encodeURIComponent(una.email)}`, FORM)
  expect([sent.status, sent.body]).toEqual([200, expect.stringContaining('Please check your inbox')])
  expect((await linksOf(studio, una)).confirm).not.toBe('')
  const wrong = await una.request('POST', NEWSLETTER_FORM, 'email=%3Cscript%3E', FORM)
  expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining('Invalid email address')])
  expect(wrong.body).toContain('value="&lt;script&gt;"')
})

test('its pages run no scripts, load nothing from other sites and send no full referrer', async () => {
  const { headers, status } = await story.studio.visitor().request('GET', '/api/newsletter/confirm?token=unknown')
  expect(status).toBe(404)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('content-security-policy')).not.toContain('script-src')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('cache-control')).toBe('no-store')
})

describe('time', () => {
  test('a link works for seven days; then an unconfirmed address is deleted', async () => {
    const studio = await openEmptyStudio({ now: '2026-12-01 09:00' })
    const [early, late, slow] = [studio.visitor('Early'), studio.visitor('Late'), studio.visitor('Slow')]
    for (const person of [early, late, slow]) await subscribeAs(person)
    const links: Awaited<ReturnType<typeof linksOf>>[] = []
    for (const person of [early, late, slow]) links.push(await linksOf(studio, person))
    const follow = (i: number) => confirmSubscription(studio.visitor(), links[i]?.confirm ?? '')
    expect((await follow(0)).status).toBe(200)
    studio.travelTo('2026-12-08 08:59')
    await studio.server.workers['tidy-up']({}, 'by hand')
    expect((await follow(1)).status).toBe(200)
    studio.travelTo('2026-12-08 09:00')
    expect((await follow(2)).status).toBe(404)
    await studio.server.workers['tidy-up']({}, 'by hand')
    expect(await known(studio)).toBe(2)
    expect((await follow(0)).status).toBe(200)
  })
})

test('deleting an account deletes its newsletter subscription only', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  for (const person of [ana, boris]) await subscribeAs(person, person.email.toUpperCase())
  expect((await dora.request('DELETE', `/api/admin/users/${ana.id}`)).status).toBe(200)
  const { rows } = await studio.server.database.pool.query('select email from newsletter_subscribers')
  expect(rows).toEqual([{ email: boris.email.toUpperCase() }])
})

test('live: limits both forms to 300 requests an hour per network address', async () => {
  const studio = await openEmptyStudio({ env: { ...LIVE, TRUST_PROXY: 'loopback' } })
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  await studio.server.database.pool.query(
    "insert into throttles (key, points, expire) values ('mail:203.0.113.1', 298, $1)",
    [Date.now() + 3_600_000],
  )
  const vera = studio.visitor()
  const ask = (ip: string) => vera.request('POST', '/api/newsletter', { email: vera.email }, from(ip))
  expect((await ask('203.0.113.1')).status).toBe(200)
  const form = await vera.request('POST', NEWSLETTER_FORM, `email=${vera.email}`, { ...FORM, ...from('203.0.113.1') })
  expect(form.status).toBe(200)
  expect((await ask('203.0.113.1')).status).toBe(429)
  expect((await ask('203.0.113.2')).status).toBe(200)
})

test('live: sends one recipient five links an hour; the responses never differ', async () => {
  const studio = await openEmptyStudio({ env: LIVE })
  const queued = (to: string) =>
    studio.count("select count(*) from pgboss.job where name = 'mail' and data #>> '{data,to,email}' = $1", [to])
  const responses = []
  for (let n = 0; n < 4; n++) responses.push(await subscribeAs(studio.visitor(), 'VICTIM@people.example'))
  responses.push(await subscribeAs(studio.visitor(), 'victim@people.example'))
  expect(await queued('VICTIM@people.example')).toBe(5)
  responses.push(await subscribeAs(studio.visitor(), 'victim@people.example'))
  const form = await studio.visitor().request('POST', NEWSLETTER_FORM, 'email=victim@people.example', FORM)
  expect([form.status, form.body]).toEqual([200, expect.stringContaining('Please check your inbox')])
  expect(await queued('VICTIM@people.example')).toBe(5)
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.message}`)).size).toBe(1)
  expect((await subscribeAs(studio.visitor(), 'other@people.example')).status).toBe(200)
  expect(await queued('other@people.example')).toBe(1)
})
