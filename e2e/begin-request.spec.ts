import type { Page } from '@playwright/test'
import { CARDS, choosePackage, expectToast, pay } from './member.ts'
import { expect, signIn, succeed, test } from './site.ts'

// The express request to begin within the days to cancel is never in the way: not of paying, not of booking.

test.use({ viewport: { width: 390, height: 844 } })

const box = (page: Page) => page.getByRole('checkbox', { name: /^I ask you to begin within the 14 days/ })

test('paid and booked without it as before, then asked for with a booking in one tap; at the next checkout it is unticked', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Winifred', lastName: 'Begins', health: true })
  const soon = await site.class({ at: '2026-12-10 19:30', title: 'Soon enough' })
  await signIn(page, member)
  await choosePackage(page, '8 Class Pass')
  await expect(box(page)).not.toBeChecked()
  await pay(page, CARDS.pays)
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  const asked = async () => {
    const bought = await succeed(await site.admin(), 'GET', `/api/admin/purchases?userId=${member.id}`)
    return bought.map(({ beginRequestedAt }: { beginRequestedAt: string | null }) => beginRequestedAt)
  }
  expect(await asked()).toEqual([null])

  await page.goto(`/booking?date=${soon.date}`)
  await page.getByRole('button', { name: /Soon enough/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Soon enough' })
  await expect(dialog.getByText('Optional. You can cancel 8 Class Pass until 21/12/2026.')).toBeVisible()
  await dialog.getByLabel(/cancellation policy/).check()
  await dialog.getByLabel(/terms and conditions/).check()
  const confirm = dialog.getByRole('button', { name: 'Confirm Booking' })
  await expect(confirm).toBeEnabled()
  await box(page).check() // the one tap
  await expect(dialog.getByText('Noted; your receipt says so from now on.')).toBeVisible()
  await confirm.click()
  await expectToast(page, 'Booking Confirmed')
  expect(await asked()).toEqual(['2026-12-07T08:00:00Z'])

  // Bought again: ticked at the checkout this time, and so the booking asks nothing.
  await choosePackage(page, '4 Class Pass')
  await expect(box(page)).not.toBeChecked()
  const saved = page.waitForResponse((response) => response.url().endsWith('/begin-request'))
  await box(page).check()
  expect((await saved).status()).toBe(200)
  await pay(page, CARDS.pays)
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  expect((await site.mailTo(member.email, /receipt for 4/)).text).toContain('You asked us on 07/12/2026 to begin')
  const later = await site.class({ at: '2026-12-11 19:30', title: 'Later than that' })
  await page.goto(`/booking?date=${later.date}`)
  await page.getByRole('button', { name: /Later than that/ }).click()
  await expect(page.getByRole('dialog', { name: 'Later than that' }).getByLabel(/terms and conditions/)).toBeVisible()
  await expect(box(page)).toHaveCount(0)
})
