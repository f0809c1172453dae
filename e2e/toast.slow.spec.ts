import type { Page } from '@playwright/test'
import { expect, test, WITH_MOTION } from './site.ts'

test.use(WITH_MOTION)

test.describe('the toast', () => {
  const shown = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')

  async function showWithTimeHeld(page: Page) {
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await page.getByRole('button', { name: 'Show an error' }).click()
    await expect(shown(page)).toContainText('Booking Failed')
  }

  test.beforeEach(async ({ page }) => {
    await page.goto('/dev/ui')
    await expect(page.getByRole('heading', { name: 'Toasts' })).toBeVisible()
    // The first toast loads the code.
    await page.getByRole('button', { name: 'Show a toast' }).click()
    await expect(shown(page)).toBeVisible()
  })

  test('is replaced by the next one', async ({ page }) => {
    await page.getByRole('button', { name: 'Show an error' }).click()
    await expect(shown(page)).toHaveCount(1)
    await expect(shown(page)).toContainText('Booking Failed')
  })

  test('stays 5000 ms', async ({ page }) => {
    await showWithTimeHeld(page)
    await page.clock.runFor(4_900)
    await expect(shown(page)).toHaveAttribute('data-state', 'open')
    await page.clock.runFor(200)
    await expect(shown(page).and(page.locator('[data-state=open]'))).toHaveCount(0)
  })

  test('is removed 4000 ms after it was dismissed', async ({ page }) => {
    const region = page.getByRole('region', { name: /Notifications/ })
    await showWithTimeHeld(page)
    await shown(page).getByRole('button', { name: 'Close' }).click()
    await page.clock.runFor(3_900)
    await expect(region).toBeAttached()
    await page.clock.runFor(200)
    await expect(region).toHaveCount(0)
  })

  test('is dismissed by swiping right by 50 px, but not by less', async ({ page }) => {
    await showWithTimeHeld(page)
    const box = (await shown(page).boundingBox()) as { x: number; y: number }
    const swipe = async (px: number) => {
      await page.mouse.move(box.x + 60, box.y + 20)
      await page.mouse.down()
      await page.mouse.move(box.x + 60 + px / 2, box.y + 20)
      await page.mouse.move(box.x + 60 + px, box.y + 20)
      await page.mouse.up()
    }
    await swipe(40)
    await expect(shown(page)).toHaveAttribute('data-state', 'open')
    await swipe(60)
    await expect(shown(page).and(page.locator('[data-state=open]'))).toHaveCount(0)
  })
})
