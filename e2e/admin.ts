import type { Locator, Page } from '@playwright/test'
import type { Person } from '#testing/person.ts'
import { openMore } from './member.ts'
import { callApi, expect, type Site, signIn } from './site.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Opens a tab of the admin area as the owner and waits until it has loaded. */
export async function openTab(page: Page, site: Site, tab: string, query = ''): Promise<void> {
  await openAsOwner(page, site, `/admin?tab=${encodeURIComponent(tab)}${query}`)
  await expectTabLoaded(page, tab)
}

export async function expectTabLoaded(page: Page, tab: string): Promise<void> {
  await expect(page.getByRole('region', { name: tab, exact: true })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
}

/** Follows a link of the admin area, which on a phone may be in its More. */
export async function follow(page: Page, name: string): Promise<void> {
  const link = page.getByRole('main').getByRole('link', { name, exact: true }).filter({ visible: true })
  const more = page.getByRole('navigation', { name: 'Admin' }).getByRole('button', { name: 'More', exact: true })
  await expect(link.or(more.filter({ visible: true })).first()).toBeVisible()
  if ((await link.count()) === 0) await more.click()
  await link.first().click()
}

/** Chooses a section of the studio settings: on a phone from a list, otherwise from the index. */
export async function chooseSection(page: Page, title: string): Promise<void> {
  const list = page.getByLabel('Section', { exact: true })
  const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: title })
  await expect(list.or(link).filter({ visible: true })).toBeVisible()
  if (await list.isVisible()) await list.selectOption(title)
  else await link.click()
}

/** Opens a folded part of a page. */
export const unfold = (page: Page, title: string) => page.locator('summary').filter({ hasText: title }).click()

export async function chooseDay(within: Page | Locator, label: string, date: string): Promise<void> {
  const field = within.getByRole('button', { name: new RegExp(`^${label} `) })
  await field.click()
  const monthNumber = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))
  const shownMonth = async () => {
    const [name = '', year] = ((await within.getByRole('grid').getAttribute('aria-label')) ?? '').split(' ')
    return Temporal.PlainYearMonth.from(`${year}-${String(MONTHS.indexOf(name) + 1).padStart(2, '0')}`).toString()
  }
  const distance = monthNumber(date) - monthNumber(await shownMonth())
  const arrow = within.getByRole('button', { name: distance < 0 ? 'Go to the Previous Month' : 'Go to the Next Month' })
  for (let clicks = 0; clicks < Math.abs(distance); clicks++) await arrow.click()
  const day = Temporal.PlainDate.from(date)
  const name = new RegExp(` ${day.day} ${MONTHS[day.month - 1]} ${day.year}`)
  await within.getByRole('gridcell').getByRole('button', { name }).click()
  await expect(within.getByRole('grid')).toHaveCount(0)
  await expect(field).toBeFocused()
}

/** Buys a package over HTTP with a card that is accepted. */
export async function buyPackage(site: Site, person: Person, price: string): Promise<void> {
  const packages: { id: number; price: string }[] = await callApi(person, 'GET', '/api/packages')
  const packageId = packages.find((offered) => offered.price === price)?.id
  const intent = { packageId, amount: price }
  const { clientSecret, paymentIntentId } = await callApi(person, 'POST', '/api/create-payment-intent', intent)
  const paid = await fetch(`${site.origin}/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: clientSecret, key: 'pk_test_sandbox', payment_method: 'pm_card_visa' }),
  })
  if (!paid.ok) throw new Error(`the card was declined: ${await paid.text()}`)
  await callApi(person, 'POST', '/api/purchase-package', { packageId, paymentIntentId })
}

export async function createWeeklySeries(site: Site, title: string, at: string, until: string) {
  const [date = '', startTime = ''] = at.split(' ')
  const endTime = Temporal.PlainTime.from(startTime).add({ minutes: 45 }).toString().slice(0, 5)
  const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: until }
  const body = { title, date, startTime, endTime, maxParticipants: 2, ...repeat }
  const { id }: { id: number } = await callApi(await site.admin(), 'POST', '/api/classes', body)
  return { id, title, date, startTime, endTime }
}

export type Package = { id: number; name: string; price: string; classCount: number; purchaseOncePerUser: boolean }

export async function packageNamed(site: Site, name: string): Promise<Package> {
  const packages: Package[] = await callApi(await site.admin(), 'GET', '/api/packages')
  return packages.find((offered) => offered.name === name) as Package
}

/** The query that finds one user on the Users tab. */
export const searchFor = (text: string) => `&search=${encodeURIComponent(text)}`

export async function storedUser(site: Site, id: string) {
  const stored: {
    user: { firstName: string; lastName: string; username: string; isAdmin: boolean; totalCredits: number }
  } = await callApi(await site.admin(), 'GET', `/api/admin/users/${id}`)
  return stored.user
}

export async function openAsOwner(page: Page, site: Site, path = '/admin') {
  await signIn(page, await site.admin())
  await page.goto(path)
}

/** Shows the ticks of the classes. */
export async function chooseSeveral(page: Page): Promise<void> {
  await openMore(page, 'Classes')
  await page.getByRole('button', { name: 'Choose several' }).click()
}
