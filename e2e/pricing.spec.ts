import type { Page } from '@playwright/test'
import { watchLayoutShifts } from './layout-shifts.ts'
import { gotoHydrated, waitForHydration } from './member.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'
import { changeReply, failRequests, holdRequests } from './traffic.ts'

type Sold = { id: number; name: string; price: string; classCount: number; purchaseOncePerUser: boolean }

const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: `${name}£` })

async function packageOf(site: Site, name: string): Promise<Sold> {
  const all: Sold[] = await callApi(await site.admin(), 'GET', '/api/packages')
  return all.find((sold) => sold.name === name) as Sold
}

test.describe('the prices', () => {
  test('stand from the smallest package to the largest, each with price, price per class and validity', async ({
    page,
  }) => {
    await page.goto('/pricing')
    await expect(page.getByRole('button', { name: /Select Package/ }).first()).toBeVisible()
    const names = await page.getByRole('button', { name: /Select Package/ }).allTextContents()
    expect(names.map((name) => name.replace('Select Package ', ''))).toEqual([
      'Single Session',
      'Introductory Offer',
      '4 Class Pass',
      '8 Class Pass',
      '12 Class Pass',
    ])
    const eight = card(page, '8 Class Pass')
    for (const text of [
      'Most Popular',
      '£424',
      '£53.00 per class',
      'for one person',
      '8 classes for ultimate flexibility',
      'Valid for 4 months',
      'For one-on-one and duo classes',
    ]) {
      await expect(eight).toContainText(text)
    }
    await expect(eight).not.toContainText('£424.00')
    await expect(page.getByText('Most Popular')).toHaveCount(1)
    await expect(page.getByText('One credit books one place. In a duo, your companion')).toBeVisible()
    await expect(card(page, 'Single Session')).toContainText('Valid for 1 month')
    await expect(card(page, 'Introductory Offer')).toContainText('Limited time offer')
    await expect(page.getByRole('link', { name: 'See the schedule' })).toHaveAttribute(
      'href',
      '/harrogate-reformer-pilates-classes#timetable',
    )
    await expect(page.getByRole('main').getByRole('link', { name: 'hello@aldergate.example' })).toBeVisible()
  })

  test('wait with a spinner for the packages and, for a member, for the passes', async ({ page, site }) => {
    await signIn(page, await site.member())
    const packages = await holdRequests(page, '**/api/packages')
    const passes = await holdRequests(page, '**/api/user/passes')
    await gotoHydrated(page, '/')
    await page.getByRole('link', { name: 'Pricing' }).first().click()
    const spinner = page.getByRole('status').filter({ hasText: 'Loading packages' })
    await expect(spinner).toBeVisible()
    await packages.release()
    await expect(spinner).toBeVisible()
    await passes.release()
    await expect(card(page, '8 Class Pass')).toBeVisible()
    await expect(spinner).toHaveCount(0)
  })

  test('a package that is bought once is hidden from a member who holds it', async ({ page, site }) => {
    const member = await site.member()
    await signIn(page, member)
    await page.goto('/pricing')
    await expect(card(page, 'Introductory Offer')).toBeVisible()
    const { id } = await packageOf(site, 'Introductory Offer')
    const gift = { packageId: id, creditsToGift: 1, expiryMonths: 3, userId: member.id }
    await callApi(await site.admin(), 'POST', `/api/admin/users/${member.id}/gift-credits`, gift)
    await page.reload()
    await expect(card(page, '8 Class Pass')).toBeVisible()
    await expect(card(page, 'Introductory Offer')).toHaveCount(0)
  })

  test('a member sees a spinner, not the list for visitors, until their passes are known; nothing moves', async ({
    page,
    site,
  }) => {
    const member = await site.member()
    const { id } = await packageOf(site, 'Introductory Offer')
    const gift = { packageId: id, creditsToGift: 1, expiryMonths: 3, userId: member.id }
    await callApi(await site.admin(), 'POST', `/api/admin/users/${member.id}/gift-credits`, gift)
    await signIn(page, member)
    const shifts = await watchLayoutShifts(page)
    const scripts = await holdRequests(page, '**/assets/*.js')
    const passes = await holdRequests(page, '**/api/user/passes')
    const spinner = page.getByRole('status').filter({ hasText: 'Loading packages' })
    const expectOnlySpinner = async () => {
      await expect(spinner).toBeVisible()
      await expect(card(page, 'Introductory Offer')).toHaveCount(0)
    }
    await page.goto('/pricing', { waitUntil: 'domcontentloaded' })
    await expectOnlySpinner()
    await page.evaluate(() => document.fonts.ready)
    await shifts.expectOnlyFontShifts('by its fonts')
    await scripts.release()
    await expect.poll(passes.calls).toBe(1)
    await waitForHydration(page)
    await expectOnlySpinner()
    await passes.release()
    await expect(card(page, '8 Class Pass')).toBeVisible()
    await expect(card(page, 'Introductory Offer')).toHaveCount(0)
    await expect(spinner).toHaveCount(0)
    await shifts.expectNoShifts('by what is known of the member')
  })

  test('a member who holds all there is to buy is told so, with a way to the studio', async ({ page, site }) => {
    const member = await site.member()
    const { id } = await packageOf(site, 'Introductory Offer')
    const gift = { packageId: id, creditsToGift: 1, expiryMonths: 3, userId: member.id }
    await callApi(await site.admin(), 'POST', `/api/admin/users/${member.id}/gift-credits`, gift)
    await signIn(page, member)
    await changeReply<Sold[]>(page, '**/api/packages', (all) => all.filter((sold) => sold.purchaseOncePerUser))
    await page.goto('/pricing')
    await expect(page.getByText("You've purchased all available packages!")).toBeVisible()
    await expect(page.getByText('Please contact the studio if you need extra credits.')).toBeVisible()
    await page.getByRole('link', { name: 'Contact the studio' }).click()
    await expect(page).toHaveURL('/contact_harrogate_reformer_pilates')
  })

  test('a list that cannot be read can be asked for again', async ({ page }) => {
    await failRequests(page, '**/api/packages')
    await page.goto('/pricing')
    await expect(page.getByText('The studio could not be reached.')).toBeVisible()
    await page.unroute('**/api/packages')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(card(page, '8 Class Pass')).toBeVisible()
  })
})
