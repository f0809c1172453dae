import type { Locator, Page } from '@playwright/test'
import { waitForHydration } from './member.ts'
import { expect, signIn, test, WITH_MOTION } from './site.ts'
import { changeResponse, holdRequests } from './traffic.ts'

test.use(WITH_MOTION)

const links = (within: Locator) =>
  within
    .getByRole('link')
    .evaluateAll((all) => all.map((a) => [a.textContent?.trim(), new URL((a as HTMLAnchorElement).href).pathname]))

const header = (page: Page) => page.getByRole('banner')

test.describe('the header', () => {
  test('links a visitor to every page, Login, Buy Pass and Book Now', async ({ page }) => {
    await page.goto('/about')
    await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible()
    const found = await links(header(page))
    expect(found).toEqual(
      expect.arrayContaining([
        ['Aldergate Pilates', '/'],
        ['Home', '/'],
        ['About', '/about'],
        ['Classes', '/harrogate-reformer-pilates-classes'],
        ['Pricing', '/pricing'],
        ['Contact', '/contact_harrogate_reformer_pilates'],
        ['Buy Pass', '/pricing'],
        ['Book Now', '/booking'],
        ['Login', '/auth'],
      ]),
    )
    for (const word of ['Dashboard', 'Health Info', 'Admin', 'Logout']) {
      await expect(header(page).getByText(word, { exact: true })).toHaveCount(0)
    }
    await expect(header(page).getByRole('link', { name: 'About' })).toHaveAttribute('aria-current', 'page')
  })

  test('welcomes a member by first name and offers Dashboard, Health Info and Logout', async ({ page, site }) => {
    await signIn(page, await site.member({ firstName: 'Rosalind' }))
    await page.goto('/about')
    await expect(header(page).getByText('Welcome, Rosalind')).toBeVisible()
    expect(await links(header(page))).toEqual(
      expect.arrayContaining([
        ['Dashboard', '/dashboard'],
        ['Health Info', '/health'],
        ['Logout', '/api/logout'],
      ]),
    )
    for (const word of ['Login', 'Admin']) {
      await expect(header(page).getByText(word, { exact: true })).toHaveCount(0)
    }
    await header(page).getByRole('link', { name: 'Book Now' }).click()
    await page.waitForURL('**/booking')
  })

  test('greets a member without a first name as Member', async ({ page, site }) => {
    await signIn(page, await site.member())
    await changeResponse<object>(page, '**/api/auth/user', (user) => ({ ...user, firstName: '' }))
    await page.goto('/about')
    await expect(header(page).getByText('Welcome, Member')).toBeVisible()
  })

  test('also links an admin to Admin', async ({ page, site }) => {
    await signIn(page, await site.admin())
    await page.goto('/about')
    await header(page).getByRole('link', { name: 'Admin', exact: true }).click()
    await page.waitForURL('**/admin')
  })

  test('shows neither Login nor a welcome until the session is known', async ({ page, site }) => {
    await signIn(page, await site.member({ firstName: 'Rosalind' }))
    const session = await holdRequests(page, '**/api/auth/user')
    await page.goto('/about')
    await expect.poll(session.calls).toBe(1)
    await expect(header(page).getByText('Login')).toBeHidden()
    await expect(header(page).getByText('Welcome')).toHaveCount(0)
    await session.release()
    await expect(header(page).getByText('Welcome, Rosalind')).toBeVisible()
  })

  test('shows a visitor Login before the scripts have loaded', async ({ page }) => {
    const scripts = await holdRequests(page, '**/assets/*.js')
    await page.goto('/about')
    await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible()
    await scripts.release()
    await waitForHydration(page)
    await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible()
  })

  test('shows Login when the remembered session has ended', async ({ page, site }) => {
    const member = await site.member()
    await signIn(page, member)
    await page.context().clearCookies({ name: 'session' })
    await page.goto('/about')
    await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible()
  })

  test('Logout ends the session and leads home', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/dashboard')
    await header(page).getByRole('link', { name: 'Logout' }).click()
    await page.waitForURL(`${site.origin}/`)
    await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible()
    expect((await page.request.get('/api/auth/user')).status()).toBe(401)
  })

  test('has a menu with the same links on a phone, which closes with Escape and returns the focus', async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await signIn(page, await site.admin())
    await page.goto('/about')
    const button = page.getByRole('button', { name: 'Open menu' })
    await button.click()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await expect(menu.getByText('Welcome, Eleanor')).toBeVisible()
    expect((await links(menu)).map(([word]) => word)).toEqual([
      'Home',
      'About',
      'Classes',
      'Pricing',
      'Contact',
      'Dashboard',
      'Health Info',
      'Admin',
      'Book Now',
      'Buy Pass',
      'Logout',
    ])
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await menu.getByRole('link', { name: 'Pricing' }).click()
    await page.waitForURL('**/pricing')
    await expect(menu).toBeHidden()
  })
})

test.describe('a change of page', () => {
  for (const [motion, behavior] of [
    ['no-preference', 'smooth'],
    ['reduce', 'auto'],
  ] as const) {
    test(`scrolls to the top (${behavior} with motion: ${motion}) and moves the focus to the heading`, async ({
      page,
    }) => {
      await page.emulateMedia({ reducedMotion: motion })
      await page.addInitScript(() => {
        const scrolls: unknown[] = []
        Object.assign(window, { scrolls })
        const scroll = window.scrollTo.bind(window)
        window.scrollTo = ((options: ScrollToOptions) => {
          scrolls.push(options)
          scroll(options)
        }) as typeof window.scrollTo
      })
      await page.goto('/about')
      // Before hydration a link would reload the page.
      await waitForHydration(page)
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
      await page.getByRole('contentinfo').getByRole('link', { name: 'Blog' }).click()
      await page.waitForURL('**/blog')
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
      const scrolls = await page.evaluate(() => (window as unknown as { scrolls: unknown[] }).scrolls)
      expect(scrolls).toContainEqual({ top: 0, behavior })
    })
  }

  test('renders a page as when it is opened directly, on a phone and on a desktop', async ({ page, site }) => {
    await signIn(page, await site.member({ health: true, credits: 1 }))
    const boxes = () =>
      page.getByRole('main').evaluate((main) =>
        Array.from(main.querySelectorAll('*'), (each) => {
          const { x, y, width, height } = each.getBoundingClientRect()
          return [each.tagName, ...[x, y, width, height].map(Math.round)].join(' ')
        }),
      )
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const [path, name] of [
        ['/booking', 'Book Now'],
        ['/pricing', 'Pricing'],
        ['/blog', 'Blog'],
      ] as const) {
        await page.goto('/about')
        await expect(page.getByText('Logout').first()).toBeAttached()
        await page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click()
        await page.waitForURL(`**${path}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
        await expect(page.getByText('Loading')).toHaveCount(0)
        await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
        const expected = await boxes()
        await page.reload()
        await expect.poll(boxes).toEqual(expected)
      }
    }
  })

  test('shows a progress line when it is slow', async ({ page }) => {
    await page.goto('/about')
    await waitForHydration(page)
    const code = await holdRequests(page, '**/assets/blog-*.js')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Blog' }).click()
    await expect(page.locator('.progress')).toBeVisible()
    await code.release()
    await page.waitForURL('**/blog')
    await expect(page.locator('.progress')).toHaveCount(0)
  })
})

test('pages for members and admins have a breadcrumb', async ({ page, site }) => {
  await signIn(page, await site.admin())
  for (const [path, crumb] of [
    ['/dashboard', 'Dashboard'],
    ['/dashboard?view=detailed', 'Dashboard'],
    ['/admin', 'Admin'],
  ] as const) {
    await page.goto(path)
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(trail.locator('[aria-current=page]')).toHaveText(crumb)
    await expect(trail.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/')
  }
})

test('an unknown path shows the 404 page with links and status 404', async ({ page }) => {
  const response = await page.goto('/nowhere-to-be-found')
  expect(response?.status()).toBe(404)
  await expect(page.getByText('Page not found')).toBeVisible()
  await expect(page.getByRole('link', { name: 'See classes' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
})

test('/contact redirects to the contact page, from outside and inside the app', async ({ page }) => {
  await page.goto('/contact')
  await expect(page).toHaveURL('/contact_harrogate_reformer_pilates')
  await page.goto('/about')
  await page.getByRole('main').locator('a[href^="/contact"]').first().click()
  await expect(page).toHaveURL('/contact_harrogate_reformer_pilates')
})

test('a page that throws shows an error with a link to the home page', async ({ page }) => {
  await page.goto('/dev/ui')
  await page.getByRole('button', { name: 'Break this page' }).click()
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
})
