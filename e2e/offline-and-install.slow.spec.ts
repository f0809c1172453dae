import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { confirmBooking, expectToast, logIn, openClassDialog, signInWithBooking } from './member.ts'
import { expect, freezeClock, type Site, signIn, test } from './site.ts'
import { failRequests } from './traffic.ts'

test.use({ serviceWorkers: 'allow', viewport: { width: 390, height: 844 } })

async function waitForServiceWorker(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await expect.poll(() => cachedPages(page)).toHaveLength(1)
}

const cachedPages = (page: Page) =>
  page.evaluate(async () => {
    const found: { path: string; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const text = (await (await cache.match(request))?.text()) ?? ''
        found.push({ path: new URL(request.url).pathname, text })
      }
    }
    return found
  })

const savedClasses = (page: Page) => page.evaluate(() => localStorage.getItem('signed-in'))

/** Starts a proxy that can delay and change texts, because Playwright cannot intercept a service worker's requests. */
async function startProxy(site: Site, alter: (path: string, text: string) => Promise<string> | string) {
  const server = createServer(async (request, response) => {
    const { url = '/', method, headers } = request
    const { cookie = '', 'user-agent': agent = '' } = headers
    const fetched = await fetch(site.origin + url, {
      method,
      redirect: 'manual',
      headers: { cookie, 'user-agent': agent, 'accept-encoding': 'identity' },
    })
    const passed = [...fetched.headers].filter(([name]) => !/^(connection|keep-alive|transfer-encoding)$/.test(name))
    const body = Buffer.from(await fetched.arrayBuffer())
    const isText = /html|javascript/.test(fetched.headers.get('content-type') ?? '')
    const altered = isText ? await alter(url, body.toString()) : body
    response.writeHead(fetched.status, Object.fromEntries(passed.filter(([name]) => name !== 'content-length')))
    response.end(altered)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, close: () => void server.close().closeAllConnections() }
}

/** Signs in a member with a class on Thursday at 15:00 and saves the offline page. */
async function signInWithOfflinePage(page: Page, site: Site, origin = '') {
  const created = await signInWithBooking(page, site)
  await page.goto(`${origin}/dashboard`)
  await waitForServiceWorker(page)
  await expect.poll(() => savedClasses(page)).toContain(created.booked.title)
  return created
}

test('shows the next class, the address, the door and the parking offline', async ({ page, context, site }) => {
  const { booked } = await signInWithOfflinePage(page, site)
  await context.setOffline(true)
  await page.goto('/booking')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  const next = page.getByRole('region', { name: 'Your next class' })
  await expect(next).toContainText(booked.title)
  await expect(next).toContainText('Thursday 10 December 2026')
  await expect(next).toContainText('15:00 to 15:45')
  await expect(next).toContainText('Last updated on 7 December 2026')
  for (const [term, words] of [
    ['Address', '7 Aldergate Mews'],
    ['Door', /\w+/],
    ['Parking', /\w+/],
  ] as const) {
    await expect(page.getByRole('term').filter({ hasText: term }).locator('+ dd')).toContainText(words)
  }

  await freezeClock(page, '2026-12-10 15:46')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await expect(next).toBeHidden()

  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
})

test('caches the offline page only, never a member’s page or an API response', async ({ page, site }) => {
  const { member, booked } = await signInWithOfflinePage(page, site)
  for (const path of ['/dashboard?view=detailed', '/booking', '/health', '/checkout', '/pricing', '/', '/nowhere']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
  }
  const [kept, ...others] = await cachedPages(page)
  expect(others).toEqual([])
  expect(kept?.path).toBe('/offline.html')
  const publicPage = await (await fetch(`${site.origin}/offline.html`)).text()
  expect(kept?.text).toBe(publicPage)
  const note = String(await savedClasses(page))
  expect(Object.keys(JSON.parse(note)).sort()).toEqual(['classes', 'savedAt'])
  expect(Object.keys(JSON.parse(note).classes[0]).sort()).toEqual(['day', 'endTime', 'endsAt', 'startTime', 'title'])
  for (const secret of [member.id, member.email, 'Stranger', 'Mia']) {
    expect(note).not.toContain(secret)
    expect(kept?.text).not.toContain(secret)
  }
  expect(kept?.text).not.toContain(booked.title)
})

test('updates the saved classes with the bookings', async ({ page, site }) => {
  const { member, booked } = await signInWithOfflinePage(page, site)
  const sooner = await site.class({ at: '2026-12-08 13:10' })
  await openClassDialog(page, /8 December/, '13:10')
  await confirmBooking(page)
  await expectToast(page, 'Booking Confirmed')
  const first = async () => JSON.parse((await savedClasses(page)) ?? '{"classes":[]}').classes[0]?.title
  await expect.poll(first).toBe(sooner.title)

  await page.goto('/dashboard')
  await page.getByRole('button', { name: `Cancel ${sooner.title}` }).click()
  await expectToast(page, 'Success')
  await expect.poll(first).toBe(booked.title)

  const admin = await site.admin()
  expect((await admin.request('DELETE', `/api/classes/${booked.id}`)).status).toBe(200)
  await page.goto('/dashboard')
  await expect.poll(first).toBeUndefined()
  expect(await savedClasses(page)).toBeNull()
  expect(member.id).toBeTruthy()
})

test.describe('deletes the saved data', () => {
  test('after logging out, with the cache and the service worker', async ({ page, context, site }) => {
    await signInWithOfflinePage(page, site)
    await page.goto('/api/logout')
    await expect(page).toHaveURL('/')
    await expect.poll(() => cachedPages(page)).toEqual([])
    expect(await savedClasses(page)).toBeNull()
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
    expect((await context.cookies()).map(({ name }) => name)).toEqual([])
  })

  test('after the session has ended elsewhere', async ({ page, context, site }) => {
    const { member } = await signInWithOfflinePage(page, site)
    await site.pool.query('delete from sessions where user_id = $1', [member.id])
    await page.goto('/')
    await expect.poll(() => savedClasses(page)).toBeNull()
    await context.setOffline(true)
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Your next class' })).toBeHidden()
  })

  test('when another member signs in', async ({ page, context, site }) => {
    await signInWithOfflinePage(page, site)
    const other = await site.member({ firstName: 'Otto' })
    await context.clearCookies()
    // Even while the other member's bookings cannot be loaded.
    await failRequests(page, '**/api/user/bookings/upcoming')
    await logIn(page, other.email, other.password)
    await page.waitForURL('**/dashboard')
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    expect(await savedClasses(page)).toBeNull()
  })
})

test('shows the offline page on a slow network until the dashboard has loaded', async ({ page, site }) => {
  let isSlow = false
  const heldRequests: (() => void)[] = []
  const proxy = await startProxy(site, async (path, text) => {
    if (isSlow && path === '/dashboard') await new Promise<void>((release) => heldRequests.push(release))
    return text
  })
  const { booked } = await signInWithOfflinePage(page, site, proxy.origin)
  isSlow = true
  const startedAt = performance.now()
  await page.goto(`${proxy.origin}/dashboard`)
  await expect(page.getByRole('heading', { name: 'Just a moment' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Your next class' })).toContainText(booked.title)
  test
    .info()
    .annotations.push({ type: 'measured', description: `after ${Math.round(performance.now() - startedAt)} ms` })
  // The page waits for its first request and sends no second one.
  expect(heldRequests).toHaveLength(1)
  heldRequests[0]?.()
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  proxy.close()
})

test('a new release replaces the old cache while a page stays open', async ({ page, context, site }) => {
  let release = 'of-monday'
  const proxy = await startProxy(site, (path, text) =>
    path === '/service-worker.js' ? text.replace(/"release":"[^"]+"/, `"release":"${release}"`) : text,
  )
  await signInWithOfflinePage(page, site, proxy.origin)
  const names = () => page.evaluate(() => caches.keys())
  expect(await names()).toEqual(['offline-of-monday'])
  release = 'of-tuesday'
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
  await expect.poll(names).toEqual(['offline-of-tuesday'])
  await page.getByRole('link', { name: 'Book New Class' }).click()
  await expect(page).toHaveURL(/\/booking/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.setOffline(true)
  await page.goto(`${proxy.origin}/dashboard`)
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  proxy.close()
})

test('refreshes the cached offline page on the next visit', async ({ page, site }) => {
  await signInWithOfflinePage(page, site)
  await page.evaluate(async () => {
    const [name = ''] = await caches.keys()
    await (await caches.open(name)).put('/offline.html', new Response('an outdated page'))
  })
  // On a slow machine the offline page is shown first.
  await expect(async () => {
    await page.goto('/dashboard')
    await expect(page.getByRole('contentinfo')).toBeVisible({ timeout: 5000 })
  }).toPass()
  await expect.poll(async () => (await cachedPages(page))[0]?.text).toContain('Aldergate Mews')
})

test.describe('the install prompt', () => {
  // On a slow machine the offline page would be shown first.
  test.use({ serviceWorkers: 'block' })

  const sendInstallPrompt = (page: Page) =>
    page.evaluate(() => {
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => void document.body.setAttribute('data-prompted', 'yes'),
      })
      window.dispatchEvent(event)
      return event.defaultPrevented
    })
  const prompt = (page: Page) => page.getByRole('region', { name: 'On your phone' })
  async function book(page: Page, site: Site, at: string) {
    const [, time = ''] = at.split(' ')
    await site.class({ at })
    await page.goto('/booking')
    await expect.poll(() => sendInstallPrompt(page)).toBe(true)
    await page.getByRole('button', { name: /9 December/ }).click()
    await page.getByRole('button', { name: new RegExp(`^Book .* at ${time}`) }).click()
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
  }

  test('appears once, after the second booking', async ({ page, site }) => {
    await signIn(page, await site.member({ health: true, credits: 4 }))
    await book(page, site, '2026-12-09 13:11')
    await expect(page.getByRole('listitem').filter({ hasText: '13:11' }).getByText('Booked')).toBeVisible()
    await expect(prompt(page)).toBeHidden()
    await book(page, site, '2026-12-09 14:11')
    await expect(prompt(page)).toContainText('on your home screen')
    await prompt(page).getByRole('button', { name: 'Add it' }).click()
    await expect(page.locator('body[data-prompted=yes]')).toBeAttached()
    await expect(prompt(page)).toBeHidden()
    await book(page, site, '2026-12-09 15:11')
    await expect(page.getByRole('listitem').filter({ hasText: '15:11' }).getByText('Booked')).toBeVisible()
    await expect(prompt(page)).toBeHidden()
  })

  test('explains how to install where the browser has no prompt, unless already installed', async ({ page, site }) => {
    await page.addInitScript(() => Object.assign(Navigator.prototype, { standalone: false }))
    const member = await site.member({ health: true, credits: 4 })
    await site.book(member, await site.class({ at: '2026-12-10 13:12' }))
    await signIn(page, member)
    await site.class({ at: '2026-12-09 13:12' })
    await openClassDialog(page, /9 December/, '13:12')
    await confirmBooking(page)
    await expect(prompt(page)).toContainText('tap Share, then Add to Home Screen')
    await prompt(page).getByRole('button', { name: 'Not now' }).click()
    await expect(prompt(page)).toBeHidden()

    await page.context().clearCookies({ name: 'install-offered' })
    await page.addInitScript(() => Object.assign(Navigator.prototype, { standalone: true }))
    await site.class({ at: '2026-12-09 14:12' })
    await openClassDialog(page, /9 December/, '14:12')
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
    await expect(page.getByRole('listitem').filter({ hasText: '14:12' }).getByText('Booked')).toBeVisible()
    await expect(prompt(page)).toBeHidden()
  })
})
