import type { Locator, Page } from '@playwright/test'
import { chooseSeveral, expectTabLoaded, openTab } from './admin.ts'
import { fillFourWeeks } from './busy-studio.ts'
import { expect, MONDAY_MORNING, Site, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

const LIMIT_PX = 2500
const LONG = 'Reformer for Strength, Balance and Breath, all levels'

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

test('Classes of a busy studio starts with today on a phone, and shows all days on request', async ({ page }) => {
  test.slow()
  const site = await Site.open(MONDAY_MORNING)
  try {
    await fillFourWeeks(site, LONG)
    await signIn(page, await site.admin())
    await page.goto(`${site.origin}/admin?tab=Classes`)
    await expectTabLoaded(page, 'Classes')
    const day = (name: string) => page.getByRole('region', { name, exact: true })
    await expect(day('Monday 07/12/2026').getByText(LONG).first()).toBeVisible()
    expect(await heightOf(page)).toBeLessThanOrEqual(LIMIT_PX)
    await expect(day('Thursday 31/12/2026')).toBeHidden()
    await page.getByRole('button', { name: /^Show all \d+ classes/ }).click()
    await expect(day('Thursday 31/12/2026')).toBeVisible()
    await expect(page).toHaveURL(/all=1/)
    await page.reload()
    await expect(day('Thursday 31/12/2026')).toBeVisible()
  } finally {
    await site.close()
  }
})

test('Bookings with long names and titles stays short on a phone', async ({ page, site }) => {
  const member = await site.member({
    firstName: 'Wilhelmina Alexandrina',
    lastName: 'Featherstonehaugh-Cholmondeley',
    health: true,
    credits: 12,
  })
  for (let day = 10; day <= 21; day++) {
    await site.book(member, await site.class({ at: `2026-12-${day} 06:15`, title: LONG }))
  }
  await openTab(page, site, 'Bookings')
  await expect(page.getByText('1 to 25 of')).toBeVisible()
  expect(await heightOf(page)).toBeLessThanOrEqual(LIMIT_PX)
  const next = page.getByRole('button', { name: 'Next' })
  await expect(next).toBeHidden()
  await page.getByRole('button', { name: 'Show 17 more' }).click()
  await expect(next).toBeVisible()
})

test('the buttons of a dialog are in sight at any height', async ({ page, site }) => {
  await openTab(page, site, 'Classes')
  for (const [width, height] of [
    [390, 664],
    [1440, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/admin?tab=Classes')
    await page.getByRole('button', { name: 'Create Class' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Class' })
    await expect(dialog.getByLabel('Title')).toBeVisible()
    expect(await dialog.evaluate((it) => it.scrollHeight > it.clientHeight)).toBe(true)
    for (const name of ['Cancel', 'Create Class'])
      await expect(dialog.getByRole('button', { name }), `${name} at ${width} px`).toBeInViewport({ ratio: 1 })
  }
})

test('what is done with chosen classes stays above the bar of a phone', async ({ page, site }) => {
  await site.class({ at: '2027-02-02 07:15', title: 'Chosen' })
  await openTab(page, site, 'Classes', '&from=2027-02-01')
  await chooseSeveral(page)
  await page.getByRole('checkbox', { name: 'Choose Chosen on 02/02/2027' }).check()
  const box = async (part: Locator) => (await part.boundingBox()) ?? { y: 0, height: 0 }
  const chosen = await box(page.getByRole('region', { name: 'Chosen classes' }))
  const bar = await box(page.getByRole('navigation', { name: 'Admin' }))
  expect(chosen.y + chosen.height).toBeGreaterThan(0)
  expect(chosen.y + chosen.height).toBeLessThanOrEqual(bar.y)
})

test('a phone shows the filters of Bookings on a tap, and open if one is set', async ({ page, site }) => {
  await openTab(page, site, 'Bookings')
  const filters = page.getByRole('button', { name: 'Filters' })
  await expect(page.getByLabel('Status')).toBeHidden()
  await filters.click()
  await page.getByLabel('Status').selectOption('Cancelled')
  await expect(filters).toHaveText('Filters (1)')
  await page.reload()
  await expect(page.getByLabel('Status')).toHaveValue('cancelled')
  await expect(page.getByLabel('Status')).toBeVisible()
})

test('shows all seven tabs on a tablet, and next to the content on a wide screen', async ({ page, site }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await openTab(page, site, 'Users')
  const tabs = page.getByRole('navigation', { name: 'Admin' })
  await expect(tabs.getByRole('link', { name: 'Health Updates' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1920, height: 1080 })
  const [rail, tab] = [await tabs.boundingBox(), await page.getByRole('table', { name: 'Members' }).boundingBox()]
  const logo = await page.getByRole('banner').getByRole('link', { name: 'Aldergate Pilates' }).first().boundingBox()
  expect(rail?.x).toBeGreaterThan(0)
  expect(tab?.x).toBe(logo?.x)
  expect(tab?.x).toBeGreaterThan((rail?.x ?? 0) + (rail?.width ?? 0))
  expect(tab?.width).toBeGreaterThanOrEqual(1232)
})
