import { openTab } from './admin.ts'
import { expect, test } from './site.ts'

test('words are typed with pauses between them: what stands there stays, the space at its end too', async ({
  page,
  site,
}) => {
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

test('who opens a member while typing has just paused gets the member, however slowly the page is drawn', async ({
  page,
  site,
}) => {
  await site.member({ firstName: 'Hasty', lastName: 'Opener' })
  // On a slow machine typing's pause may end between the address's change and the drawing of what it names: here it always does.
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
  // The pause did end then: whoever makes it longer or shorter hears of it here.
  await expect(page.locator('body[data-pauses-ended="1"]')).toBeAttached()
})
