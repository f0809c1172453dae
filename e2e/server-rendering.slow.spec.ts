import { callApi, expect, type Site, signIn, test } from './site.ts'
import { collectPageErrors, holdRequests } from './traffic.ts'

const CLASSES = '/harrogate-reformer-pilates-classes'

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('visitors see prices and free places, and members see classes, bookings, passes and the phone number', async ({
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
    await expect(page.getByText(/JavaScript is switched off/)).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: '01632 960147' })).toBeVisible()
  })

  test('pages for members say that they need JavaScript', async ({ page }) => {
    for (const path of ['/booking', '/checkout', '/health', '/dashboard']) {
      await page.goto(path)
      await expect(page.getByText(/JavaScript is switched off/)).toBeVisible()
    }
  })
})

test.describe('personal pages', () => {
  const PUBLIC = ['/', '/pricing', '/blog', '/auth', '/refund-policy', '/nothing', '/health', '/checkout', '/admin']

  test('public pages are identical for visitors, members and admins', async ({ site }) => {
    const member = await site.member({ firstName: 'Rosalind' })
    const admin = await site.admin()
    for (const path of PUBLIC) {
      const [forVisitor, forMember, forAdmin] = await Promise.all([
        read(site, path),
        read(site, path, member),
        read(site, path, admin),
      ])
      expect(forMember, path).toBe(forVisitor)
      expect(forAdmin, path).toBe(forVisitor)
    }
  })

  test('concurrent requests show each member only their own name and classes', async ({ site }) => {
    const people = await Promise.all(
      ['Rosalind', 'Thomasina', 'Wilhelmina'].map(async (firstName, i) => {
        const person = await site.member({ firstName, health: true, credits: 2 })
        const booked = await site.class({ at: `2026-12-${11 + i} 19:45`, title: `Class of ${firstName}` })
        await site.book(person, booked)
        return { person, firstName, title: booked.title }
      }),
    )
    const visits = [...people, ...people]
    const pages: { visitor: (typeof people)[number]; html: string }[] = []
    const shells: string[] = []
    for (let round = 0; round < 8; round += 1) {
      const personal = visits.map(async (visitor) => ({
        visitor,
        html: await read(site, '/dashboard', visitor.person),
      }))
      shells.push(...(await Promise.all(visits.map(() => read(site, '/dashboard')))))
      pages.push(...(await Promise.all(personal)))
    }
    const greeted = new Set<string>()
    for (const { visitor, html } of pages) {
      for (const other of people.filter((person) => person !== visitor)) {
        expect(html).not.toContain(other.firstName)
        expect(html).not.toContain(other.title)
      }
      // On a busy machine a page may be sent before its data has been read.
      if (html.includes(`Hello, ${visitor.firstName}`) && html.includes(visitor.title)) greeted.add(visitor.title)
    }
    expect(greeted.size).toBe(people.length)
    for (const html of shells) for (const { firstName } of people) expect(html).not.toContain(firstName)
  })
})

test('public pages show a new price and the next free place within a minute', async ({ site }) => {
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

test.describe('the home page', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('fetches only the hero picture for the time of day', async ({ page, site }) => {
    const fetched = new Set<string>()
    page.on('request', (request) => {
      if (request.url().includes('/pictures/hero-')) fetched.add(request.url())
    })
    const errors = collectPageErrors(page)
    for (const [time, hour] of [
      ['16:30', 'evening'],
      ['11:30', 'noon'],
    ]) {
      await site.travelTo(`2026-12-07 ${time}`, page)
      await expect.poll(() => read(site, '/'), { timeout: 60_000 }).toContain(`hero-${hour}-portrait`)
      fetched.clear()
      await page.goto('/')
      await page.waitForLoadState('networkidle')
      const source = await page
        .locator('figure img')
        .first()
        .evaluate((img: HTMLImageElement) => img.currentSrc)
      expect(source).toContain(`hero-${hour}-portrait`)
      expect([...fetched]).toEqual([source])
      const preloaded = page.locator('link[rel=preload][as=image]')
      for (const link of await preloaded.all())
        expect(await link.getAttribute('imagesrcset')).toContain(`hero-${hour}-`)
      await expect(preloaded).toHaveCount(2)
    }
    expect(errors()).toEqual([])
  })
})

test("hydrates without errors when the browser's clock is a day ahead", async ({ page, site }) => {
  const member = await site.member({ firstName: 'Rosalind', health: true, credits: 2 })
  await signIn(page, member)
  await page.clock.setFixedTime(new Date('2026-12-08T09:30:00Z'))
  const errors = collectPageErrors(page)
  const html = await read(site, '/booking', member)
  expect(html).toContain('Monday 7 December 2026')
  await page.goto('/booking')
  await expect(page.getByRole('heading', { name: 'Tuesday 8 December 2026' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByText('Hello, Rosalind')).toBeVisible()
  await expect(page.getByText('Logout').first()).toBeAttached()
  expect(errors()).toEqual([])
})

test('repeats a click on server-rendered HTML after hydration', async ({ page, site }) => {
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
