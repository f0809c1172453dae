import type { Page } from '@playwright/test'
import type { Person } from '#testing/person.ts'
import { type Package, packageNamed } from './admin.ts'
import { watchLayoutShifts } from './layout-shifts.ts'
import { gotoHydrated, waitForHydration } from './member.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'
import { changeResponse, failRequests, holdRequests } from './traffic.ts'

const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: `${name}£` })

async function giftIntroductoryOffer(site: Site, member: Person) {
  const { id } = await packageNamed(site, 'Introductory Offer')
  const gift = { packageId: id, creditsToGift: 1, expiryMonths: 3, userId: member.id }
  await callApi(await site.admin(), 'POST', `/api/admin/users/${member.id}/gift-credits`, gift)
}

test.describe('the pricing page', () => {
  test('lists packages by size with the price, price per class and validity', async ({ page }) => {
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
    await expect(page.getByText('One credit books one place, so two of you need two.')).toBeVisible()
    await expect(card(page, 'Single Session')).toContainText('Valid for 1 month')
    await expect(card(page, 'Introductory Offer')).toContainText('Limited time offer')
    await expect(page.getByRole('link', { name: 'See the schedule' })).toHaveAttribute(
      'href',
      '/harrogate-reformer-pilates-classes#timetable',
    )
    await expect(page.getByRole('main').getByRole('link', { name: 'hello@aldergate.example' })).toBeVisible()
  })

  test("shows a spinner until packages and a member's passes have loaded", async ({ page, site }) => {
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

  test('hides a once-only package from a member who holds it', async ({ page, site }) => {
    const member = await site.member()
    await signIn(page, member)
    await page.goto('/pricing')
    await expect(card(page, 'Introductory Offer')).toBeVisible()
    await giftIntroductoryOffer(site, member)
    await page.reload()
    await expect(card(page, '8 Class Pass')).toBeVisible()
    await expect(card(page, 'Introductory Offer')).toHaveCount(0)
  })

  test("shows a member a spinner instead of the visitors' list until the passes have loaded, without layout shifts", async ({
    page,
    site,
  }) => {
    const member = await site.member()
    await giftIntroductoryOffer(site, member)
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

  test('links to the contact page when a member holds every package', async ({ page, site }) => {
    const member = await site.member()
    await giftIntroductoryOffer(site, member)
    await signIn(page, member)
    await changeResponse<Package[]>(page, '**/api/packages', (all) => all.filter((sold) => sold.purchaseOncePerUser))
    await page.goto('/pricing')
    await expect(page.getByText("You've purchased all available packages!")).toBeVisible()
    await expect(page.getByText('Please contact the studio if you need extra credits.')).toBeVisible()
    await page.getByRole('link', { name: 'Contact the studio' }).click()
    await expect(page).toHaveURL('/contact_harrogate_reformer_pilates')
  })

  test('can retry when the packages cannot be loaded', async ({ page }) => {
    await failRequests(page, '**/api/packages')
    await page.goto('/pricing')
    await expect(page.getByText('The studio could not be reached.')).toBeVisible()
    await page.unroute('**/api/packages')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(card(page, '8 Class Pass')).toBeVisible()
  })
})
