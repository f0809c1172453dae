import { openTab } from './admin.ts'
import { expect, test } from './site.ts'

test('keeps the search text, including a trailing space, when typing pauses', async ({ page, site }) => {
  const { email } = await site.member({ firstName: 'Paula', lastName: 'Pausing' })
  await openTab(page, site, 'Users')
  const box = page.getByLabel('Search users')
  await box.pressSequentially('Paula ')
  await expect(page).toHaveURL(/search=Paula$/)
  await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible()
  await box.pressSequentially('Pausing')
  await expect(page).toHaveURL(/search=Paula\+Pausing$/)
  await expect(box).toHaveValue('Paula Pausing')
  await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible()
})

test('opens a member clicked at the moment when typing pauses', async ({ page, site }) => {
  await site.member({ firstName: 'Hasty', lastName: 'Opener' })
  // On a slow machine the typing timeout may end between the change of the URL and the render. Here it always does.
  await page.addInitScript(() => {
    const TYPING_MS = 250
    const paused = new Map<number, () => void>()
    const { setTimeout: start, clearTimeout: stop } = window
    const pausing = (work: () => void, ms?: number) => {
      if (ms !== TYPING_MS) return start(work, ms)
      const id = -1 - paused.size
      paused.set(id, work)
      return id
    }
    window.setTimeout = pausing as typeof setTimeout
    window.clearTimeout = (id) => {
      if (!paused.delete(Number(id))) stop(id)
    }
    const push = history.pushState
    history.pushState = function (...entry) {
      push.apply(this, entry)
      queueMicrotask(() => {
        for (const work of paused.values()) work()
        document.body.dataset.pausesEnded = String(paused.size)
      })
    }
  })
  await openTab(page, site, 'Users', '&search=Hasty')
  await page.getByLabel('Search users').fill('Hasty O')
  await page.getByRole('link', { name: 'Hasty Opener' }).click()
  await expect(page.getByRole('heading', { name: 'Hasty Opener' })).toBeVisible()
  await expect(page).toHaveURL(/user=/)
  // Fails if the timeout is no longer TYPING_MS.
  await expect(page.locator('body[data-pauses-ended="1"]')).toBeAttached()
})
