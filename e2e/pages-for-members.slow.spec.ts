import type { Page } from '@playwright/test'
import { expectToast } from './member.ts'
import { expect, signIn, test } from './site.ts'
import { holdRequests } from './traffic.ts'

test.describe('pages for members', () => {
  /**
   * Opens a page and holds all API responses. `timeouts` returns the timeouts set since then, and whether a toast was
   * visible.
   */
  async function visit(page: Page, path: string) {
    const session = await holdRequests(page, '**/api/**')
    await page.goto(path)
    await expect.poll(session.paths).toContain('/api/auth/user')
    await page.evaluate(() => {
      const timeouts: unknown[] = []
      const set = window.setTimeout.bind(window) as (...args: unknown[]) => number
      const spy = (...args: unknown[]) => {
        timeouts.push({ ms: args[1], hasToast: document.querySelector('.toast') !== null })
        return set(...args)
      }
      Object.assign(window, { timeouts, setTimeout: spy })
    })
    const timeouts = () => page.evaluate(() => (window as unknown as { timeouts: unknown[] }).timeouts)
    return { session, timeouts }
  }

  /** Expects the toast and the redirect. @returns the timeouts that the page has set */
  async function redirectTimeouts(page: Page, path: string, to: string, ...words: string[]): Promise<unknown[]> {
    const { session, timeouts } = await visit(page, path)
    await session.release()
    // At the same time, because the toast closes after five seconds.
    await Promise.all([expectToast(page, ...words), expect(page).toHaveURL(to)])
    return await timeouts()
  }

  for (const path of ['/booking', '/dashboard', '/health']) {
    test(`${path} shows a visitor a toast and leads to /auth after 500 ms`, async ({ page }) => {
      const words = ['Unauthorized', 'You are logged out. Logging in again...']
      expect(await redirectTimeouts(page, path, '/auth', ...words)).toContainEqual({ ms: 500, hasToast: true })
    })
  }

  for (const [path, to] of [
    ['/booking', '/auth'],
    ['/dashboard', '/auth'],
    ['/health', '/auth'],
    ['/checkout?packageId=1&amount=65', '/auth'],
    ['/admin', '/'],
  ] as const) {
    test(`${path} requests no member's data while a visitor is redirected`, async ({ page }) => {
      const requests = new Set<string>()
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/')) requests.add(`${request.method()} ${pathname}`)
      })
      await page.goto(path)
      await expect(page).toHaveURL(to)
      const allowed = ['/api/auth/user', '/api/classes', '/api/packages', '/api/payment-setup', '/api/studio']
      expect([...requests].filter((call) => !allowed.includes(call.replace('GET ', '')))).toEqual([])
    })
  }

  test('/checkout shows a visitor a toast and leads to /auth after 1 s', async ({ page }) => {
    const words = ['Unauthorized', 'You need to be logged in to make a purchase.']
    expect(await redirectTimeouts(page, '/checkout?packageId=1&amount=65', '/auth', ...words)).toContainEqual({
      ms: 1000,
      hasToast: true,
    })
  })

  test('/admin shows a member a toast and leads home after 500 ms', async ({ page, site }) => {
    await signIn(page, await site.member())
    expect(await redirectTimeouts(page, '/admin', '/', 'Access Denied', 'Admin access required')).toContainEqual({
      ms: 500,
      hasToast: true,
    })
  })

  for (const [path, code] of [
    ['/booking', 'auth'],
    ['/checkout?packageId=1&amount=65', 'auth'],
    ['/admin', 'home'],
  ] as const) {
    test(`${path} fetches the code of the next page during the wait`, async ({ page }) => {
      await page.addInitScript(() => {
        const set = window.setTimeout.bind(window) as (...args: unknown[]) => number
        // The wait does not end.
        const isWait = (ms: unknown) => ms === 500 || ms === 1000
        Object.assign(window, { setTimeout: (...args: unknown[]) => (isWait(args[1]) ? 0 : set(...args)) })
      })
      const fetched = page.waitForRequest(new RegExp(`/assets/${code}-[^/]+\\.js$`))
      await page.goto(path)
      await fetched
      await expect(page).toHaveURL(path)
    })
  }

  test('the 500 ms start when the toast is visible', async ({ page, site }) => {
    await signIn(page, await site.member())
    const words = await holdRequests(page, '**/assets/toast-viewer-*.js')
    const { session, timeouts } = await visit(page, '/admin')
    await session.release()
    await expect.poll(words.calls).toBeGreaterThan(0)
    expect(await timeouts()).not.toContainEqual(expect.objectContaining({ ms: 500 }))
    await words.release()
    await expectToast(page, 'Access Denied', 'Admin access required')
    await expect(page).toHaveURL('/')
    expect(await timeouts()).toContainEqual({ ms: 500, hasToast: true })
  })
})
