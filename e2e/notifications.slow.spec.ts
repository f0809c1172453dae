import type { BrowserContext, Page } from '@playwright/test'
import { confirmBooking, expectToast, openClassDialog, signInWithBooking } from './member.ts'
import { expect, type Site, signIn, test } from './site.ts'

test.use({ serviceWorkers: 'allow', viewport: { width: 390, height: 844 } })

/** The browser of tests has no notifications and no push service: subscriptions are kept in the tab's storage. */
async function withPushService(context: BrowserContext, permission: NotificationPermission = 'granted') {
  await context.addInitScript((permission) => {
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => 'granted'
    const KEY = 'test-subscription'
    const bytesOf = (base64url: string) => {
      const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
      return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    }
    const kept = () => {
      const [endpoint, key] = (sessionStorage.getItem(KEY) ?? '').split(' ')
      if (!endpoint || !key) return null
      return {
        endpoint,
        options: { applicationServerKey: bytesOf(key).buffer },
        toJSON: () => ({ endpoint, keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } }),
        unsubscribe: async () => {
          sessionStorage.removeItem(KEY)
          return true
        },
      }
    }
    Object.assign(PushManager.prototype, {
      getSubscription: async () => kept(),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        const count = Number(sessionStorage.getItem('test-count') ?? 0) + 1
        sessionStorage.setItem('test-count', String(count))
        sessionStorage.setItem(KEY, `https://push.example/${count} ${applicationServerKey}`)
        return kept()
      },
    })
  }, permission)
}

/** The address of this browser's subscription, as the site knows it. */
const endpoint = async (page: Page): Promise<string | null> =>
  page.evaluate(async () => (await (await fetch('/api/user/notifications')).json()).endpoint)

test('a member switches notifications on and off for a device, and kinds of them for all', async ({
  page,
  context,
  site,
}) => {
  await withPushService(context)
  await signInWithBooking(page, site)
  await page.goto('/dashboard?view=sign-in')
  const here = page.getByRole('checkbox', { name: 'Notify me on this device' })
  const reminders = page.getByRole('checkbox', { name: 'The day before a class' })
  await expect(here).not.toBeChecked()
  await here.click()
  await expectToast(page, 'We’ll notify you on this device.')
  await expect(here).toBeChecked()
  await expect(page.getByText('Notifications on', { exact: true })).toBeVisible()
  await reminders.click()
  await expect(reminders).not.toBeChecked()
  await expect(reminders).toBeEnabled()
  await page.reload()
  await expect(here).toBeChecked()
  await expect(reminders).not.toBeChecked()

  // The browser has lost its subscription: the next visit makes another one, and the site knows it.
  const first = await endpoint(page)
  await page.evaluate(() => sessionStorage.removeItem('test-subscription'))
  await page.goto('/dashboard')
  await expect.poll(() => endpoint(page)).not.toBe(first)
  await page.goto('/dashboard?view=sign-in')
  await expect(here).toBeChecked()
  await here.click()
  await expectToast(page, 'Notifications are off here.')
  await expect(here).not.toBeChecked()
  expect(await endpoint(page)).toBeNull()
})

test('a notification is shown on the phone, also while the page is open', async ({ page, context, site }) => {
  await signInWithBooking(page, site)
  await page.goto('/dashboard')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const devtools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId } of registrations) resolve(registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  const [worker] = context.serviceWorkers()
  await worker?.evaluate(() => {
    Object.assign(self, { shown: [] })
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      Reflect.get(self, 'shown').push({ title, ...options })
    }
  })
  const notice = { title: 'A place is free', body: 'Reformer, Tuesday 8 December, 10:00.', tag: 'one' }
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: site.origin,
    registrationId: await registered,
    data: JSON.stringify({ ...notice, path: '/booking' }),
  })
  const shown = () => worker?.evaluate(() => Reflect.get(self, 'shown'))
  await expect.poll(shown).toEqual([expect.objectContaining({ ...notice, data: { path: '/booking' } })])
})

test('asks after the first booking, once, and never on arrival', async ({ page, context, site }) => {
  await withPushService(context, 'default')
  await bookFirst(page, site)
  const question = page.getByRole('region', { name: 'What is urgent' })
  await expect(question).toContainText('Shall we notify you here')
  await question.getByRole('button', { name: 'Notify me' }).click()
  await expectToast(page, 'We’ll notify you on this device.')
  await expect(question).toBeHidden()
  expect(await endpoint(page)).not.toBeNull()
})

async function bookFirst(page: Page, site: Site) {
  const member = await site.member({ credits: 3, health: true })
  await site.class({ at: '2026-12-11 16:30' })
  await signIn(page, member)
  await page.goto('/booking')
  await expect(page.getByRole('region', { name: 'What is urgent' })).toBeHidden()
  await openClassDialog(page, /11 December/, '16:30')
  await confirmBooking(page)
}
