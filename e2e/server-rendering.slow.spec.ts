import { callApi, expect, type Site, signIn, test } from './site.ts'
import { collectPageErrors, holdRequests } from './traffic.ts'

const CLASSES = '/harrogate-reformer-pilates-classes'

// What pages come with: drawn by the server, before any script runs and any call is made.

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor reads prices and free places; a member finds classes, bookings and passes, and who helps with the rest', async ({
    page,
    site,
  }) => {
    await page.goto('/')
    await expect(page.getByText('Next free place')).toBeVisible()
    await expect(page.getByText(/^\w+ \d+ December, \d\d:\d\d$/)).toBeVisible()
    await page.goto(CLASSES)
    await expect(page.getByRole('heading', { name: 'Free in the next seven days' })).toBeVisible()
    await page.goto('/pricing')
    await expect(page.getByRole('listitem').filter({ hasText: '8 Class Pass' })).toContainText('£')

    const member = await site.member({ firstName: 'Rosalind', health: true, credits: 3 })
    const chosen = await site.class({ at: '2026-12-09 19:15' })
    await site.book(member, chosen)
    await signIn(page, member)
    await page.goto('/dashboard')
    await expect(page.getByText('Hello, Rosalind')).toBeVisible()
    await expect(page.getByRole('main').getByText(chosen.title).first()).toBeVisible()
    await expect(page.getByText('2 credits left')).toBeVisible()
    await page.goto('/booking?date=2026-12-09')
    await expect(page.getByText(chosen.title)).toBeVisible()
    await expect(page.getByText('Already Booked').or(page.getByText('Booked')).first()).toBeVisible()
    await expect(page.getByText(/has JavaScript switched off/)).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: '01632 960147' })).toBeVisible()
  })

  test('pages that are drawn for nobody say what is needed', async ({ page }) => {
    for (const path of ['/booking', '/checkout', '/health', '/dashboard']) {
      await page.goto(path)
      await expect(page.getByText(/has JavaScript switched off/)).toBeVisible()
    }
  })
})

test.describe('what one asks for never reaches another', () => {
  const PUBLIC = ['/', '/pricing', '/blog', '/auth', '/refund-policy', '/nothing', '/health', '/checkout', '/admin']

  test('pages that are kept are the same bytes for nobody, a member and an admin', async ({ site }) => {
    const member = await site.member({ firstName: 'Rosalind' })
    const admin = await site.admin()
    for (const path of PUBLIC) {
      const [nobodys, members, admins] = await Promise.all([
        read(site, path),
        read(site, path, member),
        read(site, path, admin),
      ])
      expect(members, path).toBe(nobodys)
      expect(admins, path).toBe(nobodys)
    }
  })

  test('members who ask at once are shown their own names and classes, and no other', async ({ site }) => {
    const people = await Promise.all(
      ['Rosalind', 'Thomasina', 'Wilhelmina'].map(async (firstName, i) => {
        const person = await site.member({ firstName, health: true, credits: 2 })
        const booked = await site.class({ at: `2026-12-${11 + i} 19:45`, title: `Class of ${firstName}` })
        await site.book(person, booked)
        return { person, firstName, title: booked.title }
      }),
    )
    const visits = [...people, ...people]
    const pages: { own: (typeof people)[number]; html: string }[] = []
    const shells: string[] = []
    for (let round = 0; round < 8; round += 1) {
      const asked = visits.map(async (own) => ({ own, html: await read(site, '/dashboard', own.person) }))
      shells.push(...(await Promise.all(visits.map(() => read(site, '/dashboard')))))
      pages.push(...(await Promise.all(asked)))
    }
    const greeted = new Set<string>()
    for (const { own, html } of pages) {
      for (const other of people.filter((person) => person !== own)) {
        expect(html).not.toContain(other.firstName)
        expect(html).not.toContain(other.title)
      }
      // On a machine this busy a page may come without what was not read in time.
      if (html.includes(`Hello, ${own.firstName}`) && html.includes(own.title)) greeted.add(own.title)
    }
    expect(greeted.size).toBe(people.length)
    for (const html of shells) for (const { firstName } of people) expect(html).not.toContain(firstName)
  })
})

test('the owner changes a price, and somebody takes the next free place: pages say it within a minute, as they come', async ({
  site,
}) => {
  const admin = await site.admin()
  const [sold] = await callApi(admin, 'GET', '/api/admin/packages')
  await callApi(admin, 'PUT', `/api/packages/${sold.id}`, { ...sold, price: '123.00' })
  const next = await site.class({ at: '2026-12-07 08:05', places: 1 })
  const taken = `/booking?date=${next.date}&amp;class=${next.id}`
  for (const path of ['/', CLASSES]) await expect.poll(() => read(site, path), { timeout: 60_000 }).toContain(taken)
  await site.book(await site.member({ health: true, credits: 1 }), next)
  for (const path of ['/', CLASSES]) await expect.poll(() => read(site, path), { timeout: 60_000 }).not.toContain(taken)
  await expect.poll(() => read(site, '/pricing'), { timeout: 60_000 }).toContain('£123')
  await callApi(admin, 'PUT', `/api/packages/${sold.id}`, sold)
})

test.describe('home at the hour of the studio', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('comes with the room in its light, and fetches that picture alone', async ({ page, site }) => {
    const fetched = new Set<string>()
    page.on('request', (request) => {
      if (request.url().includes('/pictures/hero-')) fetched.add(request.url())
    })
    const faults = collectPageErrors(page)
    for (const [time, hour] of [
      ['16:30', 'evening'],
      ['11:30', 'noon'],
    ]) {
      await site.travelTo(`2026-12-07 ${time}`, page)
      await expect.poll(() => read(site, '/'), { timeout: 60_000 }).toContain(`hero-${hour}-portrait`)
      fetched.clear()
      await page.goto('/')
      await page.waitForLoadState('networkidle')
      const shown = await page
        .locator('figure img')
        .first()
        .evaluate((img: HTMLImageElement) => img.currentSrc)
      expect(shown).toContain(`hero-${hour}-portrait`)
      expect([...fetched]).toEqual([shown])
      const preloaded = page.locator('link[rel=preload][as=image]')
      for (const link of await preloaded.all())
        expect(await link.getAttribute('imagesrcset')).toContain(`hero-${hour}-`)
      await expect(preloaded).toHaveCount(2)
    }
    expect(faults()).toEqual([])
  })
})

test('a browser whose clock is a day ahead takes the page over without a fault, and then goes by its own', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Rosalind', health: true, credits: 2 })
  await signIn(page, member)
  await page.clock.setFixedTime(new Date('2026-12-08T09:30:00Z'))
  const faults = collectPageErrors(page)
  const drawn = await read(site, '/booking', member)
  expect(drawn).toContain('Monday 7 December 2026')
  await page.goto('/booking')
  await expect(page.getByRole('heading', { name: 'Tuesday 8 December 2026' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByText('Hello, Rosalind')).toBeVisible()
  await expect(page.getByText('Logout').first()).toBeAttached()
  expect(faults()).toEqual([])
})

test('a click on what the server has drawn is carried out when the scripts are there', async ({ page, site }) => {
  const member = await site.member({ health: true, credits: 2 })
  await site.book(member, await site.class({ at: '2026-12-10 11:15' }))
  await signIn(page, member)
  const scripts = await holdRequests(page, '**/assets/*.js')
  await page.goto('/dashboard', { waitUntil: 'domcontentloaded' })
  await page.getByRole('button', { name: /^Reschedule/ }).click()
  await expect.poll(scripts.calls).toBeGreaterThan(0)
  await scripts.release()
  await expect(page.getByRole('dialog')).toBeVisible()
})

async function read(site: Site, path: string, person?: { cookies: ReadonlyMap<string, string> }): Promise<string> {
  const cookie = [...(person?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  return (await fetch(site.origin + path, { headers: cookie ? { cookie } : {} })).text()
}
