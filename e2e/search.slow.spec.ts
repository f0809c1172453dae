import type { Page } from '@playwright/test'
import { openTab } from './admin.ts'
import { expect, test } from './site.ts'

test('keeps the search text, including a trailing space, when typing pauses', async ({ page, site }) => {
  const { email } = await site.member({ firstName: 'Paula', lastName: 'Pausing' })
  await openTab(page, site, 'Users')
  const box = page.getByLabel('Search members')
  await box.pressSequentially('Paula ')
  await expect(page).toHaveURL(/search=Paula$/)
  await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible()
  await box.pressSequentially('Pausing')
  await expect(page).toHaveURL(/search=Paula\+Pausing$/)
  await expect(box).toHaveValue('Paula Pausing')
  await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible()
})

declare global {
  interface Window {
    /** Ends the typing timeouts that are held, and returns how many there were. */
    endTyping: () => number
  }
}

/** Typing pauses only when the test says so. */
async function holdTypingTimeouts(page: Page) {
  await page.addInitScript(() => {
    const TYPING_MS = 250
    const held = new Map<number, () => void>()
    const { setTimeout: start, clearTimeout: stop } = window
    let last = 0
    const holding = (work: () => void, ms?: number) => {
      if (ms !== TYPING_MS) return start(work, ms)
      held.set(--last, work)
      return last
    }
    window.setTimeout = holding as typeof setTimeout
    window.clearTimeout = (id) => {
      if (!held.delete(Number(id))) stop(id)
    }
    window.endTyping = () => {
      const works = [...held.values()]
      held.clear()
      for (const work of works) work()
      return works.length
    }
  })
}

test('opens a member clicked at the moment when typing pauses', async ({ page, site }) => {
  await site.member({ firstName: 'Hasty', lastName: 'Opener' })
  // On a slow machine the typing timeout may end between the change of the URL and the render. Here it always does.
  await holdTypingTimeouts(page)
  await page.addInitScript(() => {
    const push = history.pushState
    history.pushState = function (...entry) {
      push.apply(this, entry)
      queueMicrotask(() => {
        document.body.dataset.pausesEnded = String(window.endTyping())
      })
    }
  })
  await openTab(page, site, 'Users', '&search=Hasty')
  await page.getByLabel('Search members').fill('Hasty O')
  await page.getByRole('link', { name: 'Hasty Opener' }).click()
  await expect(page.getByRole('heading', { name: 'Hasty Opener' })).toBeVisible()
  await expect(page).toHaveURL(/user=/)
  // Fails if the timeout is no longer TYPING_MS.
  await expect(page.locator('body[data-pauses-ended="1"]')).toBeAttached()
})

test('searches once a dialog that was opened before typing had paused is closed', async ({ page, site }) => {
  const { email } = await site.member({ firstName: 'Dina', lastName: 'Dialog' })
  await holdTypingTimeouts(page)
  await openTab(page, site, 'Users')
  await page.getByLabel('Search members').fill('Nobody')
  await page.getByRole('button', { name: 'Edit Dina Dialog' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Email')).toHaveValue(email)
  expect(await page.evaluate(() => window.endTyping())).toBe(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  // Going back to the page without the dialog may overtake the search, which then starts again.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.endTyping())
      return await page.getByText('No members match “Nobody”.').count()
    })
    .toBe(1)
})
