import { createServer } from 'node:net'
import type { Locator } from '@playwright/test'
import { SMTPServer } from 'smtp-server'
import { LIVE } from '#testing/live-settings.ts'
import { Person } from '#testing/person.ts'
import { chooseSection } from './admin.ts'
import { expectToast } from './member.ts'
import { submitPassword } from './second-step-site.ts'
import { test as base, callApi, expect, MONDAY_MORNING, Site } from './site.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address ? address.port : 0
}

/** A mail server that takes everything. */
async function openMailServer() {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => stream.resume().on('end', () => done()),
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `smtp://127.0.0.1:${port}`, close: () => new Promise<void>((closed) => server.close(closed)) }
}

/** An empty live site. It runs on `localhost`, where browsers allow secure cookies without HTTPS. */
async function openEmptyLiveSite(smtpUrl: string) {
  const port = await freePort()
  const address = `localhost:${port}`
  const settings = { ...LIVE, PORT: String(port), APP_URL: `https://${address}`, SMTP_URL: smtpUrl }
  const site = await Site.open(MONDAY_MORNING, { settings, refreshMs: 500 })
  return { site, url: `http://${address}` }
}

const test = base.extend<object, { live: { site: Site; url: string } }>({
  live: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
    async ({}, use) => {
      const mail = await openMailServer()
      const live = await openEmptyLiveSite(mail.url)
      await use(live)
      await live.site.close()
      await mail.close()
    },
    { scope: 'worker' },
  ],
  site: async ({ live }, use) => use(live.site),
  baseURL: async ({ live }, use) => use(live.url),
})

test.use({ viewport: { width: 390, height: 844 } })

async function createOwner(site: Site): Promise<Person> {
  const owner = new Person(site.origin, 'Jo')
  const { email, password } = owner
  await callApi(owner, 'POST', '/api/register', { email, password, firstName: 'Jo', lastName: 'Hart' })
  await site.pool.query('update users set is_admin = true where email = $1', [email])
  return owner
}

test('from an empty live site to a public one in a day, by the set-up list alone', async ({ page, live }) => {
  const { site, url } = live
  const classes = `${url}/harrogate-reformer-pilates-classes`
  const read = async (path: string) => (await fetch(`${url}${path}`)).text()
  await expect.poll(async () => (await fetch(url)).headers.get('x-robots-tag')).toBe('noindex')
  await expect.poll(() => read('/harrogate-reformer-pilates-classes')).toContain('The calendar opens soon.')
  expect(await read('/')).toContain('Opens soon')
  expect(await read('/')).toContain('<meta name="robots" content="noindex"')
  expect(await read('/robots.txt')).not.toContain('Sitemap')
  expect(await read('/sitemap.xml')).not.toContain('<url>')

  const owner = await createOwner(site)
  await submitPassword(page, owner)
  await expect(page).toHaveURL(/dashboard/)
  await expect(page.getByText('Tell us about your health')).toHaveCount(0)
  await page.goto('/admin')
  const list = page.getByRole('region', { name: 'Make it your studio' })
  await expect(list.getByText('0 of 11')).toBeVisible()
  const item = (title: string): Locator => list.getByRole('listitem').filter({ hasText: title })
  const confirm = async (title: string, done: number) => {
    await item(title)
      .getByRole('button', { name: `Confirm: ${title}` })
      .click()
    await expect(list.getByText(`${done} of 11`)).toBeVisible()
  }
  const form = page.getByRole('form', { name: 'Studio settings' })
  const save = async () => {
    await form.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Saved. Every page will show it within a minute')
    await page.goto('/admin')
  }
  const saveGroup = async () => {
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  }
  await expect(item('Studio and teacher')).toContainText('Still the example: Aldergate Pilates')
  await expect(item('Studio and teacher').getByRole('button')).toHaveCount(0)

  await item('Studio and teacher').getByRole('link').click()
  await expect(form.getByLabel('Studio name')).toBeFocused()
  await form.getByLabel('Studio name').fill('Wharfedale Reformer')
  await form.getByRole('region', { name: 'The teacher' }).getByLabel('Name').fill('Jo Hart')
  await form.getByLabel('Story').fill('Jo danced, then taught.')
  await saveGroup()
  await chooseSection(page, 'Finding the studio')
  await form.getByLabel('The door').fill('The blue door.')
  await form.getByLabel('Parking').fill('On the street.')
  await form.getByLabel('Train and bus').fill('Five minutes from the station.')
  await saveGroup()
  await chooseSection(page, 'Address and contact')
  await form.getByLabel('Latitude').fill('')
  await form.getByLabel('Longitude').fill('')
  await form.getByLabel('Street').fill('1 New Row')
  await form.getByLabel('Town').fill('Ilkley')
  await form.getByLabel('County').fill('West Yorkshire')
  await form.getByLabel('Postcode').fill('LS29 1AA')
  await form.getByLabel('Phone').fill('01632 960001')
  await form.getByLabel('Email', { exact: true }).fill('hello@wharfedale.example')
  await form.getByLabel('Your own email').fill('jo@wharfedale.example')
  await saveGroup()
  await chooseSection(page, 'Business and prices')
  await form.getByLabel('Run by').selectOption('sole_trader')
  await form.getByLabel('Your full name').fill('Joanna Hart')
  await form.getByLabel('Address for legal letters').fill('1 New Row, Ilkley LS29 1AA')
  await save()
  await expect(list.getByText('1 of 11')).toBeVisible()

  await callApi(owner, 'POST', '/api/login', { username: owner.email, password: owner.password })
  const pass = { name: 'Five classes', price: '240', classCount: 5, validityMonths: 3, maxParticipants: 2 }
  await callApi(owner, 'POST', '/api/packages', pass)
  const first = { title: 'Duo', date: '2026-12-16', startTime: '09:30', endTime: '10:15', maxParticipants: 2 }
  await callApi(owner, 'POST', '/api/classes', first)
  await page.goto('/admin')
  await item('Packages and prices').getByRole('link').click()
  await expect(page.getByRole('button', { name: 'Create Package' })).toBeInViewport()
  await page.goto('/admin')
  await expect(item('First term')).toContainText('1 class from')
  await confirm('Studio and teacher', 3)
  await confirm('Address', 4)
  await confirm('Contact', 5)
  await confirm('Opening hours', 6)
  await confirm('Weekly timetable', 7)
  await confirm('Packages and prices', 8)
  await confirm('Card payments', 9)
  await confirm('A backup kept elsewhere', 10)
  await item('Test email').getByRole('button', { name: 'Send: Test email' }).click()
  const complete = page.getByRole('region', { name: 'Your site is set up' })
  await expect(complete.getByText('11 of 11')).toBeVisible({ timeout: 30_000 })
  await complete.getByRole('button', { name: 'Close the list' }).click()
  await expect(complete).toHaveCount(0)

  await expect.poll(async () => (await fetch(url)).headers.get('x-robots-tag')).toBeNull()
  await expect.poll(() => read('/harrogate-reformer-pilates-classes')).toContain('The next classes are from')
  await page.goto(classes)
  await expect(page).toHaveTitle(/Wharfedale Reformer/)
  await expect(page.getByText('The next classes are from')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('Wharfedale Reformer is run by Joanna Hart')
  for (const path of [
    '/',
    '/about',
    '/contact_harrogate_reformer_pilates',
    '/terms-and-conditions',
    '/offline.html',
    '/site.webmanifest',
    '/blog/rss.xml',
  ])
    await expect.poll(() => read(path), path).not.toMatch(/Aldergate|Eleanor|01632 960147|the mews/)
  expect(await read('/sitemap.xml')).toContain('<url>')
})
