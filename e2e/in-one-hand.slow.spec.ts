import type { Locator, Page } from '@playwright/test'
import { chooseSection, openTab, packageNamed } from './admin.ts'
import { expectToast, openMore } from './member.ts'
import { callApi, expect, MONDAY_MORNING, Site, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

/** The heights of rows, without those that say more than usual. */
async function usualHeight(rows: Locator): Promise<number> {
  await expect(rows.first()).toBeVisible()
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  return heights.sort((a, b) => a - b)[Math.floor(heights.length * 0.8)] ?? Number.NaN
}

test('a row is two or three lines: members, sales, health updates and classes', async ({ page, site }) => {
  await openTab(page, site, 'Users')
  expect(await usualHeight(page.getByRole('table', { name: 'Members' }).locator('tbody tr'))).toBeLessThanOrEqual(121)
  await page.goto('/admin?tab=Packages&view=purchases')
  const sales = page.getByRole('table', { name: 'Purchases' }).locator('tbody tr')
  expect(await usualHeight(sales)).toBeLessThanOrEqual(110)
  await page.goto('/admin?tab=Health+Updates')
  const updates = page.getByRole('list', { name: 'Health updates' }).locator('> li')
  expect(await usualHeight(updates)).toBeLessThanOrEqual(160)
  await page.goto('/admin?tab=Classes')
  const classes = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Delete / }), visible: true })
  expect(await usualHeight(classes)).toBeLessThanOrEqual(120)
})

test('the page of a member with four bookings is two and a half screens, credits, health and note first', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Fleur', lastName: 'Four', health: true, credits: 6 })
  for (const day of [10, 11, 12, 14]) await site.book(member, await site.class({ at: `2026-12-${day} 06:35` }))
  await callApi(await site.admin(), 'POST', `/api/admin/users/${member.id}/notes`, { text: 'Left knee' })
  await openTab(page, site, 'Users', `&user=${member.id}`)
  await expect(page.getByRole('table', { name: 'Bookings' }).locator('tbody tr')).toHaveCount(4)
  expect(await heightOf(page)).toBeLessThanOrEqual(2200)
  for (const text of ['Credits remaining', 'Valid until', 'Health form', /^Note of .*: Left knee$/])
    await expect(page.getByText(text).first()).toBeInViewport()
})

test('each group of the settings is three screens at most', async ({ page, site }) => {
  await openTab(page, site, 'Overview')
  await page.goto('/admin?view=settings')
  const sections = page.getByLabel('Section', { exact: true }).getByRole('option')
  await expect(sections).toHaveCount(10)
  for (const title of await sections.allInnerTexts()) {
    await chooseSection(page, title)
    await expect(page.locator('main section[id] h2').filter({ visible: true }).first()).toBeVisible()
    expect(await heightOf(page), title).toBeLessThanOrEqual(2500)
  }
})

test('what is typed in one group of the settings stays while another is saved', async ({ page }) => {
  const site = await Site.open(MONDAY_MORNING)
  try {
    await signIn(page, await site.admin())
    await page.goto(`${site.origin}/admin?view=settings#contact`)
    const form = page.getByRole('form', { name: 'Studio settings' })
    await form.getByLabel('Phone').fill('no number')
    await chooseSection(page, 'Hours and notice')
    await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
    await form.getByLabel('Notice at the top of every page').fill('The door is blue now.')
    await form.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Saved. Every page will show it within a minute')
    await chooseSection(page, 'Address and contact')
    await expect(form.getByLabel('Phone')).toHaveValue('no number')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByLabel('Phone')).toBeFocused()
    await form.getByRole('button', { name: 'Discard' }).click()
    await expect(form.getByLabel('Phone')).toHaveValue(/\d{5}/)
  } finally {
    await site.close()
  }
})

/** Counts the taps. */
function counted() {
  const taps: string[] = []
  const tap = async (target: Locator) => {
    taps.push(target.toString())
    await target.click()
  }
  return { taps, tap }
}

test('a class is booked from the dashboard in five taps', async ({ page, site }) => {
  const { title } = await site.class({ at: '2026-12-07 19:25', title: 'Five taps' })
  await signIn(page, await site.member({ health: true, credits: 1 }))
  await page.goto('/dashboard')
  const { taps, tap } = counted()
  await tap(page.getByRole('link', { name: 'Book New Class' }))
  await tap(page.getByRole('button', { name: `Book ${title}` }))
  const sheet = page.getByRole('dialog')
  const ticks = sheet.getByRole('checkbox')
  for (const part of [ticks.first(), ticks.last(), sheet.getByRole('button', { name: 'Confirm Booking' })])
    await expect(part).toBeInViewport({ ratio: 1 })
  await tap(ticks.first())
  await tap(ticks.last())
  await tap(sheet.getByRole('button', { name: 'Confirm Booking' }))
  await expectToast(page, 'Booking Confirmed')
  expect(taps.length).toBeLessThanOrEqual(5)
})

test('a pass is sold again from Overview in four taps', async ({ page, site }) => {
  const { id: packageId } = await packageNamed(site, '8 Class Pass')
  const member = await site.member({ firstName: 'Agatha', lastName: 'Again' })
  await callApi(await site.admin(), 'POST', `/api/admin/users/${member.id}/purchases`, { packageId, method: 'cash' })
  await openTab(page, site, 'Overview')
  const { taps, tap } = counted()
  await tap(page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Users' }))
  await tap(page.getByRole('button', { name: 'More for Agatha Again' }))
  await tap(page.getByRole('button', { name: 'Record a sale' }))
  const sale = page.getByRole('dialog', { name: 'Record a sale' })
  await expect(sale.getByLabel('Amount (£)')).toHaveValue('424.00')
  await tap(sale.getByRole('button', { name: 'Record a sale' }))
  await expectToast(page, 'Sale recorded')
  expect(taps.length).toBeLessThanOrEqual(4)
})

test('a class of the timetable is created in four taps, with nothing typed', async ({ page, site }) => {
  await openTab(page, site, 'Overview')
  const { taps, tap } = counted()
  await tap(page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Classes' }))
  await tap(page.getByRole('button', { name: 'Create Class' }))
  const dialog = page.getByRole('dialog', { name: 'Create Class' })
  const next = dialog.getByRole('group', { name: 'Next in the timetable' }).getByRole('button').first()
  const [time = ''] = /\d\d:\d\d/.exec(await next.innerText()) ?? []
  await tap(next)
  await expect(dialog.getByLabel('Start time')).toHaveValue(time)
  await tap(dialog.getByRole('button', { name: 'Create Class' }))
  await expectToast(page, 'Class created successfully')
  expect(taps.length).toBeLessThanOrEqual(4)
})

test('the dialog of the waiting list says what it does in 70 words', async ({ page, site }) => {
  const full = await site.class({ at: '2026-12-09 19:35', places: 1, title: 'Full' })
  await site.book(await site.member({ health: true, credits: 1 }), full)
  await signIn(page, await site.member({ health: true, credits: 1 }))
  await page.goto('/booking?date=2026-12-09')
  await page.getByRole('button', { name: 'Waiting list for Full' }).click()
  const dialog = page.getByRole('dialog', { name: /^Waiting list/ })
  await expect(dialog.getByRole('button', { name: 'Join waiting list' })).toBeVisible()
  const words = (await dialog.innerText()).split(/\s+/).filter((word) => /\w/.test(word))
  expect(words.length).toBeLessThanOrEqual(70)
})

test('a menu opens with the keyboard, closes with Escape before a toast, and gives the focus back', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Kay', lastName: 'Board', health: true, credits: 2 })
  await site.book(member, await site.class({ at: '2026-12-10 06:55', title: 'By keyboard' }))
  await signIn(page, member)
  await page.goto('/dashboard')
  const more = page.getByRole('button', { name: 'More for By keyboard' })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Add companion to/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Add companion to/ })).toBeHidden()
  await expect(more).toBeFocused()
  await openMore(page)
  await page.getByRole('button', { name: /^Add companion to/ }).click()
  await expect(page.getByRole('dialog', { name: 'Add companion' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
})
