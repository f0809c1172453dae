import type { Locator, Page } from '@playwright/test'
import type { Person } from '#testing/person.ts'
import { expect, type Site, signIn, succeed } from './site.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Opens a tab of the admin area as the owner, and waits until it has been read. */
export async function openTab(page: Page, site: Site, tab: string, more = ''): Promise<void> {
  await signIn(page, await site.admin())
  await page.goto(`/admin?tab=${encodeURIComponent(tab)}${more}`)
  await tabRead(page, tab)
}

export async function tabRead(page: Page, tab: string): Promise<void> {
  await expect(page.getByRole('region', { name: tab, exact: true })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
}

/** Chooses a day in the calendar of a field or a filter, turning to its month first. */
export async function chooseDay(within: Page | Locator, label: string, date: string): Promise<void> {
  const field = within.getByRole('button', { name: new RegExp(`^${label} `) })
  await field.click()
  const months = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))
  const shown = async () => {
    const [name = '', year] = ((await within.getByRole('grid').getAttribute('aria-label')) ?? '').split(' ')
    return Temporal.PlainYearMonth.from(`${year}-${String(MONTHS.indexOf(name) + 1).padStart(2, '0')}`).toString()
  }
  const turns = months(date) - months(await shown())
  const turn = within.getByRole('button', { name: turns < 0 ? 'Go to the Previous Month' : 'Go to the Next Month' })
  for (let turned = 0; turned < Math.abs(turns); turned++) await turn.click()
  const day = Temporal.PlainDate.from(date)
  const name = new RegExp(` ${day.day} ${MONTHS[day.month - 1]} ${day.year}`)
  await within.getByRole('gridcell').getByRole('button', { name }).click()
  await expect(within.getByRole('grid')).toHaveCount(0)
  await expect(field).toBeFocused()
}

/** Buys a package over HTTP, with a card that pays. */
export async function buys(site: Site, person: Person, price: string): Promise<void> {
  const packages: { id: number; price: string }[] = await succeed(person, 'GET', '/api/packages')
  const packageId = packages.find((sold) => sold.price === price)?.id
  const begun = await succeed(person, 'POST', '/api/create-payment-intent', { packageId, amount: price })
  const { clientSecret, paymentIntentId } = begun
  const paid = await fetch(`${site.origin}/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: clientSecret, key: 'pk_test_sandbox', payment_method: 'pm_card_visa' }),
  })
  if (!paid.ok) throw new Error(`the card did not pay: ${await paid.text()}`)
  await succeed(person, 'POST', '/api/purchase-package', { packageId, paymentIntentId })
}

/** A class every week, at this time, for so many weeks; answers the first. */
export async function weekly(site: Site, title: string, at: string, until: string) {
  const [date = '', startTime = ''] = at.split(' ')
  const endTime = Temporal.PlainTime.from(startTime).add({ minutes: 45 }).toString().slice(0, 5)
  const series = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: until }
  const body = { title, date, startTime, endTime, maxParticipants: 2, ...series }
  const { id }: { id: number } = await succeed(await site.admin(), 'POST', '/api/classes', body)
  return { id, title, date, startTime, endTime }
}
